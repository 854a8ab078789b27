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
# # RMSNorm: one number per token
#
# **Goal.** You write RMSNorm three times: as a function, as a module, and as its own backward pass.
# Then you measure what it costs, and what leaving out the mean really changes.
#
# **Core path · 40 minutes · difficulty 2 of 3 · 20 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: the function | 5 | ●○○ | 6 |
# | Exercise 2: the module | 4 | ●○○ | 4 |
# | Exercise 3: the backward pass | 10 | ●●● | 10 |
# | Three experiments | 7 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need PyTorch tensors, broadcasting and the chain rule. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.norms import given_layer_norm, given_rms_norm
from lessons.support.timing import busy, compared, compile_or_reason, faster_by, time_calls
from lessons.support.traffic import bytes_moved
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom (Shift+Enter). Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("rms_norm")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("rms_norm")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [4].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# The writing on the page grows.
#
# RMSNorm is a magnifying glass that each person holds over the page before reading.
# It is set so that the writing always appears the same size.
# The glass enlarges or shrinks the whole page at once. The page itself is not rewritten.
#
# LayerNorm uses the same glass, but first slides the page until its middle is under the lens.
# RMSNorm saves itself the sliding.

# %% [markdown]
# ### What the note gets right
#
# - The formula is exact, with $\epsilon$ inside the root.
# - RMSNorm keeps LayerNorm's scaling and drops its centring. That is the whole difference, apart from a bias.
# - It keeps the numbers well-behaved: after it, a token's size no longer depends on how large the token was.
# - Its source is right: Zhang and Sennrich, 2019. They suggest that centring can go, and report
#   comparable quality without it [1].

# %% [markdown]
# ### What the note leaves out
#
# - "Radius 1.0" is true of the root mean square, not of the vector's length.
# - "15-30 % faster" is true of some comparisons only. The paper itself reports 7 % to 64 % across models [1].
# - "Extra memory reads and writes" for centring depend on how the norm is run.
#
# You will put all three to the test on your own machine.

# %% [markdown]
# ## The mathematics
#
# Take one token, a row $x$ of $d$ numbers. One number says how large it is:
#
# $$r = \sqrt{\frac{1}{d}\sum_{i=1}^{d} x_i^2 + \epsilon}$$
#
# Divide the row by it, and give every feature a learned scale $w_i$:
#
# $$u = \frac{x}{r}, \qquad y = w \odot u$$
#
# The note writes $\gamma$ for $w$. In code it is called `weight`, as in PyTorch.

# %% [markdown]
# ### An example to do by hand
#
# Take $x = (3, 4)$, $w = (1, 1)$ and $\epsilon = 0$.
# The mean of the squares is $(9 + 16)/2 = 12.5$, so $r = \sqrt{12.5}$.
# Work out $y$ and its length on paper. Then run the next cell.

# %% tags=["experiment"]
y = given_rms_norm(torch.tensor([3.0, 4.0]), weight=torch.ones(2), eps=0.0)
print(f"y = ({y[0]:.4f}, {y[1]:.4f})")
print(f"root mean square {y.square().mean().sqrt():.4f}, length {y.norm():.4f}")
print(f"√d = {2**0.5:.4f}")

# %% [markdown]
# So "radius 1" means: root mean square 1. The length is $\sqrt{d}$.

# %% [markdown]
# ### What it ignores
#
# Make $x$ twice as large. Then $r$ doubles too, and with $\epsilon = 0$ the output stays the same.
# RMSNorm ignores **scale**.
#
# Add 5 to every number. Then $r$ changes in its own way, and the output changes.
# RMSNorm does not ignore a **shift**. LayerNorm ignores both.

# %% [markdown]
# ### What ε is for
#
# A row of zeros has root mean square 0, and $0/0$ is not a number. With $\epsilon$ inside the root, $r$ is never
# smaller than $\sqrt{\epsilon}$, and zeros give zeros.
#
# For ordinary rows $\epsilon$ is too small to matter. For tiny rows it decides everything, so its place counts.

# %% [markdown]
# ### The way back
#
# You need this for exercise 3 only. How does $u$ answer when one $x_j$ moves a little?
# It moves in two ways: directly, and through $r$, which all features share. First $r$:
#
# $$\frac{\partial r}{\partial x_j} = \frac{x_j}{d\,r} = \frac{u_j}{d}$$
#
# Then the quotient rule for $u_i = x_i / r$ gives
#
# $$\frac{\partial u_i}{\partial x_j} = \frac{1}{r}\left(\delta_{ij} - \frac{u_i u_j}{d}\right),
# \qquad J = \frac{1}{r}\left(I - \frac{u u^\top}{d}\right)$$
#
# where $\delta_{ij}$ is 1 for $i = j$ and 0 otherwise. $J$ is symmetric.

# %% [markdown]
# ## Exercise 1: the function
#
# ●○○ · 5 minutes · 6 points
#
# Write `rms_norm(x, weight, eps)`, the formula above.
#
# - `x` has shape `[..., d]`: any number of leading dimensions, also none. Each row along the **last** axis gets an
#   $r$ of its own.
# - `weight` has shape `[d]`; `eps` is a Python float.
# - Return a new tensor with the shape and dtype of `x`. Leave `x` as it was.
# - PyTorch's finished answers are forbidden here: `F.rms_norm`, `nn.RMSNorm`, `torch.rms_norm`.
#   So is `given_rms_norm`. Anything else is allowed.
#
# Hints: `hint("rms_norm")`.


# %% nbgrader={"grade": false, "grade_id": "rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rms_norm(x, weight, eps):
    """Scale each row of x to root mean square 1, then each feature by its weight.

    x: [..., d]; weight: [d]; eps: float, added inside the root.
    Returns [..., d] in x's dtype.
    """
    ### BEGIN SOLUTION
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_rms_norm", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("rms_norm")
### BEGIN HIDDEN TESTS
check("rms_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: the module
#
# ●○○ · 4 minutes · 4 points
#
# Write `class RMSNorm(nn.Module)`, made by `RMSNorm(dim, eps=1e-6)`.
#
# - It has one parameter, named `weight`, of shape `[dim]`, all ones at first. An optimizer must be able to find it.
# - Its `forward` computes the formula of exercise 1. Write it out here, without calling your `rms_norm`:
#   then this exercise stands on its own, whatever happened to the first.
# - The same built-ins are forbidden.
#
# Two lines are given. Hints: `hint("rms_norm_module")`.


# %% nbgrader={"grade": false, "grade_id": "rms_norm_module", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RMSNorm(nn.Module):
    """RMSNorm over the last axis, with one learned scale per feature.

    dim: the size of the last axis; eps: added inside the root. Input and output: [..., dim].
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(dim))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.weight * x * (x.square().mean(-1, keepdim=True) + self.eps).rsqrt()
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_rms_norm_module", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("rms_norm_module")
### BEGIN HIDDEN TESTS
check("rms_norm_module", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: the backward pass
#
# ●●● · 10 minutes · 10 points
#
# Write `rms_norm_backward(grad_out, x, weight, eps)`. It returns the pair `(grad_x, grad_weight)`, by formula.
#
# `grad_out` is $\partial L/\partial y$ for some loss $L$ and has the shape of `x`. Autograd is forbidden, and so are
# the built-ins of exercise 1.

# %% [markdown]
# ### The plan
#
# 1. **The weight.** $y_i = w_i u_i$ in every row. So $\partial L/\partial w_i$ collects one product from **every** row,
#    over all leading dimensions, and has the shape of `weight`. A single row has nothing to add up.
# 2. **Through the weight.** Let $g = \partial L/\partial u$. You get it from `grad_out` and `weight`.
# 3. **Through the norm.** $\partial L/\partial x = J g$, with the $J$ of "The way back". Multiply it out on paper
#    before you code. You need no $d \times d$ matrix: one average per row and one subtraction do it.
#
# **Test yourself:** with $\epsilon = 0$ each row of `grad_x` is perpendicular to its row of `x`.
# Scaling $x$ changes nothing, so no gradient can point that way.
#
# Hints: `hint("rms_norm_backward")`.


# %% nbgrader={"grade": false, "grade_id": "rms_norm_backward", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rms_norm_backward(grad_out, x, weight, eps):
    """The gradients of a loss through y = rms_norm(x, weight, eps).

    grad_out: dL/dy, [..., d]; x: [..., d]; weight: [d]; eps: float.
    Returns the pair (dL/dx of shape [..., d], dL/dweight of shape [d]).
    """
    ### BEGIN SOLUTION
    r = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    u, g = x / r, grad_out * weight
    grad_weight = (grad_out * u).sum_to_size(weight.shape)
    return (g - u * (g * u).mean(-1, keepdim=True)) / r, grad_weight
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_rms_norm_backward", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("rms_norm_backward")
### BEGIN HIDDEN TESTS
check("rms_norm_backward", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: what does the norm block?
#
# A sceptical engineer asks: how much of a gradient is lost in a norm?
#
# The singular values of $J$ answer. Each is the gain in one direction, and a gain near 0 means: blocked.
# By the formula for $J$, the direction of $x$ has gain $\epsilon/r^3$. All $d-1$ directions at right angles to it
# have gain $1/r$.
#
# The experiments use PyTorch's own norms, or given ones. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
torch.manual_seed(0)
norms = {
    "RMSNorm": lambda x, eps: F.rms_norm(x, x.shape[-1:], eps=eps),
    "LayerNorm": lambda x, eps: F.layer_norm(x, x.shape[-1:], eps=eps),
}


def gains(norm, x, eps):
    """All singular values of the norm's Jacobian at the row x, largest first."""
    return torch.linalg.svdvals(torch.func.jacrev(lambda row: norm(row, eps))(x)).cpu()


d, eps = 32, 1e-5
x = torch.randn(d, dtype=torch.float64, device=device)
measured = {name: gains(norm, x, eps) for name, norm in norms.items()}
r = (x.square().mean() + eps).sqrt().item()
expected = torch.tensor([1 / r] * (d - 1) + [eps / r**3], dtype=torch.float64)
error = (measured["RMSNorm"] / expected - 1).abs().max().item()
print(f"By the formula: {d - 1} gains of 1/r = {1 / r:.4f}, one of eps/r³ = {eps / r**3:.2e}.")
print(f"The measured gains differ from these by at most {error:.0e} of their size.")

# %% tags=["experiment"]
blocked = {name: int((gain < 1e-3 * gain[0]).sum()) for name, gain in measured.items()}
sigma = (x.var(correction=0) + eps).sqrt().item()
floor = 1e-8  # a gain of 0 has no place on a logarithmic axis: it is drawn here
figure, panels = plots.new_axes(panels=2, share_y=True)
for ax, name, scale, symbol in zip(panels, norms, (r, sigma), "rσ", strict=True):
    for height, text in ((1 / scale, f"1/{symbol}"), (eps / scale**3, f"eps/{symbol}³")):
        plots.formula(ax, (1, d), (height, height))
        plots.label(ax, 1, height, text, shift=(0, -15))
    colour = plots.RMS if name == "RMSNorm" else plots.LAYER
    plots.points(ax, range(1, d + 1), measured[name].clamp(min=floor), colour)
    if measured[name][-1] < floor:
        plots.label(ax, d, floor, "0, up to rounding", shift=(-9, -4), ha="right")
    ax.set(title=name, xlabel="singular values, largest first", ylabel="gain")
    ax.set(yscale="log", ylim=(floor / 5, 30))
plots.show(
    figure,
    f"Of {d} directions, RMSNorm blocks {blocked['RMSNorm']} and LayerNorm {blocked['LayerNorm']}",
    "Dots are measured, dashed lines are the formula. "
    f"RMSNorm blocks {blocked['RMSNorm']} of {d} directions: that of x. "
    f"LayerNorm blocks {blocked['LayerNorm']}: that of the centred x, "
    "and the shift common to all features.",
)

# %% [markdown]
# So hardly anything is blocked, but everything is scaled: the gain is $1/r$. A large row passes small gradients back.
#
# ### And when the row is tiny?
#
# Then $\epsilon$ decides. Scale the same row up and down, and watch its largest and its smallest gain.

# %% tags=["experiment"]
eps, sizes = 1e-6, torch.logspace(-5, 2, 29, dtype=torch.float64)
unit = x / x.square().mean().sqrt()
ends = [gains(norms["RMSNorm"], size * unit, eps)[[0, -1]] for size in sizes]
largest, smallest = torch.stack(ends).T
r = (sizes.square() + eps).sqrt()
root = eps**0.5

figure, ax = plots.new_axes()
plots.formula(ax, sizes, 1 / r)
plots.formula(ax, sizes, eps / r**3)
plots.points(ax, sizes, largest, plots.RMS)
plots.points(ax, sizes, smallest, plots.THIRD, marker="s")
plots.label(ax, sizes[17], largest[17], "largest gain: 1/r", plots.RMS, shift=(8, 3))
plots.label(ax, sizes[17], smallest[17], "smallest gain: eps/r³", plots.THIRD, shift=(8, 3))
ax.axvline(root, color=plots.FLOOR, linewidth=1)
plots.label(ax, root, 1e-10, f"√eps = {root:g}", plots.FLOOR)
ax.set(xscale="log", yscale="log", xlabel="root mean square of x", ylabel="gain")
plots.show(
    figure,
    f"Rows far below √eps are multiplied by {largest[0]:.0f}, and no direction is blocked",
    f"Well above √eps = {root:g} one direction is blocked, and the others' gain falls as 1/r. "
    "Well below it all gains meet at 1/√eps: "
    f"at the left edge the smallest is {smallest[0] / largest[0]:.2%} of the largest.",
)

# %% [markdown]
# ## Experiment 2: what does the missing centring change?
#
# A sceptical engineer asks: may I put RMSNorm where LayerNorm was?
#
# With $w = 1$ and no bias, RMSNorm of the **centred** row is LayerNorm of the row. That is an identity.
#
# Without centring it depends on one number: $t$, the row's mean divided by its standard deviation. For
# $\epsilon = 0$ the outputs differ, relative to LayerNorm's, by
#
# $$\frac{\lVert \mathrm{RMSNorm}(x) - \mathrm{LayerNorm}(x) \rVert}{\lVert \mathrm{LayerNorm}(x) \rVert}
# = \sqrt{2 - \frac{2}{\sqrt{1 + t^2}}}$$
#
# which is close to $|t|$ while $t$ is small.

# %% tags=["experiment"]
torch.manual_seed(0)
rms, layer = (lambda x, norm=norm: norm(x, 0.0) for norm in norms.values())
rows = torch.randn(64, 512, dtype=torch.float64, device=device)
standard = layer(rows)  # every row has mean 0 and standard deviation 1


def difference(a, b):
    return ((a - b).norm() / b.norm()).item()


means = torch.logspace(-3, 2, 26, dtype=torch.float64)
shifted = [standard + t for t in means]
centred = [difference(rms(x - x.mean(-1, keepdim=True)), layer(x)) for x in shifted]
uncentred = [difference(rms(x), layer(x)) for x in shifted]
chance = (rows.mean(-1) / rows.std(-1, correction=0)).square().mean().sqrt().item()
print(f"Mean removed: they differ by at most {max(centred):.0e}, at all {len(means)} means tried.")
for number in (0, -1):
    print(f"Mean left in: at t = {means[number]:g} they differ by {uncentred[number]:.3f}.")

# %% tags=["experiment"]
tenth = difference(rms(standard + 0.1), layer(standard + 0.1))
figure, ax = plots.new_axes()
plots.formula(ax, means, (2 - 2 / (1 + means**2).sqrt()).sqrt())
plots.points(ax, means, uncentred, plots.RMS)
ax.axvline(chance, color=plots.FLOOR, linewidth=1)
random = f"random rows of {rows.shape[-1]}:\nt = {chance:.3f}"
plots.label(ax, chance, 1.0, random, plots.FLOOR, va="center")
ax.set(xscale="log", xlabel="t: mean of x / standard deviation of x")
ax.set(yscale="log", ylabel="relative difference")
plots.show(
    figure,
    f"A mean of a tenth of the standard deviation changes the output by {tenth:.0%}",
    "Dots are measured, the dashed line is the formula. "
    f"The difference grows in step with the mean, and levels off at {uncentred[-1]:.2f}. "
    f"Random rows of {rows.shape[-1]} numbers have a mean by chance alone: "
    f"{chance:.3f} standard deviations.",
)

# %% [markdown]
# So the swap is safe where activations have hardly any mean. Where they have one, it gives another layer.
# Random numbers cannot tell you which case your network is. Lesson 02 looks at a trained one.

# %% [markdown]
# ## Experiment 3: what is faster, and when?
#
# A sceptical engineer asks: 15-30 % faster than **what**?
#
# The same formula can be run in three ways:
#
# - **spelled out**: step by step (`given_rms_norm`, `given_layer_norm`). Each step is a *kernel*, a small program of
#   its own, which reads its input from memory and writes its result back;
# - **compiled**: `torch.compile` fuses the steps of the very same code;
# - **built in**: PyTorch's own `F.rms_norm` and `F.layer_norm`.
#
# A norm does little arithmetic, so what costs time is moving memory. Any norm has to read $x$ once and write $y$ once.
# A plain copy does just that: it is the floor.

# %% [markdown]
# ### First, count
#
# How many bytes do the kernels read and write, in units of the size of $x$?

# %% tags=["experiment"]
tokens, width = (16384, 4096) if device.type == "cuda" else (2048, 2048)
torch.manual_seed(0)
x = torch.randn(tokens, width, device=device)
weight, bias = torch.ones(width, device=device), torch.zeros(width, device=device)
eps, size_of_x = 1e-6, x.numel() * x.element_size()
calls = {
    "RMSNorm, spelled out": lambda: given_rms_norm(x, weight, eps),
    "LayerNorm, spelled out": lambda: given_layer_norm(x, weight, bias, eps),
    "RMSNorm, built in": lambda: F.rms_norm(x, (width,), weight, eps),
    "LayerNorm, built in": lambda: F.layer_norm(x, (width,), weight, bias, eps),
    "plain copy": lambda: x.clone(),
}
traffic = {name: bytes_moved(call) / size_of_x for name, call in calls.items()}
for name, moved in traffic.items():
    print(f"{name:24}{moved:5.1f} × the size of x")

# %% [markdown]
# ### Then, compile
#
# A first compilation can take half a minute, and here are two. It needs a C++ compiler (on a GPU: Triton).
# Where there is none, the next cells say so and carry on.

# %% tags=["experiment"]
print("Compiling RMSNorm ...", flush=True)
compiled_rms, no_compiler = compile_or_reason(given_rms_norm, x, weight, eps)
if not no_compiler:
    print("Compiling LayerNorm ...", flush=True)
    compiled_layer, no_compiler = compile_or_reason(given_layer_norm, x, weight, bias, eps)
if not no_compiler:
    calls["RMSNorm, compiled"] = lambda: compiled_rms(x, weight, eps)
    calls["LayerNorm, compiled"] = lambda: compiled_layer(x, weight, bias, eps)
print(no_compiler or "Both are compiled.")

# %% [markdown]
# ### Then, time
#
# All take turns, so that a busy moment of the machine hits all of them. A bar is the median of the runs, and the
# black line spans their middle half. On a busy machine a bar can come out below the copy by chance.

# %% tags=["experiment"]
print(f"Timing {len(calls)} calls ...", flush=True)
timings = time_calls(calls, device)
print(busy(timings) or "The machine was quiet: the runs agree.")

# %% tags=["experiment"]
ways = ("spelled out", "compiled", "built in")
order = [f"{norm}, {way}" for way in ways for norm in norms] + ["plain copy"]
rows = {name: timings.get(name, no_compiler) for name in order}
figure, ax = plots.new_axes(height=4.2)
plots.timing_bars(ax, rows, floor="plain copy")
ax.set(xlabel=f"milliseconds for float32 [{tokens}, {width}]", ylabel="norm, and how it is run")
results = [
    f"{compared(rows[f'RMSNorm, {way}'], rows[f'LayerNorm, {way}'])} {way}"
    for way in ways
    if f"RMSNorm, {way}" in timings
]
crossed = compared(rows["RMSNorm, spelled out"], rows["LayerNorm, built in"])
plots.show(
    figure,
    "RMSNorm against LayerNorm: " + ", ".join(results),
    f"Against a LayerNorm that is run in the same way, RMSNorm is {', '.join(results)}. "
    f"Spelled-out RMSNorm is {crossed} than the built-in LayerNorm.",
)

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured. "RMSNorm is 25 % faster" means: in the
# time of 100 LayerNorms you can run 125 RMSNorms. Less than 0 % is slower.

# %% tags=["experiment"]
y = F.rms_norm(x, (width,), weight, eps)
length = y.norm(dim=-1).mean().item()
root_mean_square = y.square().mean(-1).sqrt().mean().item()


def gain(mine, other):
    return faster_by(timings[mine], timings[other]) if mine in timings else None


def extra(mine, other):
    return 100 * (traffic[mine] / traffic[other] - 1)


speed = partial(Claim, "RMSNorm is ~15-30 % faster", claimed=(15, 30), margin=2, unit=" %")
moves = partial(Claim, "centring costs extra memory traffic", claimed=0, margin=1, unit=" %")
moves = partial(moves, direction="more than")
radius = partial(Claim, "radius 1.0", claimed=1, margin=0.01)
rms, layer = ({way: f"{norm}, {way}" for way in ways} for norm in norms)
slow_rms, slow_layer, quick_layer = rms["spelled out"], layer["spelled out"], layer["built in"]
ClaimTable(
    speed("both spelled out", measured=gain(slow_rms, slow_layer)),
    speed("both compiled", measured=gain(rms["compiled"], layer["compiled"]), missing=no_compiler),
    speed("both built in", measured=gain(rms["built in"], quick_layer)),
    speed("RMSNorm spelled out, LayerNorm built in", measured=gain(slow_rms, quick_layer)),
    moves("spelled out: LayerNorm over RMSNorm", measured=extra(slow_layer, slow_rms)),
    moves("built in: LayerNorm over a plain copy", measured=extra(quick_layer, "plain copy")),
    radius("root mean square of a row of y", measured=root_mean_square),
    radius("length of a row of y", measured=length),
)

# %% [markdown]
# ### How to read it
#
# **Spelled out**, every step pays for its own traffic, and centring adds steps. The ratio of your two counts tells
# you roughly what to expect.
#
# **Compiled**, the steps are fused and both norms come near the copy. The difference that is left is small.
# This is where a number like 15-30 % can be true.
#
# **Built in** depends on which kernels your version of PyTorch has. Look at your count: a norm that moves far more than
# twice the size of $x$ is not fused on your device. It loses to one that is, centring or not.
#
# A norm is one part of a model. A model gets less faster than its norms do.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "Let us put RMSNorm in place of LayerNorm in our trained model. It will be 15-30 % faster."
# Answer in three to six sentences.
#
# One point each, if you
#
# 1. say that it depends on how the two norms are run, with a case where the claim holds and one where it does not;
# 2. support this with a number from your own run;
# 3. explain it by memory traffic: what a fused norm has to read and write;
# 4. keep the norm and the model apart: a norm takes only a part of a step's time;
# 5. say what the swap does to a **trained** model's outputs, and when that is harmless.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_speed", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# It depends on what is compared. In my run the compiled RMSNorm was about a quarter faster than the compiled
# LayerNorm, but a spelled-out RMSNorm was several times slower than `F.layer_norm`. Both norms have to read $x$ once
# and write $y$ once. A fused kernel does no more than that, with or without centring, so the gap nearly closes; steps
# run one by one move several times as much. Even where the norm gets faster, the model gains only that share of the
# time which its norms take, so I would profile a training step first. And the swap changes a trained model: RMSNorm
# equals LayerNorm only on rows with mean 0, and only if there is no bias. With a mean of $t$ standard deviations the
# output moves by about $t$, so measure the means before swapping, or train again.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("03_rms_norm")

# %% [markdown]
# ## Sources
#
# 1. B. Zhang, R. Sennrich: *Root Mean Square Layer Normalization*. NeurIPS 2019,
#    **[arXiv:1910.07467](https://arxiv.org/abs/1910.07467)**. The norm, and the 7 % to 64 %.
# 2. J. L. Ba, J. R. Kiros, G. E. Hinton: *Layer Normalization*. 2016,
#    **[arXiv:1607.06450](https://arxiv.org/abs/1607.06450)**.
# 3. PyTorch's documentation of **[RMSNorm](https://docs.pytorch.org/docs/stable/generated/torch.nn.RMSNorm.html)**
#    and **[LayerNorm](https://docs.pytorch.org/docs/stable/generated/torch.nn.LayerNorm.html)**.
# 4. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 2
#    and "In Simple English".
#
# Next: lesson 04 (elective) runs this norm in half precision. Lesson 05 (core) decides where to put it.
