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
# # Where to put the norm
#
# **Goal.** You write the arrangements that models have used since 2017: post-norm, pre-norm and the sandwich.
# Then you build a block and a whole stack, and measure what each arrangement does to gradients and to the stream.
#
# **Core path · 45 minutes · difficulty 2 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 9 | – | – |
# | Exercise 1: post-norm | 3 | ●○○ | 3 |
# | Exercise 2: pre-norm | 3 | ●○○ | 3 |
# | Exercise 3: the sandwich | 3 | ●○○ | 3 |
# | Exercise 4: the block | 4 | ●●○ | 5 |
# | Exercise 5: the stack | 6 | ●●○ | 6 |
# | Three experiments | 9 | – | – |
# | Written answer and quiz | 8 | ●●○ | 5 |
#
# You need Python functions and the chain rule. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial
from itertools import product

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.logs import plain_log
from lessons.support.placement import INITS, PLACES, look, unit_norm
from lessons.support.progress import progress
from lessons.support.streams import curve
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("post_norm")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("post_norm")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [5].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# The page is the **residual stream**.
#
# A norm sets the size of the writing to a standard. The question of this lesson is: whose writing, and when?
#
# - **Post-norm**, 2017. After adding a remark, each person copies the whole page anew, at standard size.
#   The oldest writing is copied 32 times.
# - **Pre-norm**, today. Nobody copies the page. Each person reads it through a lens that shows it at standard size.
# - **Sandwich.** As pre-norm, and each remark is also written at standard size before it goes on the page.

# %% [markdown]
# ### What the note gets right
#
# - Both formulas are exact, and so is the history: from post-norm to pre-norm.
# - Pre-norm leaves an unobstructed path. With silent layers the page comes out as it went in.
# - Keeping what a layer reads at a standard size is what the norm is for.
#
# ### What the note leaves out
#
# - Post-norm has a highway as well, its $x + f(x)$. The difference is a norm **at every addition**.
# - The note gives one reason, "early gradient explosion". Whether post-norm's gradients are the larger ones depends
#   on how the weights start. You will see both cases.
# - Only what a layer **reads** has standard size. Pre-norm's page itself keeps growing, so it needs one more norm
#   at its end. The note does not mention that final norm.
# - Pre-norm does not "completely eliminate" warm-up. It makes training without it **possible** [1]. Large models warm up
#   all the same: Llama 3 405B did so for 8,000 steps [2]. Lesson 06 tries it.

# %% [markdown]
# ## The mathematics
#
# Let $f$ be a sublayer, attention or feed-forward network, and $n$ a norm. One step of the stream is
#
# $$\text{post-norm:}\quad x \leftarrow n\big(x + f(x)\big)$$
#
# $$\text{pre-norm:}\quad x \leftarrow x + f\big(n(x)\big)$$
#
# $$\text{sandwich:}\quad x \leftarrow x + n_\text{out}\Big(f\big(n_\text{in}(x)\big)\Big)$$
#
# In the last two the norms stand **inside the branch**, and $x$ itself meets no norm.

# %% [markdown]
# ### A test that needs no computer
#
# Let the sublayer be silent: $f = 0$. Then pre-norm gives $x \leftarrow x$, the identity. Post-norm gives
# $x \leftarrow n(x)$. What does the sandwich give?
#
# Now 32 silent steps in a row, with a norm that brings rows to size 1. They start with size 3.
# (*Size* means root mean square in this lesson.)

# %% tags=["experiment"]
torch.manual_seed(0)
start = 3 * unit_norm(torch.randn(8, 64))
changed = {}
for name, step in PLACES.items():
    x = start
    for _ in range(32):
        x = step(x, torch.zeros_like)
    changed[name] = ((x - start).norm() / start.norm()).item()
    print(f"{name:9} changes the page by {changed[name]:.0%} of its size")

# %% [markdown]
# Post-norm brings the page from size 3 to size 1: a change of two thirds. It does so in the first step.
# Pre-norm and the sandwich hand on the page as it came: with a silent sublayer, a norm inside the branch has nothing
# to work on.

# %% [markdown]
# ### A block, and a stack
#
# A transformer block has two sublayers, each with its own norm. In pre-norm:
#
# $$h = x + \mathrm{attn}\big(n_1(x)\big), \qquad y = h + \mathrm{ffn}\big(n_2(h)\big)$$
#
# A stack of $L$ pre-norm steps ends with one more norm, the **final norm**:
#
# $$x_{l+1} = x_l + f_l\big(n_l(x_l)\big), \qquad y = n_\text{final}(x_L)$$
#
# In post-norm every step ends with a norm already. Nothing is missing there.

# %% [markdown]
# ### The way back
#
# A gradient that travels back through a norm is divided by $r$, the root mean square of what the norm had read.
# (Lesson 03 derives it. One direction is blocked, all others are scaled by $1/r$.)
#
# - **Post-norm:** the gradient meets a norm at every step. Each divides by the size of $x + f(x)$.
# - **Pre-norm:** the highway meets **one** norm, the final one. It divides by the size $r_L$ that the stream has
#   reached at its end. So the last block's gradient should behave like $1/r_L$.
#
# That is a prediction. Experiment 2 tries it.

# %% [markdown]
# ## Exercise 1: post-norm
#
# ●○○ · 3 minutes · 3 points
#
# Write `post_norm(x, sublayer, norm)`: one step of the 2017 arrangement.
#
# - `x` has shape `[..., d]`. `sublayer` and `norm` are functions that keep the shape: call them.
# - Return a new tensor with the shape and dtype of `x`. Leave `x` as it was.
# - Gradients have to reach `x`, the sublayer and the norm.
#
# All five exercises follow these rules. Hints: `hint("post_norm")`.


# %% nbgrader={"grade": false, "grade_id": "post_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def post_norm(x, sublayer, norm):
    """One post-norm step. x: [..., d]; sublayer, norm: [..., d] -> [..., d]. Returns [..., d]."""
    ### BEGIN SOLUTION
    return norm(x + sublayer(x))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_post_norm", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("post_norm")
### BEGIN HIDDEN TESTS
check("post_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: pre-norm
#
# ●○○ · 3 minutes · 3 points
#
# Write `pre_norm(x, sublayer, norm)`: one step of today's arrangement.
#
# **Test yourself:** with a sublayer that returns zeros, the result is `x`, exactly.
#
# Hints: `hint("pre_norm")`.


# %% nbgrader={"grade": false, "grade_id": "pre_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pre_norm(x, sublayer, norm):
    """One pre-norm step. x: [..., d]; sublayer, norm: [..., d] -> [..., d]. Returns [..., d]."""
    ### BEGIN SOLUTION
    return x + sublayer(norm(x))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_pre_norm", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("pre_norm")
### BEGIN HIDDEN TESTS
check("pre_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: the sandwich
#
# ●○○ · 3 minutes · 3 points
#
# Write `sandwich_norm(x, sublayer, norm_in, norm_out)`: Gemma 2's step, with a norm on each side of the sublayer.
# Both norms stand inside the branch.
#
# Hints: `hint("sandwich_norm")`.


# %% nbgrader={"grade": false, "grade_id": "sandwich_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sandwich_norm(x, sublayer, norm_in, norm_out):
    """One sandwich step. x: [..., d]; the others: functions [..., d] -> [..., d]. Returns [..., d]."""
    ### BEGIN SOLUTION
    return x + norm_out(sublayer(norm_in(x)))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_sandwich_norm", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("sandwich_norm")
### BEGIN HIDDEN TESTS
check("sandwich_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4: the block
#
# ●●○ · 4 minutes · 5 points
#
# Write `pre_norm_block(x, attn, ffn, attn_norm, ffn_norm)`: two pre-norm steps, attention first.
# Write it out, without calling your `pre_norm`: then this exercise stands on its own.
#
# Ask yourself which page the second step reads, and which page it adds to.
#
# Hints: `hint("pre_norm_block")`.


# %% nbgrader={"grade": false, "grade_id": "pre_norm_block", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pre_norm_block(x, attn, ffn, attn_norm, ffn_norm):
    """A pre-norm transformer block: attention, then the FFN.

    x: [..., d]; the others: functions [..., d] -> [..., d]. Returns [..., d].
    """
    ### BEGIN SOLUTION
    h = x + attn(attn_norm(x))
    return h + ffn(ffn_norm(h))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_pre_norm_block", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("pre_norm_block")
### BEGIN HIDDEN TESTS
check("pre_norm_block", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5: the stack
#
# ●●○ · 6 minutes · 6 points
#
# Write `pre_norm_stack(x, sublayers, norms, final_norm)`: all steps, one after the other, and the final norm.
#
# - `sublayers` and `norms` are lists of the same length. Step $l$ uses `sublayers[l]` and `norms[l]`.
#   Leave the lists as they are.
# - The lists may be empty. What is left to do then?
#
# Hints: `hint("pre_norm_stack")`.


# %% nbgrader={"grade": false, "grade_id": "pre_norm_stack", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pre_norm_stack(x, sublayers, norms, final_norm):
    """Pre-norm steps in a row, then the final norm.

    x: [..., d]; sublayers, norms: lists of functions [..., d] -> [..., d], equally long, perhaps empty;
    final_norm: such a function. Returns [..., d].
    """
    ### BEGIN SOLUTION
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = x + sublayer(norm(x))
    return final_norm(x)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_pre_norm_stack", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("pre_norm_stack")
### BEGIN HIDDEN TESTS
check("pre_norm_stack", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: whose gradients are larger?
#
# A sceptical engineer asks: is post-norm really the one whose gradients explode?
#
# You build small transformers, 6 to 32 blocks deep, and do **not** train them. One batch goes forward, one loss comes
# back. For each block you look at one number: the norm of the gradient of the second matrix in its feed-forward
# network. Xiong et al. looked at the same matrix [1].
#
# Everything is tried with two common ways to start the weights:
#
# - **Xavier**: a matrix from $n_\text{in}$ to $n_\text{out}$ features has variance $2/(n_\text{in} + n_\text{out})$. Embeddings
#   have standard deviation 1, PyTorch's default.
# - **N(0, 0.02)**: all matrices and the embeddings have standard deviation 0.02, as in GPT-2.
#
# Networks with the same seed have the same weights and the same tokens. Only their norms stand elsewhere.
# The experiments use given arrangements. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
width = 128 if device.type == "cuda" else 64
depths, seeds = (6, 12, 24, 32), range(5)
looks = {}
for init, place, depth in progress(list(product(INITS, PLACES, depths)), "initialising"):
    looks[init, place, depth] = [look(place, depth, init, seed, device, width) for seed in seeds]


def by_seed(init, place, depth, what):
    """One row a seed: gradients, stream, or a number made of a look."""
    return torch.stack([torch.as_tensor(what(one)) for one in looks[init, place, depth]])


STYLE = {"post": (plots.LAYER, "s"), "pre": (plots.RMS, "o"), "sandwich": (plots.THIRD, "^")}

# %% [markdown]
# ### Block by block
#
# First a look along one network: 24 blocks.

# %% tags=["experiment"]
depth = 24
blocks = torch.arange(1, depth + 1)
figure, panels = plots.new_axes(panels=2, height=4.2)
falls = {}
for ax, init in zip(panels, INITS, strict=True):
    for place in PLACES:
        runs = by_seed(init, place, depth, lambda one: one.gradients)
        middle = curve(ax, blocks, runs, *STYLE[place], every=4)
        falls[init, place] = (middle[0] / middle[-1]).item()
        plots.label(ax, depth, middle[-1], place, STYLE[place][0], va="center")
    plain_log(ax, "y")
    ax.set(title=init, xlabel="block", ylabel="norm of its gradient", xlim=(0, depth * 1.28))


def change(before_over_after):
    """A factor in words: falls 4.4×, rises 1.4×, stays."""
    times = max(before_over_after, 1 / before_over_after)
    return "stays" if times < 1.05 else f"{'falls' if before_over_after > 1 else 'rises'} {times:.1f}×"


def changes(place):
    return " and ".join(f"{change(falls[init, place])} ({init})" for init in INITS)


plots.show(
    figure,
    f"Along {depth} blocks pre-norm's gradient {changes('pre')}; post-norm's {changes('post')}",
    f"Lines are the middle one of {len(seeds)} seeds, bands span all of them. From the first block "
    f"to the last the gradient {changes('pre')} in pre-norm, {changes('sandwich')} in the sandwich, "
    f"{changes('post')} in post-norm.",
)

# %% [markdown]
# ### Deeper and deeper
#
# Now only the **last** block, while the network gets deeper. It is the one the note's "explosion" is about: at
# initialisation, theory expects post-norm's gradients to be large near the output [1].

# %% tags=["experiment"]
last = lambda one: one.gradients[-1]
figure, panels = plots.new_axes(panels=2, height=4.2)
middles, ratio = {}, {}
for ax, init in zip(panels, INITS, strict=True):
    for place in PLACES:
        runs = torch.stack([by_seed(init, place, depth, last) for depth in depths], dim=1)
        middles[init, place] = curve(ax, depths, runs, *STYLE[place])
        plots.label(ax, depths[-1], middles[init, place][-1], place, STYLE[place][0], va="center")
    plain_log(ax, "y")
    ax.set(title=init, xlabel="number of blocks", ylabel="norm of the last block's gradient")
    ax.set(xlim=(4, 43), xticks=depths)
    ratio[init] = (middles[init, "post"] / middles[init, "pre"])[-1].item()
summary = [f"{ratio[init]:.2g}× pre-norm's with {init}" for init in INITS]
shrink = {init: (middles[init, "pre"][0] / middles[init, "pre"][-1]).item() for init in INITS}
plots.show(
    figure,
    f"At {depths[-1]} blocks post-norm's last gradient is {', but '.join(summary)}",
    f"Lines are the middle one of {len(seeds)} seeds, bands span all of them. "
    f"From {depths[0]} to {depths[-1]} blocks pre-norm's last gradient shrinks by a factor of "
    f"{' and '.join(f'{times:.1f} ({init})' for init, times in shrink.items())}. "
    f"Post-norm's is {', but '.join(summary)}.",
)

# %% [markdown]
# So neither "explodes" here, and none vanishes. Which one is larger is decided by how the weights start. A plot with one
# initialisation only would have told you half of it.
#
# Theory has the same shape [1]: with Xavier's initialisation the last block's gradient is of order
# $d\sqrt{\ln d}$ in post-norm, whatever the depth, and of order $d\sqrt{\ln d / L}$ in pre-norm.

# %% [markdown]
# ## Experiment 2: why?
#
# A sceptical engineer asks: is there a reason, or is it just noise from small networks?
#
# "The way back" predicts: the last block's gradient behaves like $1/r$, where $r$ is the size of what enters the last norm.
# In pre-norm that is the whole stream. In post-norm it is the last $x + f(x)$. So plot one against the other, for
# all depths and seeds.

# %% tags=["experiment"]
figure, panels = plots.new_axes(panels=2, height=4.0)
spread = {}
for ax, init in zip(panels, INITS, strict=True):
    products = []
    for place in ("post", "pre"):
        seen = [one for depth in depths for one in looks[init, place, depth]]
        r, gradient = torch.tensor([one.last for one in seen]), torch.stack([last(one) for one in seen])
        products.append(r * gradient)
        colour, marker = STYLE[place]
        plots.points(ax, r, gradient, colour, marker)
        right = r.argmax()
        plots.label(ax, r[right], gradient[right], place, colour, shift=(8, 10))
    constant = torch.cat(products).median()
    spread[init] = (torch.cat(products) / constant - 1).abs().max().item()
    size = torch.linspace(*torch.tensor(ax.get_xlim()).clamp(min=0.08), 50)
    plots.formula(ax, size, constant / size)
    plain_log(ax, "x", "y")
    ax.set(title=init, xlabel="r: size of what enters the last norm")
    ax.set_ylabel("norm of the last block's gradient")
    ax.margins(x=0.15)
worst = max(spread.values())
plots.show(
    figure,
    f"Gradient times r is the same for post-norm and pre-norm, within {worst:.0%}",
    f"Each dot is one network, {len(depths)} depths times {len(seeds)} seeds for each arrangement. "
    f"The dashed line is a constant over r. All networks of a panel lie within {worst:.0%} of it: "
    "one line serves both arrangements.",
)

# %% [markdown]
# So there is no magic in either place. A norm divides the gradient by the size of what it reads:
#
# - With Xavier, pre-norm's stream has grown far beyond 1. Its gradients are divided by more.
# - With N(0, 0.02) the stream starts at 0.02 and is still small at the end. Dividing by a number below 1 **enlarges**.
#
# The sandwich is not in the plot: its last branch ends in a norm of its own, which scales the gradient once more.

# %% [markdown]
# ## Experiment 3: how large does the page get?
#
# A sceptical engineer asks: if nobody normalises pre-norm's stream, what keeps it in bounds?
#
# Nothing does. Every branch adds to it. GPT-2 starts the matrices that write to the stream smaller by
# $\sqrt{2L}$ for $L$ blocks [3]. Here is the stream's root mean square along 32 blocks, with and without that.

# %% tags=["experiment"]
depth = depths[-1]
look_scaled = partial(look, "pre", depth, device=device, width=width, scaled=True)
scaled = {init: torch.stack([look_scaled(init, seed).stream for seed in seeds]) for init in INITS}
states = torch.arange(depth + 1)
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
size = {}
for ax, init in zip(panels, INITS, strict=True):
    for place in PLACES:
        runs = by_seed(init, place, depth, lambda one: one.stream)
        middle = curve(ax, states, runs, *STYLE[place], every=4)
        size[init, place] = middle[-1].item()
        plots.label(ax, depth, middle[-1], place, STYLE[place][0], va="center")
    middle = scaled[init].median(0).values
    ax.plot(states, middle, "--", color=plots.RMS, linewidth=1.5)
    plots.label(ax, depth // 2, middle[depth // 2], "pre, scaled", plots.RMS, shift=(0, 9))
    plain_log(ax, "y")
    ax.set(title=init, xlabel="blocks passed", ylabel="root mean square of the stream")
    ax.set_xlim(0, depth * 1.3)
grown = by_seed("Xavier", "pre", depth, lambda one: one.stream[-1] / one.stream[-2] - 1).median().item()
plots.show(
    figure,
    f"After {depth} blocks with Xavier, pre-norm's stream has size {size['Xavier', 'pre']:.1f}, "
    f"the sandwich's {size['Xavier', 'sandwich']:.1f}, post-norm's {size['Xavier', 'post']:.1f}",
    "Post-norm's stream has size 1 after every block. Pre-norm's grows to "
    f"{size['Xavier', 'pre']:.1f} (Xavier) and to {size['N(0, 0.02)', 'pre']:.2f} (N(0, 0.02)). "
    f"The sandwich's grows to about {size['Xavier', 'sandwich']:.0f} with either: "
    "each branch adds rows of size 1. Scaled by √(2L), pre-norm's ends at "
    f"{scaled['Xavier'][:, -1].median():.2f} and {scaled['N(0, 0.02)'][:, -1].median():.3f}. "
    f"The last block makes the page only {grown:.1%} larger (Xavier).",
)

# %% [markdown]
# Here is pre-norm's price. The page grows, each remark keeps its size, and so late remarks change the page less and less.
# Deep blocks come closer to doing nothing.
#
# And here is why the final norm is needed. Without it the output head would read a page whose size depends on the depth
# and on the initialisation. That is what the last line of exercise 5 is for.

# %% [markdown]
# ## Who uses what?
#
# "All frontier models use pre-norm RMSNorm" is nearly right. The model code says [4]:
#
# | where the norms stand | models |
# |---|---|
# | in the stream, after the addition (post-norm) | the 2017 transformer, BERT |
# | before the sublayer (pre-norm) | GPT-2, Llama 2 and 3, Mistral, Qwen2.5 and Qwen3, DeepSeek-V3, gpt-oss, Gemma 1 |
# | on both sides (sandwich) | Gemma 2 and 3, GLM-4 |
# | on the branch's output only, $x + n(f(x))$ | OLMo 2 |
#
# What all of today's have in common: the stream itself meets no norm until the end.

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured.

# %% tags=["experiment"]
highway = partial(Claim, "an unobstructed identity path", claimed=0, margin=0.01)
explosion = partial(Claim, "pre-norm avoids early gradient explosion", claimed=1, margin=0.2, unit="×")
radius = partial(Claim, "numbers well-behaved (~radius 1.0)", claimed=1, margin=0.05)
read = unit_norm(start).square().mean().sqrt().item()
over_pre, grows = "post-norm's last gradient over pre-norm's", f"pre-norm's stream after {depth} blocks"
ClaimTable(
    highway("pre-norm: change of x by 32 silent layers", measured=changed["pre"]),
    highway("post-norm: the same", measured=changed["post"]),
    *(explosion(f"{init}: {over_pre}", measured=ratio[init], direction="more than") for init in INITS),
    radius("root mean square of what a branch reads", measured=read),
    *(radius(f"{init}: {grows}", measured=size[init, "pre"]) for init in INITS),
)

# %% [markdown]
# ### How to read it
#
# **The path** is there, in pre-norm. It is the strongest of the note's points, and needs no measurement.
#
# **The explosion** is half true. With Xavier's weights post-norm's last gradient is the larger one, and pre-norm's shrinks with
# depth. With GPT-2's weights it is the other way round. What matters is the size of what the last norm reads.
#
# **The radius** is that of what a layer reads. The stream has any size.
#
# All of this is the first step of training, on small networks with random tokens. Whether a network *trains* is another
# question. Lesson 06 puts it.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "Post-norm has no highway, so its gradients blow up. With pre-norm the gradients are fine,
# and we can drop the warm-up and the final norm." Answer in three to six sentences.
#
# One point each, if you
#
# 1. say what really differs: both have a skip, but post-norm has a norm at every addition;
# 2. compare the last block's gradients with a number from your own run, for **both** initialisations;
# 3. explain the numbers by the size of what a norm reads;
# 4. keep apart "can train without warm-up" and "needs none";
# 5. say what the final norm is for, or what pre-norm's growing stream costs.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_placement", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# Both arrangements add the branch to x; post-norm then normalises the sum, so its highway meets a norm at every step.
# At 32 blocks its last gradient was about five times pre-norm's with Xavier's weights, but only about a quarter of it with
# N(0, 0.02), so "blows up" depends on the start. A norm divides the gradient by the size of what it reads: pre-norm's
# stream had grown to almost 6 in the first case and only to 0.25 in the second. Pre-norm makes training without
# warm-up possible, but large models such as Llama 3 405B still use it, so I would test before dropping it. The final
# norm has to stay: nothing else sets the size of the stream, which grows with depth, and the output head would read it
# as it is. The growth has a price, too: late blocks change the stream less and less.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("05_norm_placement")

# %% [markdown]
# ## Sources
#
# 1. R. Xiong et al.: *On Layer Normalization in the Transformer Architecture*. ICML 2020,
#    [arXiv:2002.04745](https://arxiv.org/abs/2002.04745). Gradients at initialisation, and warm-up.
# 2. A. Grattafiori et al.: *The Llama 3 Herd of Models*. 2024,
#    [arXiv:2407.21783](https://arxiv.org/abs/2407.21783). Section 3.4.1: warm-up of 8,000 steps.
# 3. A. Radford et al.: *Language Models are Unsupervised Multitask Learners*. 2019. GPT-2: section 2.3, pre-norm, the
#    final norm, and the scaling by $1/\sqrt{N}$ with $N$ residual layers.
# 4. Hugging Face: the model code in [transformers](https://github.com/huggingface/transformers/tree/main/src/transformers/models).
#    A. Vaswani et al.: *Attention Is All You Need*, 2017, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762), for post-norm.
# 5. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, sections 1 and 2,
#    and "In Simple English".
#
# Next: lesson 06 (elective) trains these arrangements with and without warm-up. Lesson 07 (core) opens the feed-forward network.
