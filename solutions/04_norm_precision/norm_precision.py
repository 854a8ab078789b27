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
# # RMSNorm in half precision
#
# **Goal.** You write two norms that stay right in float16 and bfloat16: Llama's kind and Gemma's.
# Then you measure where half precision breaks a norm, and what it does to the residual stream.
#
# **Elective · 40 minutes · difficulty 2 of 3 · 18 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 9 | – | – |
# | Exercise 1: right in every dtype | 6 | ●●○ | 8 |
# | Exercise 2: Gemma's norm | 8 | ●●○ | 10 |
# | Three experiments | 9 | – | – |
# | Written answer and quiz | 8 | ●●○ | 5 |
#
# You need PyTorch tensors and the formula of RMSNorm, which is given below. You need no earlier lesson.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.logs import plain_log
from lessons.support.norms import given_rms_norm
from lessons.support.precision import autocast_dtypes, ulps
from quiz import quiz

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("rms_norm_mixed")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("rms_norm_mixed")`
# shows a solution and explains it. A class edition has no `reveal`.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [5].
# It compares a transformer to a line of 32 people who pass a page along, each adding a remark.
# RMSNorm is the magnifying glass that shows the page at a standard size.
#
# Half precision is a short ruler. It has two limits, and they are different things:
#
# - **Range.** How long is the ruler? float16's ends at 65504. What is longer reads "infinite".
# - **Precision.** How fine are its marks? bfloat16's ruler is as long as float32's, but it has only 128 marks between
#   1 and 2.
#
# To set its glass, a norm **squares** every number first. Squaring a large number leaves the ruler at one end, squaring
# a small one at the other. So norms borrow a better ruler, float32, for this one job.

# %% [markdown]
# ### What the note gets right
#
# - The norm is there so that "activations don't explode into Inf". A pre-norm branch always reads numbers of a good
#   size.
# - The formula, with $\epsilon$ inside the root, is what all these models compute.
#
# ### What the note leaves out
#
# - The norm can itself be the place where numbers become infinite: its squares.
# - The formula does not say **when** to round. Llama and Gemma decide differently, and a checkpoint expects its own
#   order.
# - "Each layer just adds subtle refinements" to the stream. In bfloat16 the subtle ones may not arrive.

# %% [markdown]
# ## The mathematics
#
# For a row $x$ of $d$ numbers:
#
# $$r = \sqrt{\frac{1}{d}\sum_{i=1}^{d} x_i^2 + \epsilon}, \qquad u = \frac{x}{r}, \qquad y = w \odot u$$
#
# In code $w$ is called `weight`.

# %% [markdown]
# ### Three rulers
#
# `largest` and `smallest` are the range; `step` is the distance between 1 and the next number.

# %% tags=["experiment"]
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    info = torch.finfo(dtype)
    smallest = info.smallest_normal * info.eps  # still representable, with a single bit
    print(f"{str(dtype)[6:]:9} largest {info.max:<11.6g}", end=" ")
    print(f"smallest {smallest:<8.2g} step after 1: {info.eps:.2g}")

# %% [markdown]
# Work out on paper, for float16: which is the smallest whole number whose square does not fit? And what becomes of
# $10^{-4}$ squared? Then run the next cell.

# %% tags=["experiment"]
for number in (255.0, 256.0, 1e-3, 1e-4):
    half = torch.tensor(number, dtype=torch.float16)
    print(f"{number:6g} squared in float16: {(half * half).item():g}")
print(f"eps = 1e-8 in float16: {torch.tensor(1e-8, dtype=torch.float16).item():g}")

# %% [markdown]
# So 256 is the first. A number like 300 is an ordinary one in float16, and its square is infinite. Then $r$ is infinite
# and $x/r$ is **0**: no error, no warning, a silent layer. And $10^{-4}$ squares to 0. If $\epsilon$ is too small for
# float16 as well, $x/r$ becomes a division by zero.

# %% [markdown]
# ### Two orders of casting
#
# Both do the statistics in float32. They differ in when they go back to the dtype of $x$:
#
# $$\text{Llama: } y = w \odot \mathrm{cast}(u) \qquad\qquad \text{Gemma: } y = \mathrm{cast}(w \odot u)$$
#
# Llama rounds $u$, and the product once more. Gemma rounds once. Both are right in the sense that they err by about
# the last digit. They do not give the same bits.
#
# Gemma's gain is also written differently. It is $1 + w$ with a $w$ that starts at **zero**, so that weight decay pulls
# the gain towards 1 and not towards 0.

# %% [markdown]
# ## Exercise 1: right in every dtype
#
# ●●○ · 6 minutes · 8 points
#
# Write `rms_norm_mixed(x, weight, eps)`, the formula above, for `x` of shape `[..., d]` in float64, float32, bfloat16
# or float16.
#
# - The statistics (squares, mean, $\epsilon$, root) are taken in **float32**. A float64 `x` may use float64 or float32.
# - Numbers near 300, near 20000 and near $10^{-4}$ must come out right in float16, with an $\epsilon$ of $10^{-8}$,
#   too.
# - Return a new tensor with the shape and dtype of `x`. Either cast order is right. Leave `x` as it was.
# - `weight` has the dtype of `x`; `eps` is a Python float.
# - Forbidden: `F.rms_norm`, `nn.RMSNorm`, `torch.rms_norm`, `given_rms_norm`. Anything else is allowed.
#
# Careful: `x.float()` makes a copy only if `x` is not float32 already.
#
# Hints: `hint("rms_norm_mixed")`.


# %% nbgrader={"grade": false, "grade_id": "rms_norm_mixed", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rms_norm_mixed(x, weight, eps):
    """RMSNorm over the last axis with its statistics in float32.

    x: [..., d], float64, float32, bfloat16 or float16; weight: [d] in x's dtype; eps: float, added inside the root.
    Returns [..., d] in x's dtype.
    """
    ### BEGIN SOLUTION
    row = x.float()
    row = row * torch.rsqrt(row.square().mean(-1, keepdim=True) + eps)
    return weight * row.to(x.dtype)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_rms_norm_mixed", "locked": true, "points": 8, "schema_version": 3, "solution": false, "task": false}
check("rms_norm_mixed")
### BEGIN HIDDEN TESTS
check("rms_norm_mixed", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: Gemma's norm
#
# ●●○ · 8 minutes · 10 points
#
# Write `class GemmaRMSNorm(nn.Module)`, made by `GemmaRMSNorm(dim, eps=1e-6)`.
#
# - It has one parameter, named `weight`, of shape `[dim]`, all **zeros** at first.
# - The gain is $1 + w$. The statistics, the gain and the scaling are float32; one cast at the end.
# - The module may have been cast: then `weight` is bfloat16 or float16, like `x`.
# - The same built-ins are forbidden.
#
# Here Llama's order is **wrong**. No tolerance can see that, so the check counts: of 8192 numbers, how many are not the
# exact answer, rounded once? Write the computation out, without calling your `rms_norm_mixed`.
#
# Two lines are given. Hints: `hint("gemma_rms_norm")`.


# %% nbgrader={"grade": false, "grade_id": "gemma_rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class GemmaRMSNorm(nn.Module):
    """RMSNorm over the last axis with a gain of 1 + weight, all in float32, cast once at the end.

    dim: the size of the last axis; eps: added inside the root. Input and output: [..., dim], one dtype.
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.zeros(dim))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        row = x.float()
        row = row * torch.rsqrt(row.square().mean(-1, keepdim=True) + self.eps)
        return (row * (1 + self.weight.float())).to(x.dtype)
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_gemma_rms_norm", "locked": true, "points": 10, "schema_version": 3, "solution": false, "task": false}
check("gemma_rms_norm")
### BEGIN HIDDEN TESTS
check("gemma_rms_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Experiment 1: where does half precision break a norm?
#
# A sceptical engineer asks: is float32 inside the norm a habit, or does it matter?
#
# Rows of every size, from $10^{-5}$ to 28000, go through the same formula in four ways: all of it in float16 or
# bfloat16, or in float32 with one cast at the end. The error is relative to the exact answer for the same row, in
# float64. The experiments use a given norm. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
seeds, eps, width = range(5), 1e-8, 1024
sizes = torch.logspace(-5, 4.45, 64, dtype=torch.float64)


def rows(seed, dtype):
    """One row of each size, and a gain of 1, as the dtype can hold them."""
    torch.manual_seed(seed)
    unit = torch.randn(len(sizes), width, dtype=torch.float64).clamp(-2, 2)
    return (unit * sizes[:, None]).to(device, dtype), torch.ones(width, device=device, dtype=dtype)


def inside_half(x, weight):
    return given_rms_norm(x, weight, eps)


def inside_float32(x, weight):
    return given_rms_norm(x.float(), weight.float(), eps).to(x.dtype)


def error(way, dtype):
    """The relative error of each row, [sizes]: the worst of the seeds. Infinite where a result is not finite."""
    worst = torch.zeros(len(sizes), dtype=torch.float64)
    for seed in seeds:
        x, weight = rows(seed, dtype)
        exact = given_rms_norm(x.double(), weight.double(), eps)
        found = ((way(x, weight).double() - exact).norm(dim=-1) / exact.norm(dim=-1)).cpu()
        worst = torch.maximum(worst, found.nan_to_num(nan=torch.inf))
    return worst


errors = {
    (dtype, way): error(way, dtype)
    for dtype in (torch.float16, torch.bfloat16)
    for way in (inside_half, inside_float32)
}
good = sizes[errors[torch.float16, inside_half] < 0.01]
low, high = good.min().item(), good.max().item()
print(f"All in float16, the error stays below 1 % for rows of size {low:.1g} to {high:.0f}.")

# %% tags=["experiment"]
ceiling = 30.0  # where an infinite error is drawn
names = {torch.float16: "float16", torch.bfloat16: "bfloat16"}
figure, panels = plots.new_axes(panels=2, height=4.2, share_y=True)
for ax, dtype in zip(panels, names, strict=True):
    for way, colour, marker in ((inside_half, plots.LAYER, "s"), (inside_float32, plots.RMS, "o")):
        plots.points(ax, sizes, errors[dtype, way].clamp(max=ceiling), colour, marker)
    middle = len(sizes) // 2
    plots.label(ax, sizes[8], errors[dtype, inside_float32][8], "float32 inside", plots.RMS, shift=(0, -17))
    above = errors[dtype, inside_half][middle]
    plots.label(ax, sizes[middle], above, f"all in {names[dtype]}", plots.LAYER, shift=(-30, 12))
    plain_log(ax, "x", "y")
    ax.set_xticks([1e-4, 1e-2, 1, 100, 1e4], ["0.0001", "0.01", "1", "100", "10000"])
    ax.set_yticks([1e-4, 1e-3, 1e-2, 0.1, 1, ceiling], ["0.0001", "0.001", "0.01", "0.1", "1", "not finite"])
    ax.set(title=names[dtype], xlabel="size of the row", ylabel="relative error", ylim=(5e-5, 60))
bfloat16 = errors[torch.bfloat16, inside_half].max().item()
worst = {dtype: errors[dtype, inside_float32].max().item() for dtype in names}
plots.show(
    figure,
    f"All in float16, a norm is right for rows of size {low:.1g} to {high:.0f} only; with float32 inside, for all",
    f"Worst of {len(seeds)} seeds, eps = {eps:g}. Beyond {high:.0f} some numbers reach 256: their squares overflow, "
    f"the norm returns zeros, and the error is 1. Below {low:.1g} squares lose their digits; further down squares and "
    f"eps are 0, and results are not finite. bfloat16 has the range: its error is at most "
    f"{bfloat16:.1%} at every size. With float32 inside, the errors are at most {worst[torch.float16]:.2%} and "
    f"{worst[torch.bfloat16]:.2%}: one rounding at the end.",
)

# %% [markdown]
# So two reasons, one for each ruler. float16 needs float32 for its **range**. bfloat16 has the range; there float32
# saves **precision**, a few roundings' worth.
#
# And watch out for the silent case: zeros in place of an answer, without a warning.

# %% [markdown]
# ## Experiment 2: does the cast order matter?
#
# A sceptical engineer asks: two roundings or one, who would ever notice?
#
# Count in units in the last place, "ulps": how many representable numbers lie between a result and the exact answer,
# rounded? Here in bfloat16, with gains around 1.

# %% tags=["experiment"]
ones = torch.ones(width, device=device)
orders = {
    "Gemma: scale, then cast": lambda x, w: given_rms_norm(x.float(), w.float(), 1e-6).to(x.dtype),
    "Llama: cast, then scale": lambda x, w: w * given_rms_norm(x.float(), ones, 1e-6).to(x.dtype),
    "all in bfloat16": lambda x, w: given_rms_norm(x, w, 1e-6),
}
shares = {name: [] for name in orders}  # of each seed: shares of numbers that are off by 0, by 1, by more
for seed in seeds:
    torch.manual_seed(seed)
    x = torch.randn(64, width).to(device, torch.bfloat16)
    w = (1 + 0.3 * torch.randn(width)).to(device, torch.bfloat16)
    exact = given_rms_norm(x.double(), w.double(), 1e-6).to(torch.bfloat16)
    for name, order in orders.items():
        off = ulps(order(x, w), exact)
        shares[name].append(torch.stack([(off == 0), (off == 1), (off > 1)]).flatten(1).double().mean(1).cpu())
shares = {name: torch.stack(found) for name, found in shares.items()}
for name, found in shares.items():
    print(f"{name:25} off by one: {found[:, 1].mean():7.2%}   by more: {found[:, 2].mean():7.2%}")

# %% tags=["experiment"]
off = {name: 1 - found[:, 0] for name, found in shares.items()}
figure, ax = plots.new_axes(height=2.9)
for place, (name, found) in enumerate(reversed(off.items())):
    one = shares[name][:, 1].mean()
    ax.barh(place, one, color=plots.RMS, edgecolor=plots.PAPER, height=0.6)
    ax.barh(place, found.mean() - one, left=one, color=plots.LAYER, hatch="///", edgecolor=plots.PAPER, height=0.6)
    ax.plot([found.min(), found.max()], [place, place], color=plots.INK, linewidth=1.5)
    plots.label(ax, found.max(), place, f"{found.mean():.0%}" if found.mean() > 0.005 else "hardly any", va="center")
plots.label(ax, shares["all in bfloat16"][:, 1].mean() / 2, 0, "by one", plots.PAPER, va="center")
if shares["all in bfloat16"][:, 2].mean() > 0.03:
    plots.label(ax, shares["all in bfloat16"][:, 1].mean(), 0.42, "by more", plots.LAYER)
ax.set_yticks(range(len(off)), reversed(off))
ax.set(xlabel="share of numbers that are not the exact answer, rounded", ylabel="order", xlim=(0, 0.5))
ax.grid(visible=False, axis="y")
llama, gemma = off["Llama: cast, then scale"].mean().item(), off["Gemma: scale, then cast"].mean().item()
plots.show(
    figure,
    f"Llama's order differs from the rounded exact answer in {llama:.0%} of the numbers, Gemma's in {gemma:.3%}",
    f"Mean of {len(seeds)} seeds; the black lines span them. Plain blue: off by one unit in the last place. Hatched: "
    f"by more. Llama's order is off by one in {shares['Llama: cast, then scale'][:, 1].mean():.0%} of the numbers and "
    f"by more in {shares['Llama: cast, then scale'][:, 2].mean():.1%}.",
)

# %% [markdown]
# Both orders are right: each errs by about one unit in the last place. It matters when you **load** a checkpoint and
# compare with the original. Then the wrong order shows as small differences, in every norm of every layer, and you
# search for a bug in the wrong place. Use the order the model was trained with.

# %% [markdown]
# ## Experiment 3: what does a half-precision stream swallow?
#
# A sceptical engineer asks: if the norm is safe, may the residual stream itself be bfloat16?
#
# Each layer adds an update to the stream. An update that is smaller than half a step of the ruler rounds to nothing.
# How many numbers of the stream does an addition leave unchanged, for updates of different size?

# %% tags=["experiment"]
ratios = torch.logspace(-5, 0, 26)
swallowed = {}
for dtype in (torch.bfloat16, torch.float16, torch.float32):
    found = []
    for seed in seeds:
        torch.manual_seed(seed)
        stream, update = torch.randn(2, 1 << 16, device=device)
        stream = stream.to(dtype)
        found.append(
            torch.tensor([(stream + (ratio * update).to(dtype) == stream).double().mean() for ratio in ratios])
        )
    swallowed[dtype] = torch.stack(found)
total = {dtype: torch.ones((), dtype=dtype) for dtype in swallowed}
for dtype in total:
    for _ in range(1000):
        total[dtype] = total[dtype] + 0.001
    print(f"1 + 1000 times 0.001 in {str(dtype)[6:]:9}: {total[dtype].item():.4f}")

# %% tags=["experiment"]
figure, ax = plots.new_axes()
looks = {torch.bfloat16: (plots.LAYER, "s"), torch.float16: (plots.THIRD, "^"), torch.float32: (plots.RMS, "o")}
for dtype, (colour, marker) in looks.items():
    middle = swallowed[dtype].median(0).values
    ax.fill_between(ratios, swallowed[dtype].amin(0), swallowed[dtype].amax(0), color=colour, alpha=0.25, linewidth=0)
    ax.plot(ratios, middle, marker=marker, color=colour, markersize=5, linewidth=1.5)
    near = (middle - 0.5).abs().argmin() if middle.max() > 0.5 else 0
    plots.label(ax, ratios[near], middle[near], str(dtype)[6:], colour, shift=(9, 4))
plain_log(ax, "x")
ax.set_xticks([1e-5, 1e-4, 1e-3, 0.01, 0.1, 1], ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1"])
ax.set(xlabel="size of the update / size of the stream", ylabel="share of numbers left unchanged", ylim=(-0.03, 1.03))
at = (ratios - 0.001).abs().argmin()
lost = {dtype: swallowed[dtype][:, at].median().item() for dtype in looks}
plots.show(
    figure,
    f"An update of a thousandth leaves {lost[torch.bfloat16]:.0%} of a bfloat16 stream's numbers unchanged",
    f"Lines are the middle one of {len(seeds)} seeds; bands, too narrow to see, span all. Updates of a thousandth: "
    f"bfloat16 leaves {lost[torch.bfloat16]:.0%} of the numbers unchanged, float16 {lost[torch.float16]:.0%}, "
    f"float32 {lost[torch.float32]:.1%}. Larger updates arrive, though rounded.",
)

# %% [markdown]
# A stream that grows with depth makes this worse: the same update is a smaller and smaller part of it (lesson 05). The
# very same thing happens to bfloat16 **weights** that an optimizer updates in small steps. That is why training keeps a
# float32 copy of them.
#
# ### What autocast does about it
#
# `torch.autocast` runs matrix products in half precision and some other operations in float32. The rest run in the
# dtype they are given. Which is which depends on the device. Do not look it up; ask:

# %% tags=["experiment"]
found = autocast_dtypes(device)
for name, dtype in found.items():
    print(f"{name:28} {str(dtype)[6:]}")

# %% [markdown]
# The last line is the one to remember. Under autocast the branch comes back in bfloat16, but the stream it is added to
# is float32, and float32 plus bfloat16 is float32. Nothing is swallowed. A model cast by `model.bfloat16()` has no such
# safety net: there, the stream is bfloat16 from the embedding on.

# %% [markdown]
# ## Claimed against measured
#
# Here is what the note claims, beside what your machine has just measured.

# %% tags=["experiment"]
large = torch.full((1, width), 300.0, dtype=torch.float16, device=device)
tiny = torch.full((1, width), 1e-4, dtype=torch.float16, device=device)
unit = torch.ones(width, dtype=torch.float16, device=device)


def size(x):
    return x.double().square().mean().sqrt().item()


def infinite(x):
    return 100 * (~x.isfinite()).double().mean().item()


radius = partial(Claim, "numbers well-behaved (~radius 1.0)", claimed=1, margin=0.01)
finite = partial(Claim, "activations don't explode into Inf", claimed=0, margin=0, unit=" %")
formula = partial(Claim, "x / RMS(x) ⊙ γ", claimed=100, margin=1, unit=" %")
lane = partial(Claim, "each layer just adds subtle refinements", claimed=1, margin=0.05)
ClaimTable(
    radius("a row of 300s, all in float16: size after the norm", measured=size(inside_half(large, unit))),
    radius("the same, float32 inside", measured=size(inside_float32(large, unit))),
    finite("a row of 1e-4, all in float16: results not finite", measured=infinite(inside_half(tiny, unit))),
    finite("the same, float32 inside", measured=infinite(inside_float32(tiny, unit))),
    formula("Gemma's order: numbers that are this, rounded to bfloat16", measured=100 * (1 - gemma)),
    formula("Llama's order: the same", measured=100 * (1 - llama)),
    lane("1000 updates of 0.001 to a stream of 1 in bfloat16: what arrived", measured=total[torch.bfloat16].item() - 1),
    lane("the same in float32", measured=total[torch.float32].item() - 1),
)

# %% [markdown]
# ### How to read it
#
# **Radius and Inf.** The formula keeps its promise, in float32. Done in float16, the norm itself breaks it, at both
# ends.
#
# **The formula.** Gemma's order gives the formula's value, rounded, for practically every number. Llama's gives a
# neighbour in about a quarter of the cases. Both are good norms; they are not the same function.
#
# **Subtle refinements** need a stream that can hold them.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "bfloat16 has float32's range, so nothing can go wrong in it. I have dropped the casts from our
# norms, made the residual stream bfloat16, and my test with a relative tolerance of 1 % passes." Answer in three to six
# sentences.
#
# One point each, if you
#
# 1. keep range and precision apart: what is true about bfloat16, and what is not;
# 2. say which dtype does need float32 for its range, with the size at which it fails;
# 3. support what float32 inside the norm brings to bfloat16 with a number from your own run;
# 4. say what happens to small updates in a bfloat16 stream, with a number from your own run;
# 5. say what such a tolerance cannot see, and when that matters.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_precision", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# It is true that bfloat16 has the range: in my run a norm done wholly in it was finite at every size, while float16
# failed for rows beyond about 100, in which single numbers reach 256 and their squares overflow, and below about 0.002.
# But it has only 8 bits. With the casts dropped, more than a third of the norm's results were not the rounded exact
# answer; with one cast at the end, hardly any. A bfloat16 stream swallows small updates: an update of a thousandth of
# its size left most numbers unchanged, and 1000 updates of 0.001 added up to nothing. A tolerance of 1 % allows for a
# unit in the last place of bfloat16, so it cannot see any of this, nor the cast order. The order matters when a
# checkpoint has to give the same outputs as the original; the swallowed updates matter in training, so I would keep the
# stream in float32, as autocast does.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("04_norm_precision")

# %% [markdown]
# ## Sources
#
# 1. P. Micikevicius et al.: *Mixed Precision Training*. ICLR 2018,
#    [arXiv:1710.03740](https://arxiv.org/abs/1710.03740). The float32 copy of the weights, and what float16 cannot
#    hold.
# 2. D. Kalamkar et al.: *A Study of BFLOAT16 for Deep Learning Training*. 2019,
#    [arXiv:1905.12322](https://arxiv.org/abs/1905.12322).
# 3. Hugging Face: the model code of Llama and Gemma in
#    [transformers](https://github.com/huggingface/transformers/tree/main/src/transformers/models), for both cast
#    orders.
# 4. PyTorch's documentation of [autocast](https://docs.pytorch.org/docs/stable/amp.html) and of
#    [numerical accuracy](https://docs.pytorch.org/docs/stable/notes/numerical_accuracy.html).
# 5. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, section 2
#    and "In Simple English".
#
# Next: lesson 05 (core) decides where to put the norm.
