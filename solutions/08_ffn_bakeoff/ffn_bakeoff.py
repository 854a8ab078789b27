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
# # The FFN bake-off: is SwiGLU better?
#
# **Goal.** You count what a feed-forward network costs. Then you let six of them compete at equal cost, and find out
# what an experiment of your size can show, and what it cannot.
#
# **Elective · 33 minutes · difficulty 2 of 3 · 10 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 7 | – | – |
# | Exercise 1: parameters | 5 | ●○○ | 6 |
# | Exercise 2: operations | 4 | ●○○ | 4 |
# | The bake-off | 10 | – | – |
# | Written answer and quiz | 7 | ●●○ | 5 |
#
# You need to know what a feed-forward network is. Lesson 07 explains the gated one; you can do without.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from dataclasses import asdict
from functools import partial
from math import exp

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from grader import check, hint
from lessons.support import plots
from lessons.support.bakeoff import LARGE, SMALL, bake, large_run
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.ffns import VARIANTS
from lessons.support.paired import between
from lessons.support.progress import progress
from lessons.support.text import standard_library
from lessons.support.threads import one_thread
from lessons.support.tiny_lm import parameters
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("ffn_params")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("ffn_params")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [4].
# It says that the gated switch "consistently" outperforms ReLU and GELU, by about 1-2 %. How would you find out?
#
# A bake-off: same oven, same flour, same time, six recipes. Two things can spoil it:
#
# - **One cake is larger.** A network with more parameters has an advantage that has nothing to do with its recipe.
#   So count first.
# - **Luck.** The same recipe baked twice gives two cakes. If recipes differ less than two cakes of one recipe,
#   you have learned nothing about the recipes. So bake each several times.

# %% [markdown]
# ### What the note gets right
#
# - The comparison has to be made "at the same compute budget". That is the fair question, and $\frac{8}{3}d$ answers it.
# - In Shazeer's experiment every gated variant beats every plain one [1].
#
# ### What the note leaves out
#
# - "1-2 % better accuracy per FLOP": Shazeer reports perplexity, about 4 % lower at equal cost. It is not accuracy.
# - "Consistently": not everywhere. The log of nanochat reports ReLU² ahead of SwiGLU [2].
# - How large an experiment has to be before such a difference shows at all.

# %% [markdown]
# ## The mathematics
#
# ### What a network costs
#
# A plain network is $\mathrm{act}(x W_{\text{up}})\, W_{\text{down}}$: two matrices.
# A gated one is $\bigl(\mathrm{act}(x W_{\text{gate}}) \odot (x W_{\text{up}})\bigr) W_{\text{down}}$: three.
# Each matrix leads between the width $d$ of a token and the hidden width $h$. A bias, where there is one, is added
# to what a layer puts out.
#
# One token through one matrix takes $d \cdot h$ multiply-adds. By convention each counts as **2** operations, a product
# and a sum. Activations and element-wise products are so few beside these that they are left out.

# %% [markdown]
# ### What an experiment can show
#
# Train variants $A$ and $B$ with the same seed: the same batches in the same order, and the same first weights outside
# the FFN. Whatever these do to both alike drops out of the **difference** for each seed,
# $\delta_1, \dots, \delta_n$. Its mean is the result, and its standard deviation $s$ tells how far luck reaches:
#
# $$\bar\delta \pm t\,\frac{s}{\sqrt n}$$
#
# This is the 95 % confidence interval. The factor $t$ is Student's, for $n - 1$ degrees of freedom: 3.18 for four seeds,
# and closer to 2 the more there are. If the interval contains 0, you cannot tell $A$ from $B$. Half of its
# width is the **smallest detectable difference** of your experiment. Read it as the least you can hope for: an effect
# of just this size is missed about every second time.

# %% [markdown]
# ## Exercise 1: parameters
#
# ●○○ · 5 minutes · 6 points
#
# Write `ffn_params(dim, hidden_dim, gated, bias=False)`: how many numbers a feed-forward network trains.
#
# - `gated` is `True` for three matrices, `False` for two.
# - With `bias=True` **every** layer has a bias. Mind how long each one is.
# - `hidden_dim` is the hidden width as it is. Nothing is cut to two thirds in here.
# - Return an `int`.
#
# Hints: `hint("ffn_params")`.


# %% nbgrader={"grade": false, "grade_id": "ffn_params", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ffn_params(dim, hidden_dim, gated, bias=False):
    """The number of parameters of a feed-forward network, an int."""
    ### BEGIN SOLUTION
    widening = 2 if gated else 1  # layers from dim to hidden_dim; one more leads back
    matrices = (widening + 1) * dim * hidden_dim
    return matrices + (widening * hidden_dim + dim if bias else 0)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_ffn_params", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("ffn_params")
### BEGIN HIDDEN TESTS
check("ffn_params", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: operations
#
# ●○○ · 4 minutes · 4 points
#
# Write `ffn_flops(tokens, dim, hidden_dim, gated)`: the floating-point operations of one forward pass.
#
# - Count the matrix products only. A multiply-add counts 2.
# - The layers have no biases.
# - Return an `int`.
#
# Hints: `hint("ffn_flops")`.


# %% nbgrader={"grade": false, "grade_id": "ffn_flops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ffn_flops(tokens, dim, hidden_dim, gated):
    """The operations of a forward pass over `tokens` tokens, an int: matrix products only."""
    ### BEGIN SOLUTION
    products = 3 if gated else 2
    return 2 * tokens * dim * hidden_dim * products
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_ffn_flops", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("ffn_flops")
### BEGIN HIDDEN TESTS
check("ffn_flops", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## The bake-off, step 1: is it fair?
#
# Six recipes compete. Three are plain, with $h = 4d$: **ReLU**, **GELU** and **ReLU²**, the square of ReLU.
# Three are gated, with $h = \frac{8}{3}d$: **bilinear** has no activation on the gate, **GEGLU** has GELU there, **SwiGLU**
# has SiLU.
#
# They are given, so that this part works whether or not you have solved the exercises. Count them in real modules:

# %% tags=["experiment"]
device = choose_device()
size = LARGE if device.type == "cuda" else SMALL
tokens = torch.zeros(1, size.dim)
cost = {}
for name, make in VARIANTS.items():
    ffn = make(size.dim)
    with FlopCounterMode(display=False) as counter:
        ffn(tokens)
    cost[name] = parameters(ffn), counter.get_total_flops()
    print(f"{name:10}{cost[name][0]:8,} parameters{cost[name][1]:9,} operations a token")
print("All equal:", len(set(cost.values())) == 1)

# %% [markdown]
# Without biases, operations are twice the parameters, token by token. So equal parameters are equal operations:
# the "same compute budget" of the note.
#
# Equal operations are not equal **time**. A gated network has one more element-wise step. Lesson 12 measures that.

# %% [markdown]
# ## Step 2: say beforehand what counts
#
# Whoever looks first and decides afterwards will always find a winner. So decide now:
#
# - Every variant is trained with the same seeds, steps and learning rate.
# - The result is the loss on files that were never trained on, in nats a character.
# - Each variant is compared with ReLU, seed by seed. It is **lower** or **higher** if the 95 % interval of the difference
#   leaves out 0. Otherwise it is **not distinguishable**.
#
# Write down your guess: which of the five will be distinguishable from ReLU?

# %% [markdown]
# ## Step 3: bake
#
# Small language models learn the source code of Python's standard library, character by character, from your own disk.
# Their attention is given; lesson 09 explains it. This cell takes a minute or two. It prints how large the models are
# and how they are trained, for you to compare with a larger run later.

# %% tags=["experiment"]
seeds = range(4)
text = standard_library()
bar = partial(progress, what=f"{len(VARIANTS)} variants, {len(seeds)} seeds")
with one_thread():  # so small a model gains nothing from a second one
    here = bake(size, seeds, text, device, bar)


def described(fields):
    return ", ".join(f"{key} {value:g}" for key, value in fields.items())


print(f"Size: {described(asdict(size))}; {len(seeds)} seeds.")

# %% tags=["experiment"]
plain_names = ("ReLU", "GELU", "ReLU²")
baseline = "ReLU"
others = [name for name in VARIANTS if name != baseline]


def colour_of(name):
    return plots.LAYER if name in plain_names else plots.RMS


def marker_of(name):
    return "s" if name in plain_names else "o"


spread = max(here[baseline]) - min(here[baseline])
means = {name: sum(losses) / len(losses) for name, losses in here.items()}
distance = max(means.values()) - min(means.values())
figure, ax = plots.new_axes(height=3.6)
for seed in seeds:
    of_seed = [losses[seed] for losses in here.values()]
    ax.plot(range(len(here)), of_seed, color=plots.FLOOR, linewidth=0.8)
for place, (name, losses) in enumerate(here.items()):
    plots.points(ax, [place] * len(losses), losses, colour_of(name), marker_of(name))
ax.set_xticks(range(len(here)), here)
ax.set(xlabel="variant (squares plain, circles gated)", ylabel="held-out loss, nats a character")
plots.show(
    figure,
    f"The seed alone moves ReLU by {spread:.3f} nats; all {len(means)} means lie within {distance:.3f}",
    "Each mark is one trained model, and each line joins those of one seed. As far as the lines run in "
    "parallel, the seed moves all variants alike, and pairing takes that out. "
    "Where they cross, it cannot.",
)

# %% [markdown]
# ## Step 4: what can be told apart?
#
# Now the differences. Each dot is a mean over seeds, and each bar its 95 % interval.

# %% tags=["experiment"]


def differences(ax, outcomes):
    """Draws each variant's difference to ReLU with its interval; returns the differences by name."""
    found = {name: between(outcomes, name, baseline) for name in others}
    for place, (name, difference) in enumerate(reversed(found.items())):
        ends = [difference.mean - difference.detectable, difference.mean + difference.detectable]
        ax.plot(ends, [place, place], color=colour_of(name), linewidth=2)
        plots.points(ax, [difference.mean], [place], colour_of(name), marker_of(name))
        plots.label(ax, max(ends), place, difference.verdict, va="center")
    ax.axvline(0, color=plots.INK, linewidth=1)
    ax.set_yticks(range(len(others)), others[::-1])
    low, high = ax.get_xlim()
    ax.set_xlim(low, high + 0.45 * (high - low))
    return found


def outcome(found):
    """In words: which variants differ from ReLU."""
    if not any(difference.real for difference in found.values()):
        return f"none of {len(found)} variants can be told from it"
    parts = [
        f"{', '.join(names)} {word}"
        for word in ("lower", "higher", "not distinguishable")
        if (names := [name for name, difference in found.items() if difference.verdict == word])
    ]
    return "; ".join(parts)


figure, ax = plots.new_axes(height=3.2)
found = differences(ax, here)
ax.set(xlabel="loss minus ReLU's, nats a character", ylabel="variant")
smallest = found["SwiGLU"].detectable
plots.show(
    figure,
    f"Against ReLU, {len(seeds)} seeds: {outcome(found)}",
    f"For SwiGLU the smallest detectable difference is {smallest:.3f} nats; its mean difference is "
    f"{found['SwiGLU'].mean:+.3f}.",
)

# %% [markdown]
# "Not distinguishable" does not say that two variants are equal. It says that this experiment is too small to tell.
#
# Nor does "lower" end the matter. Five comparisons at 95 % each raise a false alarm in up to
# $1 - 0.95^5 \approx 23\,\%$ of all bake-offs in which nothing differs. And all variants got the same learning rate:
# another one might suit another variant.

# %% [markdown]
# ## Step 5: a larger run
#
# To halve the smallest detectable difference you need about four times as many seeds. To see whether the effect itself
# grows, you need larger models. So a larger run was made once, by a script in this course, and its outcomes are kept as data.
# You can make it again: the command is printed below.

# %% tags=["experiment"]
large = large_run()
made, outcomes = large["made"], large["outcomes"]
n_large = len(outcomes[baseline])
print(f"Made by: {made['command']}")
print(f"Took {made['minutes']:g} minutes ({made['processor_minutes']:g} of processor time).")
print(f"Machine: {made['machine']}.")
print(f"With Python {made['versions']['python']} and torch {made['versions']['torch']}.")
print(f"Text: {made['text']}.")
print(f"Size: {described(large['size'])}; {n_large} seeds.")
if large["size"] == asdict(size):
    print("Your own run has the same size, since you have a GPU: here it is a second opinion.")

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.2)
found_large = differences(ax, outcomes)
ax.set(xlabel="loss minus ReLU's, nats a character", ylabel="variant")
plots.show(
    figure,
    f"The larger run, {n_large} seeds: {outcome(found_large)}",
    f"For SwiGLU the smallest detectable difference is {found_large['SwiGLU'].detectable:.3f} nats; "
    f"its mean difference is {found_large['SwiGLU'].mean:+.3f}.",
)

# %% [markdown]
# ## Step 6: Shazeer's table
#
# Shazeer trained far larger models of another kind, on other text, for 524,288 steps. His held-out log-perplexity is in
# nats a **word piece**, not a character [1]. A word piece is several characters long, so a difference of 0.04 a word piece
# is a good deal less a character. ReLU² is not in that table, and this column gives no spread.

# %% tags=["experiment"]
shazeer = {"ReLU": 1.677, "GELU": 1.679, "bilinear": 1.648, "GEGLU": 1.633, "SwiGLU": 1.636}
runs = {
    "your run": {name: difference.mean for name, difference in found.items()},
    "the larger run": {name: difference.mean for name, difference in found_large.items()},
    "Shazeer": {name: loss - shazeer[baseline] for name, loss in shazeer.items() if name in others},
}
figure, panels = plots.new_axes(panels=3, height=3.4, share_y=True)
for ax, (run, means) in zip(panels, runs.items(), strict=True):
    for name, mean in means.items():
        plots.points(ax, [mean], [others[::-1].index(name)], colour_of(name), marker_of(name))
    ax.axvline(0, color=plots.INK, linewidth=1)
    unit = "word piece" if run == "Shazeer" else "character"
    ax.set(title=run, xlabel=f"loss minus ReLU's,\nnats a {unit}", ylabel="variant")
panels[0].set_yticks(range(len(others)), others[::-1])
below = {run: f"{sum(m < 0 for m in means.values())} of {len(means)}" for run, means in runs.items()}
lowest = {run: min(runs["Shazeer"], key=means.get) for run, means in runs.items()}
plots.show(
    figure,
    f"Lowest of Shazeer's variants: {lowest['your run']} in your run, {lowest['the larger run']} in the "
    f"larger one, {lowest['Shazeer']} in his",
    f"Of the variants compared with ReLU, {below['your run']} have a lower mean in your run, "
    f"{below['the larger run']} in the larger run, and {below['Shazeer']} in Shazeer's table. "
    "Means only: the intervals are in the plots above.",
)

# %% [markdown]
# ## Claimed against measured
#
# A gain counts as "more than 0" only if it beats the smallest detectable difference, which is given in brackets.
# For Shazeer's table there is none to give. Nats are a character, where nothing else is said.

# %% tags=["experiment"]
BETTER = "consistently outperforming standard ReLU or GELU"
more = partial(Claim, claimed=0, direction="more than")


def gain(run, outcomes, other, words=BETTER):
    """How much lower SwiGLU's loss is than the other's, against what the run can detect."""
    found = between(outcomes, "SwiGLU", other)
    compared = f"{run}: {other}'s loss minus SwiGLU's"
    return more(words, compared, measured=-found.mean, margin=found.detectable, unit=" nats")


def his_gain(other):
    compared = f"Shazeer: {other}'s loss minus SwiGLU's"
    return more(BETTER, compared, measured=shazeer[other] - shazeer["SwiGLU"], unit=" nats a word piece")


perplexity = 100 * (1 - exp(shazeer["SwiGLU"] - shazeer["ReLU"]))
ClaimTable(
    *(gain("your run", here, other) for other in ("ReLU", "GELU")),
    *(gain("larger run", outcomes, other) for other in ("ReLU", "GELU")),
    *(his_gain(other) for other in ("ReLU", "GELU")),
    gain("larger run", outcomes, "ReLU²", "SwiGLU is the best"),
    Claim(
        "~1-2 % better accuracy per FLOP",
        "Shazeer: perplexity lower than ReLU's, at equal operations",
        (1, 2),
        perplexity,
        margin=0.2,
        unit=" %",
    ),
)

# %% [markdown]
# ### How to read it
#
# **"Not here" is not a refutation.** Where a row of a run says so, the run could not show the gain. Compare the number in
# brackets with Shazeer's gain, and remember the units: could this run have seen an effect of that size?
#
# **"Holds here" is not the end either.** Where a row of a run says so, remember step 4: several comparisons, one learning
# rate, small models.
#
# **Shazeer's table** shows a gain of every gated variant, at a size that you cannot repeat. It is good evidence, from
# one kind of model. Large models adopted the gate. It is not a law: nanochat's author tried SwiGLU and kept ReLU² [2].
#
# **"1-2 % better accuracy per FLOP"** mixes up three things: perplexity, accuracy and cost. At equal cost, the perplexity
# was lower by the percentage in the last row.

# %% [markdown]
# ## Written answer
#
# ●●○ · 5 minutes · 5 points, given by a person
#
# A colleague says: "I trained a small ReLU model and a small SwiGLU model, both with width 4·d. SwiGLU's loss was 0.01
# lower. So SwiGLU is better, as everyone knows." Answer in three to six sentences.
#
# One point each, if you
#
# 1. find the unfair advantage, with the count of parameters;
# 2. say what one seed can show, with the spread or the smallest detectable difference of your own run;
# 3. say how to compare: equal parameters, several seeds, differences for each seed, decided beforehand;
# 4. set Shazeer's evidence beside it, in its own unit and with its size;
# 5. draw a conclusion that claims no more than the evidence.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_bakeoff", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# With width $4d$ the SwiGLU model has $12d^2$ parameters in each FFN and the ReLU model $8d^2$, so it is half as large
# again and its advantage says nothing about the gate. Nor can one seed show 0.01 nats: in my run the smallest detectable
# difference of four paired seeds was several times as large, and so was the spread of one variant over the seeds. I would give
# SwiGLU the width $\frac{8}{3}d$, train both with the same five or more seeds, and look at the difference for each seed,
# with the rule for deciding fixed beforehand. Shazeer found 0.041 nats a word piece at equal cost, on models far larger
# than ours, about 4 % lower perplexity; that is good evidence for the gate at that scale. So: SwiGLU is a sensible
# default, and your run neither confirms nor contradicts it.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("08_ffn_bakeoff")

# %% [markdown]
# ## Sources
#
# 1. N. Shazeer: *GLU Variants Improve Transformer*. 2020, [arXiv:2002.05202](https://arxiv.org/abs/2002.05202). Table 1.
# 2. A. Karpathy: [nanochat](https://github.com/karpathy/nanochat), its log of experiments. ReLU² kept, SwiGLU tried.
# 3. D. R. So and others: *Primer: Searching for Efficient Transformers for Language Modeling*. 2021,
#    [arXiv:2109.08668](https://arxiv.org/abs/2109.08668). Where ReLU² comes from.
# 4. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 3,
#    and "In Simple English".
#
# Next: lesson 09 (core) builds the attention that these models were given.
