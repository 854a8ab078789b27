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
# # The residual stream: layers that add
#
# **Goal.** You write the loop at the heart of every transformer: each layer reads a stream and adds to it.
# Then you work out how the end of the stream depends on its beginning, and measure what the `+` is worth.
#
# **Core path · 40 minutes · difficulty 2 of 3 · 15 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: the stream | 5 | ●○○ | 6 |
# | Exercise 2: its Jacobian | 10 | ●●● | 7 |
# | Exercise 3: the size of what is added | 3 | ●○○ | 2 |
# | Three experiments | 8 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need PyTorch tensors, matrix products and the chain rule. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.streams import curve, ffn_branches, rms, tanh_layers, travel
from lessons.support.threads import one_thread
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("residual_stream")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried,
# `from grader import reveal; reveal("residual_stream")` shows a solution and explains it.
# A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [5].
# It compares a transformer to a line of 32 people who pass a page along, one person for each layer.
#
# **Without a shortcut**, each person reads the page, throws it away and writes a new one.
# After 32 rewrites, who can say what the first one was?
#
# **With a shortcut**, each person reads the page and adds a remark to it. The first line is still there at the end.
# The page is called the *residual stream*. Layers read from it and add to it. They never replace it.
#
# The note calls the stream a highway: an express lane that runs past all layers.

# %% [markdown]
# ### What the note gets right
#
# - Every layer adds: $x + f(x)$. This holds for the transformer of 2017 and for those of today [1, 2].
# - It gives two forms of the same thing: the lane itself, and its derivative $I + \sum_l \partial f_l/\partial x_0$.
#   That formula is exact.
# - Without the lane, gradients can vanish. You will see some that do, thoroughly.

# %% [markdown]
# ### What the note leaves out
#
# - Without the lane, gradients do not have to vanish. They can explode as well.
# - An open lane says nothing about the size of what travels on it: the formula bounds nothing. What the layers add
#   can swamp the lane, or block it.
# - Each layer "just adds subtle refinements", says the note. They do not come by themselves: somebody has to make the
#   layers small at first.
# - The note concludes that warm-up is no longer needed. That is another question: lessons 05 and 06 try it.
#
# You will put the first three to the test on your own machine.

# %% [markdown]
# ## The mathematics
#
# Call the input $x_0$. Layer $l$ reads the state $x_{l-1}$ and adds to it:
#
# $$x_l = x_{l-1} + f_l(x_{l-1}), \qquad l = 1, \dots, L$$
#
# Unroll it, and the end is the beginning plus everything that was written:
#
# $$x_L = x_0 + \sum_{l=1}^{L} f_l(x_{l-1})$$
#
# A sum needs equal shapes. So every layer has to return what it was given: $d$ numbers in, $d$ numbers out.

# %% [markdown]
# ### How the end depends on the beginning
#
# Let $J_l$ be the Jacobian of $f_l$ at the state it reads. A small change $v$ of $x_{l-1}$ becomes $v + J_l v$: one
# step is the matrix $I + J_l$. Steps follow one another, so their matrices multiply. The first step acts first, so it
# stands on the right:
#
# $$\frac{\partial x_L}{\partial x_0} = (I + J_L)\,(I + J_{L-1}) \cdots (I + J_1)$$
#
# Now differentiate the unrolled sum instead. That is the note's form:
#
# $$\frac{\partial x_L}{\partial x_0} = I + \sum_{l=1}^{L} \frac{\partial f_l(x_{l-1})}{\partial x_0}$$
#
# Both are the same matrix. But look at the last derivative: it is by $x_0$, not by $x_{l-1}$.
# Layer $l$ sees $x_0$ through all layers before it.

# %% [markdown]
# ### An example to do by hand
#
# Take one feature, so that every Jacobian is a number. Let $x_0 = 2$, $f_1(x) = x/2$ and $f_2(x) = x^2$.
#
# Work out on paper: the states $x_1$ and $x_2$; then $\partial x_2/\partial x_0$, once as a product and once as a sum.
# Then run the next cell.

# %% tags=["experiment"]
x0 = torch.tensor(2.0)
first, second = (lambda x: x / 2), (lambda x: x * x)
x1, x2 = travel(x0, [first, second], skip=True)[1:]
slope_1, slope_2 = torch.func.grad(first)(x0), torch.func.grad(second)(x1)
print(f"States: {x0:g}, {x1:g}, {x2:g}")
print(f"Product: (1 + {slope_2:g}) · (1 + {slope_1:g}) = {(1 + slope_2) * (1 + slope_1):g}")
print(f"Sum: 1 + {slope_1:g} + {slope_2:g} · {1 + slope_1:g} = {1 + slope_1 + slope_2 * (1 + slope_1):g}")

# %% [markdown]
# Did you get another number for the sum? Then you may have added the second layer's own slope.
# The second layer reads $x_1$, and $x_1$ moves 1.5 times as fast as $x_0$.

# %% [markdown]
# ### How large the stream becomes
#
# Before training, what the layers write is random. Random contributions do not add up like lengths on a line.
# Their **variances** add.
#
# So $N$ contributions, each with standard deviation $s$, together have standard deviation $s\sqrt{N}$.
# The stream grows. GPT-2 made the contributions smaller by $1/\sqrt{N}$ at the start, where $N$ is the number of
# residual layers [3].

# %% [markdown]
# ## Exercise 1: the stream
#
# ●○○ · 5 minutes · 6 points
#
# Write `residual_stream(x, layers)`. It returns **all** states, $x_0$ to $x_L$, as one tensor.
#
# - `x` has any shape. `layers` is a list of $L$ callables, and each returns a tensor of the shape it is given.
# - The result has the shape `[L + 1, *x.shape]` and the dtype of `x`. Its first entry is `x` itself.
# - The list may be empty. Then there is one state.
# - Leave `x` as it was. Gradients have to flow through the result, to `x` and into the layers.
# - The experiments below use a given `travel`. It is forbidden here; anything else is allowed.
#
# Hints: `hint("residual_stream")`.


# %% nbgrader={"grade": false, "grade_id": "residual_stream", "locked": false, "schema_version": 3, "solution": true, "task": false}
def residual_stream(x, layers):
    """All states of a residual stream: the input, and the state after each layer has added to it.

    x: [...]; layers: list of L callables [...] -> [...].
    Returns [L + 1, *x.shape].
    """
    ### BEGIN SOLUTION
    stream = [x]
    for layer in layers:
        stream.append(stream[-1] + layer(stream[-1]))
    return torch.stack(stream)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_residual_stream", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("residual_stream")
### BEGIN HIDDEN TESTS
check("residual_stream", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: its Jacobian
#
# ●●● · 10 minutes · 7 points
#
# Write `stream_jacobian(x, layers)`. It returns $J = \partial x_L / \partial x_0$.
#
# - `x` is one vector of $d$ numbers. `layers` is a list of callables from $d$ to $d$ numbers. It may be empty.
# - The result has the shape `[d, d]` and the dtype of `x`. `J[i, j]` says how output $i$ answers to input $j$.
# - Any exact way is right: the product, the sum, or one derivative of the whole. Nothing is forbidden.
#   A difference quotient is not exact.
# - Do not call your `residual_stream`. Then this exercise stands on its own.

# %% [markdown]
# ### A tool
#
# `torch.func.jacrev(f)` makes a function that computes the Jacobian of `f`. Here it is for a layer whose Jacobian
# you know: $f(x) = A x$ has the Jacobian $A$ everywhere.

# %% tags=["experiment"]
A = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
torch.func.jacrev(lambda x: A @ x)(torch.tensor([5.0, 6.0]))

# %% [markdown]
# **Test yourself:** with two layers $f_1(x) = Ax$ and $f_2(x) = Bx$ your result is $(I + B)(I + A)$.
#
# Hints: `hint("stream_jacobian")`.


# %% nbgrader={"grade": false, "grade_id": "stream_jacobian", "locked": false, "schema_version": 3, "solution": true, "task": false}
def stream_jacobian(x, layers):
    """How the last state of a residual stream answers to the first.

    x: [d]; layers: list of L callables [d] -> [d].
    Returns [d, d]: row i is the gradient of the last state's feature i.
    """
    ### BEGIN SOLUTION
    J = torch.eye(len(x), dtype=x.dtype)
    for layer in layers:
        J = J + torch.func.jacrev(layer)(x) @ J
        x = x + layer(x)
    return J
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_stream_jacobian", "locked": true, "points": 7, "schema_version": 3, "solution": false, "task": false}
check("stream_jacobian")
### BEGIN HIDDEN TESTS
check("stream_jacobian", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: the size of what is added
#
# ●○○ · 3 minutes · 2 points
#
# In GPT-2 a block writes to the stream **twice**: once from attention, once from the feed-forward network. Each has a
# last matrix, the projection that writes. All matrices are drawn with the standard deviation `std`, but these two
# with a smaller one.
#
# Write `residual_init_std(std, n_blocks)`. It returns that smaller standard deviation, as a Python float.
# With it, the contributions of all `n_blocks` blocks **together** have the variance that a **single** one has with
# `std`.
#
# Hints: `hint("residual_init_std")`.


# %% nbgrader={"grade": false, "grade_id": "residual_init_std", "locked": false, "schema_version": 3, "solution": true, "task": false}
def residual_init_std(std, n_blocks):
    """The standard deviation that GPT-2 draws a block's two writing projections with.

    std: that of all other matrices; n_blocks: how many blocks the model has, at least 1.
    Returns a float.
    """
    ### BEGIN SOLUTION
    return std / math.sqrt(2 * n_blocks)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_residual_init_std", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("residual_init_std")
### BEGIN HIDDEN TESTS
check("residual_init_std", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: what is the `+` worth?
#
# A sceptical engineer asks: could I not do without the skip, if I only start with the right weights?
#
# We send a random gradient back through 32 layers $\tanh(Wx)$, once with `x +` around each layer and once without.
# The matrix $W$ is drawn with standard deviation $g/\sqrt{d}$. The *gain* $g$ says how strong a layer is: a small input
# comes out about $g$ times as large.
#
# At each state we note the gradient's norm, as a multiple of what entered at the end. 1 means: arrived as it was sent.
#
# The experiments use given layers. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
depth, seeds = 32, range(5)
width, tokens = (1024, 256) if device.type == "cuda" else (128, 32)


@one_thread()
def arriving(gain, skip):
    """The gradient's norm at each state, over that at the last one: [seeds, depth + 1]."""
    runs = []
    for seed in seeds:
        torch.manual_seed(seed)
        layers = tanh_layers(depth, width, gain, device=device)
        x = torch.randn(tokens, width, device=device, requires_grad=True)
        states = travel(x, layers, skip)
        sent = torch.randn(tokens, width, device=device)
        gradients = torch.autograd.grad(states[-1], states, sent)
        runs.append(torch.stack([g.norm() for g in gradients]) / sent.norm())
    return torch.stack(runs).cpu()


gains = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
without, with_skip = ({g: arriving(g, skip) for g in gains} for skip in (False, True))


def at_the_start(measured, gain):
    return measured[gain][:, 0].median().item()


for g in gains:
    plain, lane = at_the_start(without, g), at_the_start(with_skip, g)
    print(f"gain {g:<5g} arrives at x₀: without {plain:8.3g}, with x + {lane:8.3g}")

# %% [markdown]
# First layer by layer, for a weak, a middling and a strong layer. The line is the median of five seeds, and a band
# spans all five. Where you see no band, the seeds agree.

# %% tags=["experiment"]
shown = {0.5: (plots.RMS, "o"), 1.0: (plots.THIRD, "s"), 2.0: (plots.LAYER, "^")}
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
for ax, measured, title in zip(panels, (without, with_skip), ("without x +", "with x +"), strict=True):
    for g, (colour, marker) in shown.items():
        middle = curve(ax, range(depth + 1), measured[g], colour, marker, every=4)
        if ax is panels[0]:
            plots.label(ax, 0, middle[0], f"gain {g:g}", colour, shift=(12, 6 if g > 1 else -13))
    ax.axhline(1, color=plots.FLOOR, linewidth=1)
    ax.set(title=title, xlabel="state l (the gradient enters at 32)", ylabel="gradient norm, relative")
    ax.set(yscale="log", ylim=(3e-12, 3e3))
plots.label(panels[1], 0, 1e-2, "the same three gains:\n0.5 below, 1, and 2 above")
weak, strong = at_the_start(without, 0.5), at_the_start(without, 2.0)
plots.show(
    figure,
    f"Without the skip gradients fall to {weak:.0e} of what was sent or grow {strong:.0f}-fold; with it they only grow",
    "Read from right to left. Without x +, the gradient that reaches the first state is "
    f"{weak:.0e} of what was sent for gain 0.5, {at_the_start(without, 1.0):.2f} for gain 1 "
    f"and {strong:.0f} times it for gain 2. "
    f"With x + it is {at_the_start(with_skip, 0.5):.1f}, {at_the_start(with_skip, 1.0):.1f} and "
    f"{at_the_start(with_skip, 2.0):.0f} times it.",
)

# %% [markdown]
# Then the first state alone, for all gains.

# %% tags=["experiment"]
figure, ax = plots.new_axes()
for measured, name, colour, marker, height in (
    (without, "without x +", plots.LAYER, "s", -12),
    (with_skip, "with x +", plots.RMS, "o", 8),
):
    middle = curve(ax, gains, torch.stack([measured[g][:, 0] for g in gains], dim=1), colour, marker)
    plots.label(ax, gains[1], middle[1], name, colour, shift=(8, height))
ax.axhline(1, color=plots.FLOOR, linewidth=1)
ax.set(yscale="log", xlabel="gain of a layer", ylabel="gradient norm at x₀, relative")


def span(measured):
    """The powers of ten between the weakest and the strongest gain."""
    return math.log10(at_the_start(measured, gains[-1]) / at_the_start(measured, gains[0]))


lane = [at_the_start(with_skip, g) for g in gains]
plots.show(
    figure,
    f"Between gains {gains[0]:g} and {gains[-1]:g} the gradient at x₀ changes by {span(without):.0f} powers of ten "
    f"without the skip, by {span(with_skip):.1f} with it",
    "Without the skip, only gains a little above 1 let the gradient arrive at about the size it was sent. "
    f"With it, the gradient arrives at every gain tried: {lane[0]:.1f} to {lane[-1]:.0f} times what was sent.",
)

# %% [markdown]
# So the sceptic has a point: at the right gain a plain stack passes its gradient on. But the window is narrow, and
# nothing keeps the weights inside it once they are trained.
#
# With the skip nothing vanishes, at any gain. Yet look at the strong layers: the gradient **grows**.
# The lane protects from silence. It does not protect from noise.

# %% [markdown]
# ## Experiment 2: is the note's formula right, and what does it promise?
#
# A sceptical engineer asks: $I + \sum_l \partial f_l/\partial x_0$ has an $I$ in it. So the derivative cannot be small?
#
# First the formula. We compute the product, the note's sum, and a sum that is easy to mistake for it: the layers' own
# Jacobians, $I + \sum_l J_l$. All in float64, for 32 layers.

# %% tags=["experiment"]
features = 24
exact = {"dtype": torch.float64, "device": device}
eye = torch.eye(features, **exact)


@one_thread()
def three_forms(gain, seed):
    """The Jacobian of a stream as a product, as the note's sum, and as the sum of the layers' own Jacobians."""
    torch.manual_seed(seed)
    layers, x = tanh_layers(depth, features, gain, **exact), torch.randn(features, **exact)
    own = [torch.func.jacrev(f)(s) for f, s in zip(layers, travel(x, layers, skip=True), strict=False)]
    product = eye
    for step in own:
        product = (eye + step) @ product

    def written(start):  # what each layer writes, as a function of the first state: [depth, features]
        return torch.stack(travel(start, layers, skip=True)).diff(dim=0)

    return product, eye + torch.func.jacrev(written)(x).sum(0), eye + sum(own)


def miss(a, b):
    return ((a - b).norm() / b.norm()).item()


strengths = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
forms = {g: [three_forms(g, seed) for seed in seeds] for g in strengths}
note_misses, own_misses = (
    torch.tensor([[miss(forms[g][seed][i], forms[g][seed][0]) for g in strengths] for seed in seeds]) for i in (1, 2)
)
for i, g in enumerate(strengths):
    print(f"gain {g:<6g} the note's sum misses by {note_misses[:, i].max():.0e}, ", end="")
    print(f"the sum of own Jacobians by {own_misses[:, i].median():.2%}")

# %% tags=["experiment"]
figure, ax = plots.new_axes()
for runs, name, colour, marker in (
    (own_misses, "I + sum of the layers' own Jacobians", plots.LAYER, "s"),
    (note_misses, "the note's sum, derivatives by x₀", plots.RMS, "o"),
):
    middle = curve(ax, strengths, runs, colour, marker)
    plots.label(ax, strengths[1], middle[1], name, colour, shift=(6, -20))
ax.set(xscale="log", yscale="log", ylim=(1e-18, 30), xlabel="gain of a layer", ylabel="difference to the product")
largest = own_misses.median(0).values[-1].item()
plots.show(
    figure,
    "The note's sum equals the product. With each layer's own Jacobian "
    f"it misses by {own_misses.median(0).values[3]:.0%} at gain {strengths[3]:g}",
    f"The note's sum differs from the product by at most {note_misses.max():.0e}, which is rounding. The sum of own "
    f"Jacobians is close only while layers are weak: at gain {strengths[-1]:g} it misses by {largest:.0%}.",
)

# %% [markdown]
# The formula is exact. But each term of its sum holds everything that happened before that layer.
# So the terms are not small corrections: they can be anything, also $-I$.
#
# ### A lane that is blocked
#
# Take layers that erase what they read: $f(x) = -a\,x$. It is an odd choice, but the formula holds for it too.

# %% tags=["experiment"]
v = torch.randn(features, **exact)
for a in (0.1, 0.5, 0.9, 1.0):
    erasing = [lambda x, a=a: -a * x] * depth
    J = torch.func.jacrev(lambda start, layers=erasing: travel(start, layers, skip=True)[-1])(v)
    print(f"f(x) = -{a} x, {depth} layers: the largest singular value is {torch.linalg.matrix_norm(J, 2):.1e}")

# %% [markdown]
# So the $I$ promises nothing by itself. What makes the lane safe in practice is that layers start **small** and
# unrelated to what they read. That is the next question.

# %% [markdown]
# ## Experiment 3: how large does the stream become?
#
# A sceptical engineer asks: if 64 layers all add, does the stream not overflow?
#
# We send random tokens of root mean square 1 through 32 blocks. A block writes twice, so that makes 64 branches. Each
# first brings what it reads to root mean square 1 (lesson 03 explains that norm), then widens it, bends it and narrows
# it again, as a feed-forward network does.
#
# Two usual ways to draw the matrices: all with 0.02, as GPT-2 does [3], or with $1/\sqrt{\text{inputs}}$. Each once as
# it is, and once with the writing matrices smaller by $1/\sqrt{N}$, $N = 64$.

# %% tags=["experiment"]
blocks, stream_seeds = 32, range(3)
branches = 2 * blocks
stream_width = 1024 if device.type == "cuda" else 256
ways = {
    "all with 0.02": (0.02, 0.02),
    "with 1/√inputs": (stream_width**-0.5, (4 * stream_width) ** -0.5),
}


@one_thread()
def sizes(std_in, std_out, seed):
    """Root mean square of every state, and of what the first and the last branch write."""
    torch.manual_seed(seed)
    layers = ffn_branches(branches, stream_width, std_in, std_out, device)
    states = travel(torch.randn(64, stream_width, device=device), layers, skip=True)
    return [rms(s) for s in states], rms(states[1] - states[0]), rms(states[-1] - states[-2])


streams, first_written, last_written = {}, {}, {}
for name, (std_in, std_out) in ways.items():
    for scaled, factor in ((False, 1.0), (True, branches**-0.5)):
        print(f"{name}{', scaled' * scaled} ...", flush=True)
        runs = [sizes(std_in, std_out * factor, seed) for seed in stream_seeds]
        streams[name, scaled] = torch.tensor([run[0] for run in runs])
        first_written[name, scaled] = sum(run[1] for run in runs) / len(runs)
        last_written[name, scaled] = sum(run[2] for run in runs) / len(runs)

# %% [markdown]
# If contributions of size $s$ are independent, the stream's size after $N$ of them is $\sqrt{1 + N s^2}$.
# The dashed lines show that, with $s$ taken from the first branch alone.

# %% tags=["experiment"]
steps = torch.arange(branches + 1)
figure, panels = plots.new_axes(panels=2, height=4.0, share_y=True)
for ax, name in zip(panels, ways, strict=True):
    for scaled, colour, marker in ((False, plots.LAYER, "s"), (True, plots.RMS, "o")):
        plots.formula(ax, steps, (1 + steps * first_written[name, scaled] ** 2).sqrt())
        middle = curve(ax, steps, streams[name, scaled], colour, marker, every=8)
        text = "scaled by 1/√N" if scaled else "as it is"
        plots.label(ax, branches, middle[-1], text, colour, shift=(0, -16 if scaled else 8), ha="right")
    ax.set(title=name, xlabel="branches added", ylabel="root mean square of the stream")
panels[0].set_ylim(0, 6)


def final(name, scaled):
    return streams[name, scaled][:, -1].median().item()


gpt, usual = ways
plots.show(
    figure,
    f"{branches} branches make the stream {final(usual, False):.1f} times as large with 1/√inputs, "
    f"{final(gpt, False):.1f} times with 0.02; scaled, {final(usual, True):.1f} and {final(gpt, True):.2f} times",
    f"Lines are medians of {len(stream_seeds)} seeds, dashed lines the formula √(1 + N s²). The stream grows like a "
    f"root: {branches} branches of size {first_written[usual, False]:.2f} bring it from 1 to "
    f"{final(usual, False):.1f}. Scaled by 1/√N they leave it near 1.",
)

# %% [markdown]
# So there is no overflow: independent contributions grow the stream like $\sqrt{N}$. How much that is depends on how
# the matrices are drawn.
#
# A larger stream has a price. Every branch writes about the same amount, so late branches add less and less
# **relative to** the stream. Lesson 05 comes back to this.

# %% tags=["experiment"]
for (name, scaled), wrote in last_written.items():
    start, end = first_written[name, scaled], wrote / streams[name, scaled][:, -1].median().item()
    print(f"{name + ', scaled' * scaled:24} the first branch adds {start:6.1%} of the stream, the last {end:6.1%}")

# %% [markdown]
# ### Is 0.02 small?
#
# That depends on the width: a wide matrix adds up more products than a narrow one. GPT-2's smallest model has
# width 768, its largest 1600 [3]. How much does the first branch add there, with the same 0.02?

# %% tags=["experiment"]
for wide in (256, 768, 1600):
    torch.manual_seed(0)
    (branch,) = ffn_branches(1, wide, 0.02, 0.02, device)
    x = torch.randn(64, wide, device=device)
    print(f"all with 0.02, width {wide:4}: the first branch adds {rms(branch(x)) / rms(x):4.0%} of the stream")

# %% [markdown]
# So 0.02 is no small number by itself. In a wide model a branch adds a large part of the stream, and there the factor
# $1/\sqrt{N}$ counts.

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured. We set the bars beforehand:
#
# - *vanished* means that at most 1 % of the gradient arrives;
# - *exploded* means that it grows more than tenfold;
# - *subtle* means that a branch adds at most 10 % of the stream's size.

# %% tags=["experiment"]
vanish = partial(Claim, "without a shortcut gradients vanish", claimed=1, direction="at most", unit=" %")
explode = partial(Claim, "the identity path avoids gradient explosion", claimed=10, direction="at most", unit=" ×")
subtle = partial(Claim, "each layer just adds subtle refinements", claimed=10, direction="at most", unit=" %")
ClaimTable(
    *(
        vanish(f"gradient at x₀ without x +, gain {g:g}", measured=100 * at_the_start(without, g))
        for g in (0.5, 1.0, 2.0)
    ),
    Claim(
        "an unbroken lane straight to layer 1",
        "gradient at x₀ with x +, at its weakest gain",
        claimed=1,
        measured=min(lane),
        direction="at least",
        unit=" ×",
    ),
    *(explode(f"gradient at x₀ with x +, gain {g:g}", measured=at_the_start(with_skip, g)) for g in (0.5, 2.0)),
    Claim(
        "∂x_L/∂x₀ = I + Σ ∂f_l/∂x₀",
        "difference to the product, at the worst of all gains and seeds",
        claimed=1e-12,
        measured=note_misses.max().item(),
        direction="at most",
    ),
    *(
        subtle(f"first branch, {usual}{', scaled' * scaled}", measured=100 * first_written[usual, scaled])
        for scaled in (False, True)
    ),
)

# %% [markdown]
# ### How to read it
#
# **Vanish** is what weak layers do. Strong ones explode. Without the skip you have to hit the window between.
#
# **Unbroken** holds at every gain we tried: these layers are random, and what they add rarely points against the
# stream. It is no law, as the erasing layers showed.
#
# **Explosion** is not ruled out by the $I$. Strong layers make the product grow with depth.
#
# **Subtle** is a choice. It holds if you make it so, at the start, with a scale like $1/\sqrt{N}$.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "With residual connections the gradient is $I$ plus something. So it can neither vanish nor explode,
# and the initialisation no longer matters." Answer in three to six sentences.
#
# One point each, if you
#
# 1. say what is right: the formula is exact, and the skip gives the gradient a way around every layer;
# 2. explain why the $I$ alone bounds nothing: the terms of the sum can be large, or cancel it;
# 3. support this with a number from your own run, for a gradient that grows although there is a skip;
# 4. say what the initialisation does to the stream's size, with $\sqrt{N}$ or $1/\sqrt{N}$;
# 5. compare with the stack without the skip, fairly: when it works and when not.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_highway", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# The formula is exact, and the skip is worth a lot: it gives the gradient a way around every layer, so with random
# layers it arrived at the first state at every gain I tried. But the identity is only one term. The others hold all
# earlier layers and can be of any size: with gain 2 the gradient grew more than a hundredfold over 32 layers in spite
# of the skip, and layers that compute $-x$ cancel the identity and let nothing through. So the initialisation does
# matter. Independent contributions make the stream grow like $\sqrt{N}$, and GPT-2 draws the matrices that write to it
# smaller by $1/\sqrt{N}$ so that it keeps its size at any depth. Without the skip a stack can work too, but only in a
# narrow window of gains: at 0.5 the gradient had vanished, at 2 it had exploded.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("01_residual_stream")

# %% [markdown]
# ## Sources
#
# 1. K. He, X. Zhang, S. Ren, J. Sun: *Identity Mappings in Deep Residual Networks*. ECCV 2016,
#    [arXiv:1603.05027](https://arxiv.org/abs/1603.05027). The unrolled sum and its derivative.
# 2. A. Vaswani et al.: *Attention Is All You Need*. NeurIPS 2017,
#    [arXiv:1706.03762](https://arxiv.org/abs/1706.03762). A residual connection around each sub-layer.
# 3. A. Radford et al.: *Language Models are Unsupervised Multitask Learners*. OpenAI 2019. Section 2.3: residual layers
#    scaled by $1/\sqrt{N}$ at initialisation. The 0.02 stands in the published model's configuration.
# 4. N. Elhage et al.: [*A Mathematical Framework for Transformer
#    Circuits*](https://transformer-circuits.pub/2021/framework/index.html). Anthropic 2021. The stream that layers read
#    from and write to.
# 5. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 2
#    and "In Simple English".
#
# Next: lesson 03 (core) is the norm in front of every branch. Lesson 02 (elective) is the one it came from.
