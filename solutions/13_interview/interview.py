# ---
# jupyter:
#   jupytext:
#     notebook_metadata_filter: -jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The interview: what you know, and what you only think you know
#
# **Goal.** You ask yourself what an interviewer would ask: questions on all lessons, an exercise on a blank page with
# a clock, and programs of colleagues in which something is wrong. At the end a page says what to study next.
#
# **Core path · 83 minutes · difficulty 3 of 3 · 15 points, all for written answers**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | How to use it, and where you stand | 5 | – | – |
# | Round 1: questions | 15 | ●●○ | – |
# | Round 2: a blank page | 12 | ●●○ | – |
# | Round 3: find the bug | 15 | ●●● | – |
# | Would your test have found it? | 6 | – | – |
# | Answers that are often given | 5 | – | – |
# | Three written answers | 18 | ●●● | 15 |
# | Quick quiz | 3 | – | – |
# | What to study next | 4 | – | – |
#
# The rounds draw on all lessons. You can come back to them as often as you like: each time they ask something else.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch
import torch.nn.functional as F
from torch import nn

from grader import blank_page, check, find_the_bug, hint, study_next
from lessons.support import norm_tests, plots
from lessons.support.claims import Claim, ClaimTable
from quiz import quiz

# %% [markdown]
# ## How to use it
#
# Reading an answer feels like knowing it. Giving one shows whether you do.
# So everything here asks first and tells afterwards, and what you had wrong comes back another day.
#
# This is not only a mood. One meta-analysis found that the same practice tests, spread out over time, are
# remembered better than when they are massed (*g* = 0.74) [1]. Another compared kinds of feedback: an explanation helped
# more (*g* = 0.49) than the right answer alone (0.32), and being told only right or wrong hardly did (0.05) [2].
#
# Nothing in the three rounds is graded. The points of this lesson are for the written answers.

# %% [markdown]
# ### Where you stand
#
# A line for each lesson. **Due** is what to be asked again today, **weak** is what you had wrong at the first try of its
# last round, and **not seen** is what nobody has asked you yet.

# %% tags=["experiment"]
quiz.overview()

# %% [markdown]
# ## Round 1: questions
#
# Ten questions. First what is due, weakest first. Then new ones, one of each lesson in turn, so that you never
# know what comes. Weak lessons go first.
#
# Say how sure you are. "Certain, and wrong" is what an interview punishes most, and what comes back first.
# Run the cell again for the next ten. `quiz.round(most=20)` asks twenty.

# %% tags=["experiment"]
quiz.round()

# %% [markdown]
# ## Round 2: a blank page
#
# An exercise of an earlier lesson, from memory: its contract, an empty cell, and a clock.
# The exercise comes from a lesson that the quiz says is weak, if it says any, else by chance.
# You would rather choose? `blank_page("rms_norm")` takes any exercise by its name.
#
# Run the next cell. A new one appears below it: write there, run it, and then check it.
#
# The clock is there because interviews have one. It shows the time, and nothing depends on it.
# You can hide it.

# %% tags=["experiment"]
page = blank_page()
page

# %% [markdown]
# The check is the same as in the lesson. You can also call it by the exercise's name, as there.
# Stuck? `hint(page.exercise)`.

# %% tags=["experiment"]
page.check()

# %% [markdown]
# For the next page, run the cell with `blank_page()` again.
#
# ### What to say while you write
#
# An interviewer wants to hear how you think. For each of these exercises you can say, before the first line of code:
#
# 1. the shapes that come in and go out, and over which axis the work is done;
# 2. the formula in words;
# 3. which input would break a careless version.
#
# The third is what Round 3 is about.

# %% [markdown]
# ## Round 3: find the bug
#
# A colleague's program for an exercise that you know. It is wrong in one place, and the mistake is one that people
# really make: the exercise's check knows it by name.
#
# The program that you get is numbered. `find_the_bug(7)` takes the seventh; without a number you get one that you have
# not met, of a weak lesson first.

# %% tags=["experiment"]
bug = find_the_bug()
bug

# %% [markdown]
# First say **where** it is. Which line is wrong? Put its number in place of the 0.
#
# If you do not see it, `bug.hint()` shows what the check finds: which inputs fail, and by how much.
# It does not say why.

# %% tags=["experiment"]
bug.line(0)

# %% [markdown]
# Then **mend** it. The next cell puts the program into a new cell below. Change as little as you can, and run that cell.

# %% tags=["experiment"]
bug.mend()

# %% [markdown]
# Now let the check judge what you have mended. When all is right, you are told what the mistake is called and what leads
# out of it. `bug.give_up()` tells it at once.

# %% tags=["experiment"]
bug.mended()

# %% [markdown]
# For the next bug, run the cell with `find_the_bug()` again. What stands below it is about the last one until you run
# those cells again, too.

# %% [markdown]
# ## Experiment: would your test have found it?
#
# A sceptical engineer asks: the bugs of Round 3 got past somebody. Would the test that I usually write have found them?
#
# Try it on RMSNorm. In words, a row is divided by its root mean square, and each feature is scaled by its weight:
#
# $$y_i = w_i\,\frac{x_i}{\sqrt{\frac{1}{d}\sum_j x_j^2 + \varepsilon}}$$
#
# Below are nine wrong versions and nine tests. Each test compares a version with PyTorch's own `F.rms_norm` and allows
# 1 % of difference, as quick tests do. Before you run the cell, guess: how many of the nine does the first test find?

# %% tags=["experiment"]
found = {fault: norm_tests.found_by(norm) for fault, norm in norm_tests.FAULTS.items()}
tests = list(norm_tests.found_by(norm_tests.right))
figure, ax = plots.new_axes(height=4.4)
for row, by in enumerate(found.values()):
    hits = [place for place, test in enumerate(tests) if by[test]]
    misses = [place for place, test in enumerate(tests) if not by[test]]
    ax.plot(hits, [row] * len(hits), "o", color=plots.RMS, markersize=9)
    ax.plot(misses, [row] * len(misses), "x", color=plots.FLOOR, markersize=5)
ax.set_xticks(range(len(tests)), tests, rotation=35, ha="right")
ax.set_yticks(range(len(found)), found)
ax.invert_yaxis()
ax.set(xlabel="test", ylabel="wrong version")
first = sum(by[tests[0]] for by in found.values())
caught = sum(any(by.values()) for by in found.values())
alone = [fault for fault, by in found.items() if sum(by.values()) == 1]
plots.show(
    figure,
    f"One random row finds {first} of {len(found)} wrong norms; all {len(tests)} tests together find {caught}",
    f"A dot: the test finds the version. A cross: it lets it pass. {len(alone)} versions are found by a single test: "
    + ", ".join(alone)
    + ".",
)

# %% [markdown]
# And does any of the tests cry wolf? A test that fails right work is worth nothing:

# %% tags=["experiment"]
false_alarms = [test for test, fails in norm_tests.found_by(norm_tests.right).items() if fails]
print(f"Tests that reject a right norm: {', '.join(false_alarms) or 'none'}.")

# %% [markdown]
# Read the plot by columns. A random row with weights of 1 is a weak test, because it is where most wrong versions agree
# with the right one. What finds the rest is chosen: weights that are not 1, rows that differ in size, few features,
# tiny numbers, zeros, large half-precision numbers, a gradient.
#
# In an interview, name these inputs before you are asked. The checks of this course are built of them.

# %% [markdown]
# ## Claimed against measured
#
# Answers that are often given in interviews, put to the test on your machine.

# %% tags=["experiment"]
x = torch.randn(64, 512, generator=torch.Generator().manual_seed(0), dtype=torch.float64) + 0.5
rms, layer = F.rms_norm(x, (512,), eps=1e-6), F.layer_norm(x, (512,), eps=1e-6)
shifted, scaled = F.rms_norm(x + 5, (512,), eps=1e-6), F.rms_norm(5 * x, (512,), eps=1e-6)
whole = torch.arange(1, 65505, dtype=torch.float16)
square_fits = whole[(whole * whole).isfinite()].max().item()
d, h, kv = 4096, 11008, 4096  # Llama-2-7B
share = 3 * d * h / (3 * d * h + 2 * d * d + 2 * d * kv)
says = [
    Claim(
        "RMSNorm gives what LayerNorm gives",
        "largest difference, mean of a row near 0.5",
        0,
        (rms - layer).abs().max().item(),
        margin=0.01,
    ),
    Claim(
        "RMSNorm ignores a shift of x",
        "largest change of y for x + 5",
        0,
        (shifted - rms).abs().max().item(),
        margin=0.01,
    ),
    Claim(
        "RMSNorm ignores a scale of x", "largest change of y for 5x", 0, (scaled - rms).abs().max().item(), margin=0.01
    ),
    Claim(
        "float16 reaches 65504, so x² is safe up to there", "largest whole x with a finite square", 65504, square_fits
    ),
    Claim(
        "bfloat16 overflows like float16",
        "largest bfloat16 number: digits before the point",
        5,
        len(f"{torch.finfo(torch.bfloat16).max:.0f}"),
    ),
    Claim(
        "SwiGLU at a width of 4d costs nothing",
        "parameters, against two matrices of that width",
        0,
        100 * (3 * 4 / (2 * 4) - 1),
        margin=1,
        unit=" %",
    ),
    Claim(
        "most of a block is attention",
        "attention's share of Llama-2-7B's matrices",
        50,
        100 * (1 - share),
        direction="at least",
        unit=" %",
    ),
]
ClaimTable(*says, who="It is said")

# %% [markdown]
# ### How to read it
#
# Only one of these holds. RMSNorm ignores a scale, and not a shift: that is why it is not LayerNorm, unless a row's
# mean is zero.
#
# A square needs twice the digits: 65504 is where $x$ overflows, and $x^2$ does so near its root. bfloat16 has
# the range of float32 and lacks digits instead, so "it overflows" is the wrong reason for norms in float32.
#
# The two about parameters are counted in a line. If you can count, do not guess.

# %% [markdown]
# ## Written answers
#
# Three answers, of the kind that an interviewer waits for: nobody helps you on. Write them without looking anything up, then
# compare with the lessons. Six to ten sentences each. A person marks them, one point for each item that your answer
# contains **and gives a reason for**. An item that is only named gets none.
#
# Learning without an instructor? Mark yourself by the lists, a day later, and then read `solutions/13_interview`.
# A class edition has no solutions.

# %% [markdown]
# ### First: at the whiteboard
#
# ●●● · 6 minutes · 5 points, given by a person
#
# "You know what a multi-layer perceptron is. Explain to me how one token travels through a modern decoder, from its id to
# the logits, so that I could draw it."
#
# One point each, if you
#
# 1. describe the residual stream as a sum: each sublayer reads it and adds to it, and say what the identity path is
#    good for;
# 2. place the norms: inside each branch, before the sublayer, and say why the stream itself stays without;
# 3. keep the two sublayers apart: attention moves information between tokens, the FFN works on each token by itself;
# 4. say what causality forbids, and how the mask brings it about;
# 5. end rightly: the final norm and the output head, and why pre-norm needs that norm.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_whiteboard", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# The id picks a row of the embedding table, and this vector starts the token's residual stream. Each sublayer reads the
# stream and adds its result, so the last state is the first plus all that was written: the sum leaves a path of
# derivative 1, by which a gradient reaches the first layer whatever the branches do. Each branch begins with an RMSNorm,
# which hands the sublayer rows of a fixed size. The stream itself meets no norm, or that path would be rescaled at
# every step. Attention comes first: it is the only part in which a token reads others. Then the FFN widens and narrows
# each token by itself. A token may read itself and earlier ones only, since the next token is what is to be predicted:
# scores of later ones are set to minus infinity before the softmax, so that their weights are zero and the rest sum to
# one. After the last block the stream has grown with every addition, and the final norm brings it to the size that the
# head expects. The head is a matrix to one number for each entry of the vocabulary.
#
# For whoever marks. Item 1: "helps the gradient" without the sum or the derivative of 1 is half an answer, no point.
# Item 3: "attention mixes" is enough if it says between tokens. Item 5: accept any reason that says that nothing else
# normalises what the last blocks have added.

# %% [markdown]
# ### Second: too good to be true
#
# ●●● · 6 minutes · 5 points, given by a person
#
# "Our new decoder trains beautifully: the loss falls far below what we know of models of that size. What it writes
# is rubbish. You have an afternoon. What do you do?"
#
# One point each, if you
#
# 1. name the leak as the first suspect, and say why just these two observations fit it;
# 2. describe the test that proves or excludes it without looking at the code;
# 3. name another cause that looks the same, and how you would tell the two apart;
# 4. go from the small to the large: parts alone against something trusted, with inputs that are chosen, not random;
# 5. say what you would leave behind, so that it cannot happen again.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_leak", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# In training the target stands in the input, one place to the right. A mask that is one too far lets the model copy it:
# that gives a loss nobody can reach by predicting, and nothing is learned for writing, where the next token is not
# there yet. The test needs no look inside: change token t + 1 and watch the output at t, which must not move, bit for bit;
# repeat for all t. A fault in writing alone looks the same from outside, for instance a cache with wrong positions: then
# the leak test passes, and a forward pass over the whole text differs from the same text fed in steps. Validation text
# that stands in the training set gives the low loss as well, but not the rubbish. I would first run the attention
# function alone, on one head and five tokens, against PyTorch's, then the module, then the block. Inputs are chosen to
# show mistakes: all sizes different, weights not 1, a long and a short sequence. In the end the leak test stays in the
# test suite, for any attention that is ever put in, and the parity of cached and whole passes with it.
#
# For whoever marks. Item 1 needs both halves: why the loss is low, and why the text is bad. Item 2: the words do not
# matter, but what is changed and what must stay still do. Item 3: overlap of training and test text, a cache, a wrong
# sampling loop or another tokenizer are all fine with a way to tell.

# %% [markdown]
# ### Third: what do we really know?
#
# ●●● · 6 minutes · 5 points, given by a person
#
# Here are five sentences from a design document. For each, say what kind of statement it is: it **follows** from a
# formula, it is **measured** (where, and how sure?), it is a **convention**, or it is **not so** as it stands.
#
# 1. "With three matrices, a hidden width of 8/3 of $d$ costs as much as 4 of $d$ with two."
# 2. "RMSNorm is faster than LayerNorm."
# 3. "SwiGLU is better than ReLU."
# 4. "Pre-norm makes warm-up unnecessary."
# 5. "The norm's eps is 1e-6."
#
# One point for each sentence that is put in a fitting class **with a reason**, such as a number of your own or a source.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_claims", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# The first follows: two matrices of width 4d hold 8d² numbers, three of width h hold 3dh, and they are equal at h = 8/3 d,
# up to the rounding that real models add. The second is measured, and depends on what is compared: it does less
# arithmetic, but both read and write the same bytes, so with fused kernels the difference on my machine was small; against
# a norm spelled out step by step it is another matter. The third is measured, in one paper on one kind of model, at equal
# parameters, and the paper offers no theory; on a laptop, with a few seeds, I could not tell them apart. The fourth is not
# so as it stands: one can train without, since gradients near the output are tame at the start, but large pre-norm models
# are trained with warm-up all the same. The fifth is a convention: models differ, and what matters is that the
# value of the checkpoint is used, and that it stands under the root.
#
# For whoever marks. Sentence 2: "follows" with the missing mean as its reason gets the point only if it says that fewer
# operations are not yet less time. Sentence 3: "measured" alone is no reason. Sentence 5: accept "not so" with the
# example of a model that has another eps.

# %% [markdown]
# ## Quick quiz
#
# Three questions that belong to no single lesson. They are not graded.

# %%
quiz("13_interview")

# %% [markdown]
# ## What to study next
#
# From your answers to the quiz, your checks in all lessons, and the bugs that you have met since this notebook was
# started: the lesson with most to mend first, where to read, and what that lesson cites. Run it again whenever you want
# to know.

# %% tags=["experiment"]
study_next()

# %% [markdown]
# ## Sources
#
# 1. A. Latimier, H. Peyre, F. Ramus: *A Meta-Analytic Review of the Benefit of Spacing out Retrieval Practice Episodes on
#    Retention*. Educational Psychology Review 33, 2021.
# 2. F. M. van der Kleij, R. C. W. Feskens, T. J. H. M. Eggen: *Effects of Feedback in a Computer-Based Learning
#    Environment on Students' Learning Outcomes: A Meta-Analysis*. Review of Educational Research 85, 2015.
# 3. B. Zhang, R. Sennrich: *Root Mean Square Layer Normalization*. 2019,
#    **[arXiv:1910.07467](https://arxiv.org/abs/1910.07467)**. The formula of the experiment.
# 4. H. Touvron and others: *Llama 2*. 2023, **[arXiv:2307.09288](https://arxiv.org/abs/2307.09288)**. The sizes in the table.
#
# This is the end of the core path. The electives that you have left out are on the page above, under "Not begun yet".
