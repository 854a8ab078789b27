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
# # Speed: bytes, floors, fusion
#
# **Goal.** You compute the least time that a norm can take, write a norm that keeps almost nothing for its backward
# pass, and (if you like) write one as a GPU kernel. Then you measure how far code is from the floor, and why.
#
# **Elective · 55 minutes · difficulty 3 of 3 · 18 points, and 5 for a written answer**
#
# | part | minutes | difficulty | points |
# |---|---|---|---|
# | The idea and the mathematics | 8 | – | – |
# | Exercise 1: the least traffic | 4 | ●○○ | 6 |
# | Exercise 2: a lean norm | 12 | ●●○ | 12 |
# | Exercise 3: a Triton kernel | 15 | ●●● | extra: 5 that are not counted |
# | Seven experiments | 10 | – | – |
# | Written answer and quiz | 6 | ●●○ | 5 |
#
# You need lesson 03 (RMSNorm and its backward pass) and lesson 07 (SwiGLU). Bring a quiet machine: close what else runs.

# %% nbgrader={"grade": false, "grade_id": "setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from grader import check, hint
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable
from lessons.support.device import choose_device
from lessons.support.kernels import OPERATIONS, both, forward
from lessons.support.llama import SwiGLU
from lessons.support.saved import given_lean_rms_norm, given_lean_swiglu, kept_bytes
from lessons.support.speed_runs import COPY, PASSES, Point, beside_a_copy, contests, products, sweep
from lessons.support.timing import busy, faster_by, time_calls
from lessons.support.traffic import bytes_moved as bytes_counted
from lessons.support.triton_here import HOW, find_triton
from lessons.support.triton_kernels import rms_norm_by_triton, swiglu_by_triton
from quiz import quiz

triton, tl, no_triton = find_triton()

# %% [markdown]
# ## How to work here
#
# Run the cells from top to bottom. Each exercise has one cell for your code and one that checks it.
# You can check as often as you like.
#
# Stuck? `hint("bytes_moved")` gives a nudge. Call it again for the method, and again for nearly the answer.
#
# Learning without an instructor? After you have tried, `from grader import reveal; reveal("bytes_moved")`
# shows a solution and explains it. A class edition has no `reveal`.
#
# Timing is shown here, and never graded.

# %% [markdown]
# ## The idea in plain words
#
# This course puts a text about transformers to the test. We call it *the note* [7].
# It compares a transformer to a line of 32 people who pass a page along.
#
# Suppose the page does not lie on the desk but in an archive down the street. Reading is quick. The walk is slow.
#
# A norm **spelled out** walks for every step: fetch the page, square the numbers, bring the squares to the archive.
# Fetch them again, take the mean. Fetch the page again, divide, bring it back.
#
# A **fused** norm walks twice: it fetches the page, does everything at the desk, and brings back the result.
#
# The archive is the memory, and the desk is the chip. A shelf beside the desk is the *cache*: small pages stay there.

# %% [markdown]
# ### What the note gets right
#
# - It looks at the right thing: memory reads and writes. A norm does so little arithmetic that nothing else counts.
# - Spelled out, LayerNorm's centring does cost reads and writes that RMSNorm saves.
#
# ### What the note leaves out
#
# - Fused, both norms read $x$ once and write $y$ once. What is left of the lead then?
# - Training runs the backward pass as well, and it moves more than the forward pass.
# - "Accuracy per FLOP" counts arithmetic. A clock counts what a step waits for.
# - It gives no floor: the time below which no kernel can get, however clever it is.
#
# The note says nothing about kernels. This lesson adds what you need to check its claims about speed.

# %% [markdown]
# ## The mathematics
#
# An operation reads and writes $B$ bytes and computes $C$ operations. A machine moves $\beta$ bytes a second and computes
# at most $\pi$ operations a second. It cannot be faster than either allows:
#
# $$\text{time} \;\ge\; \max\left(\frac{B}{\beta},\; \frac{C}{\pi}\right)$$
#
# Divide: $I = C/B$ is the number of operations for each byte, and the speed is at most $\min(\pi,\; I\,\beta)$.
# Drawn over $I$ this is the **roofline** [1]: a slope, then a flat top. Left of the ridge $\pi/\beta$ one waits for memory.

# %% [markdown]
# ### An example to do by hand
#
# RMSNorm of 2048 rows of 2048 numbers in float32, on a machine with $\beta = 20 \cdot 10^9$ and $\pi = 50 \cdot 10^9$
# (round numbers, made up).
#
# - How many bytes has $x$? How many does a fused norm move, and how long does that take at least?
# - It computes about 4 operations for each element. How long do they take at least?
#
# Work it out on paper. Then run the next cell.

# %% tags=["experiment"]
size = 2048 * 2048 * 4
print(f"x: {size / 1e6:.1f} MB; read and written: {2 * size / 1e6:.1f} MB")
print(f"memory takes at least {2 * size / 20e9 * 1e3:.2f} ms")
print(f"arithmetic takes at least {4 * 2048 * 2048 / 50e9 * 1e3:.2f} ms")

# %% [markdown]
# So the norm waits for memory. Twice the arithmetic would cost nothing. One more pass over $x$ costs half as much again.

# %% [markdown]
# ## Exercise 1: the least traffic
#
# ●○○ · 4 minutes · 6 points
#
# Write `bytes_moved(op, rows, dim, itemsize)`: the least number of bytes of **activations** that one fused forward
# pass reads and writes.
#
# - `op` is one of three names. `"rms_norm"` and `"layer_norm"` work on `rows` rows of `dim` numbers.
# - `"swiglu_pointwise"` is the part of SwiGLU between its matrix products, $\mathrm{SiLU}(g) \odot u$. Here `dim` is the width
#   of gate and up, and both come from memory.
# - `itemsize` is the number of bytes of one number: 4 for float32, 2 for bfloat16.
# - Weights are not counted: they are as good as nothing beside many rows. Nor is what a backward pass might want.
# - Return an `int`.
#
# Hints: `hint("bytes_moved")`.


# %% nbgrader={"grade": false, "grade_id": "bytes_moved", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bytes_moved(op, rows, dim, itemsize):
    """The least bytes that a fused forward pass reads and writes. op: "rms_norm", "layer_norm" or "swiglu_pointwise"."""
    ### BEGIN SOLUTION
    passes = {"rms_norm": 1 + 1, "layer_norm": 1 + 1, "swiglu_pointwise": 2 + 1}[op]  # reads + writes
    return passes * rows * dim * itemsize
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "check_bytes_moved", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}
check("bytes_moved")
### BEGIN HIDDEN TESTS
check("bytes_moved", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2: a lean norm
#
# ●●○ · 12 minutes · 12 points
#
# To compute gradients, autograd keeps tensors of the forward pass. Each step keeps what its own derivative asks for, so
# a norm spelled out keeps several tensors as large as $x$. In training this is what fills the memory.
#
# Lesson 03 has shown that the backward pass needs $x$, the weight, and one number for each row: with
#
# $$r = \sqrt{\tfrac{1}{d}\textstyle\sum_i x_i^2 + \epsilon}, \qquad u = \frac{x}{r}, \qquad g = w \odot \frac{\partial L}{\partial y}$$
#
# the gradients are
#
# $$\frac{\partial L}{\partial x} = \frac{1}{r}\Bigl(g - u \cdot \tfrac{1}{d}\textstyle\sum_i g_i u_i\Bigr), \qquad
# \frac{\partial L}{\partial w} = \sum_{\text{rows}} \frac{\partial L}{\partial y} \odot u .$$
#
# Here $x$ is in memory anyway. Everything else follows from it and $r$.

# %% [markdown]
# ### How to tell autograd
#
# A `torch.autograd.Function` has two static methods [2]:
#
# - `forward(ctx, ...)` computes the result. What you hand to `ctx.save_for_backward(...)` is kept, and nothing else.
#   Plain numbers may simply become attributes of `ctx`.
# - `backward(ctx, grad_out)` gets $\partial L / \partial y$. It finds what was kept in `ctx.saved_tensors`, and returns one
#   gradient for **each** argument of `forward`, in order: `None` for what is no tensor.
#
# For example, this is $y = x^2$, which keeps $x$ alone:
#
# ```
# class Square(torch.autograd.Function):
#     @staticmethod
#     def forward(ctx, x):
#         ctx.save_for_backward(x)
#         return x * x
#
#     @staticmethod
#     def backward(ctx, grad_out):
#         (x,) = ctx.saved_tensors
#         return 2 * x * grad_out
# ```

# %% [markdown]
# ### Your turn
#
# Write the two methods of `LeanRMSNorm`. The function `lean_rms_norm(x, weight, eps)` that calls it is given.
#
# - `x` has shape `[..., d]`, `weight` has shape `[d]`, `eps` is a float. The result has the shape and dtype of `x`.
# - Keep `x`, `weight` and one number for each row, by `ctx.save_for_backward`. The check looks at what is kept.
# - Change neither `x` nor `grad_out` in place. And `grad_out` need not be contiguous: `view` may fail on it.
# - `F.rms_norm`, `nn.RMSNorm` and `torch.rms_norm` are forbidden.
#
# Hints: `hint("lean_rms_norm")`.


# %% nbgrader={"grade": false, "grade_id": "lean_rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LeanRMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        ### BEGIN SOLUTION
        inverse = torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inverse)
        return x * inverse * weight
        ### END SOLUTION

    @staticmethod
    def backward(ctx, grad_out):
        ### BEGIN SOLUTION
        x, weight, inverse = ctx.saved_tensors
        u, g = x * inverse, grad_out * weight
        grad_x = inverse * (g - u * torch.mean(g * u, dim=-1, keepdim=True))
        return grad_x, (grad_out * u).reshape(-1, len(weight)).sum(dim=0), None
        ### END SOLUTION


def lean_rms_norm(x, weight, eps):
    """RMSNorm that keeps x, weight and one number a row for its backward pass. x: [..., d]; weight: [d]."""
    return LeanRMSNorm.apply(x, weight, eps)


# %% nbgrader={"grade": true, "grade_id": "check_lean_rms_norm", "locked": true, "points": 12, "schema_version": 3, "solution": false, "task": false}
check("lean_rms_norm")
### BEGIN HIDDEN TESTS
check("lean_rms_norm", seed="held-out")
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3: a Triton kernel
#
# ●●● · 15 minutes · extra credit: 5 points that are not among the lesson's
#
# Triton [3] is a language for GPU kernels inside Python. It runs on a GPU. On Linux without one it runs in its own
# interpreter: slowly, but with the same results, so you can learn it on a laptop.
#
# Without Triton nothing is lost: the check says so, and no points are missing anywhere. Its cell is not graded; show the
# card to your instructor, who may add extra credit by hand. The next cell tells you what you have.

# %% tags=["experiment"]
print(no_triton or f"Triton {triton.__version__} is here. Kernels run {HOW}.")

# %% [markdown]
# ### How a kernel looks
#
# A kernel is written for **one program** and launched as a whole *grid* of them. This one copies a matrix, a row for
# each program:
#
# ```
# @triton.jit
# def copy_kernel(x_ptr, y_ptr, dim, BLOCK: tl.constexpr):
#     row = tl.program_id(0)                    # which program am I?
#     at = tl.arange(0, BLOCK)                  # 0, 1, ..., BLOCK - 1: BLOCK has to be a power of two
#     inside = at < dim                         # the row may be shorter than the block
#     values = tl.load(x_ptr + row * dim + at, mask=inside, other=0.0)
#     tl.store(y_ptr + row * dim + at, values, mask=inside)
#
# x = torch.randn(3, 5)                         # on a GPU: device="cuda"
# y = torch.empty_like(x)
# copy_kernel[(3,)](x, y, 5, BLOCK=8)           # three programs
# ```
#
# - A tensor becomes a pointer to its first number. You add to it to get where you want, so the tensor has to be contiguous.
# - `values` is a block of numbers on the chip. You compute with it as with a tensor: `*`, `/`, `tl.sqrt`, `tl.rsqrt`,
#   `tl.sum(values, axis=0)`.
# - `values.to(tl.float32)` widens. `y_ptr.dtype.element_ty` is the dtype that `y` has.
# - Outside of the kernel `triton.next_power_of_2(5)` is 8.

# %% [markdown]
# ### Your turn
#
# Write `rms_norm_kernel` and `triton_rms_norm(x, weight, eps)`, the forward pass.
#
# - `x` has shape `[..., d]` and may be non-contiguous; `weight` has shape `[d]`. Both lie where kernels run.
# - Return a new tensor with the shape and dtype of `x`. Compute in float32 inside.
# - You may give the kernel other arguments, or write more than one.
#
# Hints: `hint("triton_rms_norm")`.


# %% nbgrader={"grade": false, "grade_id": "triton_rms_norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
@triton.jit
def rms_norm_kernel(x_ptr, weight_ptr, y_ptr, dim, eps, BLOCK: tl.constexpr):
    """One program normalises one row of dim numbers; BLOCK is a power of two, at least dim."""
    ### BEGIN SOLUTION
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    mask = at < dim
    x = tl.load(x_ptr + row * dim + at, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=mask, other=0.0).to(tl.float32)
    y = x * tl.rsqrt(tl.sum(x * x, axis=0) / dim + eps) * weight
    tl.store(y_ptr + row * dim + at, y.to(y_ptr.dtype.element_ty), mask=mask)
    ### END SOLUTION


def triton_rms_norm(x, weight, eps):
    """RMSNorm's forward pass in a Triton kernel. x: [..., d]; weight: [d]. Returns [..., d] in x's dtype."""
    ### BEGIN SOLUTION
    rows = x.contiguous().view(-1, x.shape[-1])
    count, dim = rows.shape
    y = torch.empty_like(rows)
    rms_norm_kernel[(count,)](rows, weight, y, dim, eps, BLOCK=triton.next_power_of_2(dim))
    return y.view(x.shape)
    ### END SOLUTION


# %% nbgrader={"grade": false, "grade_id": "check_triton_rms_norm", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("triton_rms_norm")

# %% [markdown]
# ## Experiment 1: how many walks does spelled-out code make?
#
# A sceptical engineer asks: is eager code really that wasteful?
#
# Count it. Every kernel of the spelled-out code reads its inputs and writes its result. Compare the bytes with the least:
# 2 tensors for a norm's forward pass and 3 for its backward pass ($x$ and the incoming gradient are read, $x$'s gradient
# is written); for SwiGLU's pointwise part 3 and 5.
#
# The experiments use given code. They run whether or not you have solved the exercises.

# %% tags=["experiment"]
device = choose_device()
torch.manual_seed(0)
dtypes = {"float32": torch.float32, "bfloat16": torch.bfloat16}
excess = {}
for name, op in OPERATIONS.items():
    for precision, dtype in dtypes.items():
        arguments = op.arguments(256, 1024, dtype, device)
        calls = dict(zip(PASSES, (forward, both), strict=True))
        least = dict(zip(PASSES, (op.forward, op.forward + op.backward), strict=True))
        for passes, make in calls.items():
            moved = bytes_counted(make(op.spelled_out, arguments))
            excess[name, precision, passes] = moved / (least[passes] * arguments[0].nbytes)
print(f"{'spelled out, × the least':28}{PASSES[0]:>10}{PASSES[1]:>24}")
for name in OPERATIONS:
    for precision in dtypes:
        row = [excess[name, precision, passes] for passes in PASSES]
        print(f"{name + ', ' + precision:28}{row[0]:10.1f}{row[1]:24.1f}")

# %% tags=["experiment"]
figure, ax = plots.new_axes(height=3.4)
order = [f"{name}, {precision}" for name in OPERATIONS for precision in dtypes][::-1]
for passes, colour, marker in zip(PASSES, (plots.RMS, plots.LAYER), "os", strict=True):
    values = [excess[(*label.split(", "), passes)] for label in order]
    ax.plot(values, range(len(order)), marker, color=colour, label=passes)
ax.axvline(1, color=plots.FLOOR, linestyle="--", linewidth=1)
ax.set_yticks(range(len(order)), order)
ax.set(xlim=(0, None))
ax.legend(frameon=False, loc="lower right")
ax.set(xlabel="bytes moved / the least (dashed: 1)", ylabel="spelled out")
worst = max(excess, key=excess.get)
plots.show(
    figure,
    f"Spelled out, {worst[0]} in {worst[1]} moves up to {excess[worst]:.0f} times the least",
    f"In float32 RMSNorm's forward pass moves {excess['RMSNorm', 'float32', 'forward']:.1f} times the least, in bfloat16 "
    f"{excess['RMSNorm', 'bfloat16', 'forward']:.1f} times: there the steps in between are float32, twice as wide as x.",
)

# %% [markdown]
# So in bfloat16 the least is half of float32's, and yet the spelled-out norms move **more** bytes than in float32.

# %% [markdown]
# ## Experiment 2: what happens beyond the cache?
#
# A sceptical engineer asks: my micro-benchmark shows a norm that beats the memory. How?
#
# Because small tensors never leave the cache. So time over sizes, from well inside to far beyond, with a plain copy beside:
# it reads $x$ once and writes it once, the very floor of a norm.

# %% [markdown]
# ### First, compile
#
# `torch.compile` fuses the spelled-out code. Here are three operations in two dtypes, forward and backward. The first takes
# half a minute on a slow machine, the others some seconds. It needs a C++ compiler (on a GPU: Triton). Where there is
# none, the next cell says so in one sentence, and the eager rows go on without it.

# %% tags=["experiment"]
on_gpu = device.type == "cuda"
dim = 4096 if on_gpu else 1024
races = contests(device, tuple(dtypes.values()), dim)
no_compiler = next((race.reason for race in races.values() if race.reason), "")
print(no_compiler or "All are compiled.")

# %% [markdown]
# ### Then, time
#
# All take turns, so that a busy moment of the machine hits all of them. On a GPU its own clock is read, by CUDA events [4].
#
# Every call needs memory for its result. On a GPU PyTorch keeps freed memory for that. On a CPU the system hands it out page
# by page, cleared, which can take longer than the norm. So freed memory is kept here as well (on Linux; elsewhere the
# largest sizes come out slower, the copy as well).

# %% tags=["experiment"]
all_rows = [64, 256, 1024, 4096, 16384, *([65536] if on_gpu else [])]
norms = [races[name, torch.float32] for name in ("RMSNorm", "LayerNorm")]
times = sweep(norms, all_rows, dim)
largest = {name: by_size[all_rows[-1]] for name, by_size in times.items()}
print(busy(largest) or "The machine was quiet: the runs agree.")


# %% tags=["experiment"]
def bandwidth(name, rows):
    """Billions of bytes a second, counting the bytes that the operation has to move at the least."""
    return 2 * rows * dim * 4 / times[name][rows].median / 1e6


styles = {
    COPY: (plots.FLOOR, "x--"),
    "RMSNorm, compiled": (plots.RMS, "o-"),
    "LayerNorm, compiled": (plots.LAYER, "s-"),
    "RMSNorm, Triton": (plots.INK, "D-"),
    "LayerNorm, built in": (plots.LAYER, "s:"),
    "RMSNorm, built in": (plots.RMS, "o:"),
    "RMSNorm, spelled out": (plots.THIRD, "^-"),
}
mebibytes = [rows * dim * 4 / 2**20 for rows in all_rows]
figure, ax = plots.new_axes(height=4.2)
for name, (colour, style) in styles.items():
    if name in times:
        speeds = [bandwidth(name, rows) for rows in all_rows]
        ax.plot(mebibytes, speeds, style, color=colour, label=name, markersize=5)
ax.set_xscale("log", base=2)
ax.set_xticks(mebibytes, [f"{size:g}" for size in mebibytes])
ax.set_yscale("log", base=2)
ax.yaxis.set_major_formatter("{x:g}")
ax.set(xlabel="size of x in MiB", ylabel="10⁹ bytes a second")
ax.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
fused, words = ("RMSNorm, compiled", "compiled RMSNorm")
if no_compiler:
    fused, words = ("LayerNorm, built in", "built-in LayerNorm")
share = {name: bandwidth(name, all_rows[-1]) / bandwidth(COPY, all_rows[-1]) for name in times}
best = max(bandwidth(COPY, rows) for rows in all_rows)
plots.show(
    figure,
    f"Far beyond the cache, {words} reaches {share[fused]:.0%} of a copy's bandwidth, "
    f"spelled-out RMSNorm {share['RMSNorm, spelled out']:.0%}",
    f"Counted are the bytes that each has to move at the least. At {mebibytes[-1]:g} MiB a copy moves {bandwidth(COPY, all_rows[-1]):.3g} · 10⁹ bytes a second; "
    f"at its best size it moves {best:.3g} · 10⁹. For the smallest sizes the time is that of the call itself. "
    + (no_compiler and f"Nothing compiled is shown ({no_compiler})."),
)

# %% [markdown]
# Read it from left to right. First the **call** costs more than the work. Then the **cache** delivers, and everything looks faster
# than memory could be. Far right is what a large model sees: there a fused norm is a copy with some arithmetic hidden in it.

# %% [markdown]
# ## Experiment 3: forward and backward, float32 and bfloat16
#
# A sceptical engineer asks: fine, but I train, and in bfloat16.
#
# The floor of each row is what a copy takes **in the same run** for the least bytes of that row. So 1 means: no faster kernel is
# possible.
#
# On a GPU with Triton there are further rows: hand-written kernels, this course's and those of the library Liger [6], if it
# is installed.

# %% tags=["experiment"]
table_rows = 16384 if on_gpu else 8192
results = {}
for (name, dtype), race in races.items():
    precision = next(key for key, value in dtypes.items() if value == dtype)
    for (way, passes), result in beside_a_copy(race, table_rows, dim).items():
        results[name, precision, way, passes] = result
print(f"[{table_rows}, {dim}], milliseconds (× the floor)")
print(f"{'':34}{PASSES[0]:>20}{PASSES[1]:>24}")
for name, precision, way in dict.fromkeys(key[:3] for key in results):
    pair = [results[name, precision, way, passes] for passes in PASSES]
    cells = [f"{r.timing.median:.3g} ({r.times_floor:.1f})" for r in pair]
    print(f"{f'{name}, {precision}, {way}':34}{cells[0]:>20}{cells[1]:>24}")

# %% tags=["experiment"]
looks = {
    "spelled out": (plots.THIRD, "^"),
    "built in": (plots.LAYER, "s"),
    "compiled": (plots.RMS, "o"),
    "Triton": (plots.INK, "D"),
    "Liger": (plots.FLOOR, "v"),
}
figure, panels = plots.new_axes(panels=2, height=4.4, share_y=True)
for ax, passes in zip(panels, PASSES, strict=True):
    for way, (colour, marker) in looks.items():
        spots = [
            (results[name, precision, way, passes].times_floor, order.index(f"{name}, {precision}"))
            for name in OPERATIONS
            for precision in dtypes
            if (name, precision, way, passes) in results
        ]
        if spots:
            ax.plot(*zip(*spots, strict=True), marker, color=colour, label=way, markersize=6)
    ax.axvline(1, color=plots.FLOOR, linestyle="--", linewidth=1)
    ax.set(xscale="log", xlabel="time / the floor", ylabel="operation" if passes == PASSES[0] else " ")
    ax.set_title(passes)
    ax.set_xticks([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])
    ax.minorticks_off()
panels[0].set_yticks(range(len(order)), order)
figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)


def spread(way):
    """Smallest and largest multiple of the floor."""
    found = [r.times_floor for key, r in results.items() if key[2] == way]
    return f"{min(found):.1f} to {max(found):.1f}"


second = f"; compiled {spread('compiled')}" if not no_compiler else ""
plots.show(
    figure,
    f"Spelled out takes {spread('spelled out')} times the floor{second}",
    "Each mark is one way of running an operation, in multiples of what a copy takes for the least bytes. "
    f"{no_compiler and f'Nothing compiled is shown ({no_compiler}). '}"
    "The built-in RMSNorm stands where its kernels put it: on a CPU it is not fused.",
)

# %% [markdown]
# Compare RMSNorm and LayerNorm run **in the same way**, forward and backward. That is the comparison the note does not make.

# %% [markdown]
# ## Experiment 4: where is the roof?
#
# A sceptical engineer asks: why not fuse everything, matrix products too?
#
# Draw the roofline of your own machine. Its slope is the bandwidth of a large copy, its top the fastest matrix product
# you measure here. Products of a few rows with a large matrix move from the slope to the top as rows are added.

# %% tags=["experiment"]
some_rows = (1, 4, 16, 64, 256, 1024) if on_gpu else (1, 4, 16, 64, 256)
dots = products(device, some_rows, 2048, 8192)
elements = all_rows[-1] * dim
for name, bytes_each in (
    ("RMSNorm, compiled", 8),
    ("RMSNorm, spelled out", 8 * excess["RMSNorm", "float32", "forward"]),
):
    if name in times:
        per_element = OPERATIONS["RMSNorm"].flops
        speed = per_element * elements / largest[name].median / 1e6
        dots.append(Point(name, per_element / bytes_each, speed))
slope = bandwidth(COPY, all_rows[-1])
top = max(dot.speed for dot in dots)
ridge = top / slope

figure, ax = plots.new_axes(height=4.2)
reach = torch.logspace(-1.5, 3, 50)
plots.formula(ax, reach, (reach * slope).clamp(max=top))
for dot in dots:
    norm = dot.name.startswith("RMSNorm")
    plots.points(ax, [dot.per_byte], [dot.speed], plots.RMS if norm else plots.LAYER, "o" if norm else "s")
    plots.label(ax, dot.per_byte, dot.speed, dot.name, plots.RMS if norm else plots.LAYER, shift=(7, -9))
ax.axvline(ridge, color=plots.FLOOR, linewidth=1)
plots.label(ax, ridge, slope / 20, f"ridge: {ridge:.0f} operations a byte", plots.FLOOR)
ax.set(xscale="log", yscale="log", xlabel="operations for each byte", ylabel="10⁹ operations a second")
plots.show(
    figure,
    f"A norm does less than one operation a byte, and this machine could do {ridge:.0f}",
    f"Dashed: the roof, from a copy's {slope:.3g} · 10⁹ bytes a second and the fastest product's {top:.3g} · 10⁹ "
    "operations a second. Squares are products of some rows with a matrix of 2048 × 8192. "
    "A product of one row mostly reads, and reading alone can beat a copy, so it may lie above the roof.",
)

# %% [markdown]
# So a norm can only get faster by moving less. A large product waits for arithmetic, and fusing more into it saves traffic that it
# does not wait for.
#
# ### What a count of FLOPs does not see
#
# The note compares networks "per FLOP". How large is the share of SwiGLU's pointwise part, by FLOPs and by the clock?
# (SiLU counts as four operations for each number here, and the product as one.)

# %% tags=["experiment"]
width, hidden, tokens = (4096, 11008, 8192) if on_gpu else (512, 1408, 2048)
ffn = SwiGLU(width, hidden).to(device)
x = torch.randn(tokens, width, device=device)
with torch.no_grad():
    gate, up = ffn.gate_proj(x), ffn.up_proj(x)
    shares = time_calls({"whole": lambda: ffn(x), "part": lambda: F.silu(gate) * up}, device, limit_s=3.0)
by_clock = 100 * shares["part"].median / shares["whole"].median
by_flops = 100 * 5 * hidden / (6 * width * hidden + 5 * hidden)
print(f"SiLU and the product, spelled out: {by_flops:.2f} % of the FLOPs, {by_clock:.1f} % of the time")

# %% [markdown]
# ## Experiment 5: what is kept for the backward pass?
#
# A sceptical engineer asks: does lean matter, if $x$ is kept anyway?
#
# Collect everything that autograd holds on to, in multiples of the size of $x$ (for SwiGLU: of gate). Your own `lean_rms_norm` is
# not used here, but is welcome: put it into the list.

# %% tags=["experiment"]
keepers = {"RMSNorm": given_lean_rms_norm, "SwiGLU": given_lean_swiglu}
kept = {}
for name, lean in keepers.items():
    for precision, dtype in dtypes.items():
        race, arguments = races[name, dtype], OPERATIONS[name].arguments(1024, dim, dtype, device)
        for way, function in [*race.functions.items(), ("lean", lean)]:
            kept[name, precision, way] = kept_bytes(lambda f=function, a=arguments: f(*a)) / arguments[0].nbytes
for (name, precision, way), multiple in kept.items():
    print(f"{f'{name}, {precision}, {way}':32}{multiple:5.2f} × the size of its input")

# %% [markdown]
# The lean norm keeps its input and hardly anything more. A compiler makes the same choice by itself, in its own way: it
# weighs what to keep against what to compute again.
#
# A block has two norms and one SwiGLU, and the hidden width is larger than the stream's. So the last rows weigh most.

# %% [markdown]
# ## Experiment 6: SwiGLU over two shards
#
# A sceptical engineer asks: my FFN does not fit on one GPU. Can it be cut without changing it?
#
# Cut between **hidden units**: each shard gets half of the columns of $W_{\text{gate}}$ and $W_{\text{up}}$ and the matching half
# of the rows of $W_{\text{down}}$ [5]. The output is a sum over hidden units, so the shards' outputs just add up:
#
# $$\mathrm{SwiGLU}(x) = \sum_{s}\Bigl(\mathrm{SiLU}(x W_{\text{gate}}^{(s)}) \odot (x W_{\text{up}}^{(s)})\Bigr) W_{\text{down}}^{(s)}$$

# %% tags=["experiment"]
torch.manual_seed(0)
ffn = SwiGLU(64, 192).double().to(device)
x = torch.randn(32, 64, dtype=torch.float64, device=device)
w_gate, w_up, w_down = ffn.gate_proj.weight.T, ffn.up_proj.weight.T, ffn.down_proj.weight.T


def relative(a, b):
    return ((a - b).norm() / b.norm()).item()


with torch.no_grad():
    whole = ffn(x)
    by_units = [(w_gate[:, s], w_up[:, s], w_down[s]) for s in (slice(0, 96), slice(96, 192))]
    partial_sums = [(F.silu(x @ g) * (x @ u)) @ d for g, u, d in by_units]
    # The other cut, along the token's width: each shard has half of the rows of gate and up.
    halves = [slice(0, 32), slice(32, 64)]
    too_early = [F.silu(x[:, s] @ w_gate[s]) * (x[:, s] @ w_up[s]) for s in halves]
    shards_off = relative(sum(partial_sums), whole)
    other_off = relative(sum(too_early) @ w_down, whole)
held = sum(t.numel() for t in by_units[0]) / sum(p.numel() for p in ffn.parameters())
print(f"between hidden units: each shard holds {held:.0%} of the weights, the sum is off by {shards_off:.0e}")
print(f"along the token's width, added after SiLU: off by {other_off:.1f}")

# %% [markdown]
# One sum at the end is all the shards exchange. Cut along the token's width, they would have to add up **before** SiLU as well: SiLU of a
# sum is not the sum of SiLUs.

# %% [markdown]
# ## Experiment 7: is a hand-written kernel right?
#
# A sceptical engineer asks: who checks the kernel?
#
# Here are given Triton kernels, forward and backward, against PyTorch in float64. On a GPU they have been timed above. In the
# interpreter a time would say nothing, so there only the numbers are compared.

# %% tags=["experiment"]
kernel_error = {}
if not no_triton:
    for precision, dtype in dtypes.items():
        for name, kernel in {"RMSNorm": rms_norm_by_triton, "SwiGLU": swiglu_by_triton}.items():
            arguments = OPERATIONS[name].arguments(6, 37, dtype, device)
            wide = [a.detach().double().requires_grad_() if torch.is_tensor(a) else a for a in arguments]
            torch.manual_seed(1)
            mine = [kernel(*arguments), *both(kernel, arguments)()]
            torch.manual_seed(1)
            right = [OPERATIONS[name].spelled_out(*wide)]
            leaves = [a for a in wide if torch.is_tensor(a)]
            right += torch.autograd.grad(right[0], leaves, torch.randn_like(arguments[0]).double())
            off = max(relative(a.double(), b) for a, b in zip(mine, right, strict=True))
            kernel_error[name, precision] = off
            print(f"{name}, {precision}: result and gradients are off by at most {off:.1e}, {HOW}")
print(no_triton)

# %% [markdown]
# A bfloat16 number has 8 significant bits, so an error of some thousandths is its rounding.

# %% [markdown]
# ## Claimed against measured
#
# What the note claims, beside what your machine has measured. "25 % faster" means: in the time of 100 LayerNorms you can run
# 125 RMSNorms. Less than 0 % is slower.

# %% tags=["experiment"]
speed = partial(Claim, "RMSNorm is ~15-30 % faster", claimed=(15, 30), margin=2, unit=" %")


def lead(precision, way, passes):
    """By how many percent RMSNorm is faster than LayerNorm, run in the same way."""
    pair = [results.get((name, precision, way, passes)) for name in ("RMSNorm", "LayerNorm")]
    return faster_by(*(result.timing for result in pair)) if all(pair) else None


arguments = OPERATIONS["LayerNorm"].arguments(256, 1024, torch.float32, device)
in_one = bytes_counted(forward(lambda x, w, b, eps: F.layer_norm(x, x.shape[-1:], w, b, eps), arguments))
centring = 100 * (in_one / (OPERATIONS["LayerNorm"].forward * arguments[0].nbytes) - 1)
fused_lead = lead("bfloat16", "compiled", PASSES[1]) if on_gpu else None
ClaimTable(
    speed("spelled out, float32, forward", measured=lead("float32", "spelled out", PASSES[0])),
    *(
        speed(f"compiled, {precision}, {passes}", measured=lead(precision, "compiled", passes), missing=no_compiler)
        for precision in dtypes
        for passes in PASSES
    ),
    Claim(
        "faster on GPUs",
        "compiled, bfloat16, forward and backward",
        claimed=0,
        measured=fused_lead,
        margin=2,
        direction="more than",
        unit=" %",
        missing=no_compiler or "no GPU here",
    ),
    Claim(
        "centring costs extra GPU memory reads/writes",
        "built-in LayerNorm: bytes above the least",
        claimed=0,
        measured=centring,
        margin=2,
        direction="more than",
        unit=" %",
    ),
    Claim(
        "better accuracy per FLOP: a FLOP is what is paid",
        "SwiGLU's pointwise part: share of the time",
        claimed=by_flops,
        measured=by_clock,
        margin=0.5,
        unit=" %",
    ),
)

# %% [markdown]
# ### How to read it
#
# **15-30 %** is a statement about two implementations. Look at how the lead changes from row to row on one machine.
#
# **Centring** costs traffic only where it is a step of its own. In one kernel it moves next to nothing.
#
# **FLOPs** are the right currency for large products, and the wrong one for everything else in a block.
#
# A speed without the floor beside it says little. With it you know whether work on the kernel can pay at all.

# %% [markdown]
# ## Written answer
#
# ●●○ · 4 minutes · 5 points, given by a person
#
# A colleague says: "Norms take 10 % of our training step. I shall write a Triton kernel for RMSNorm: a hand-written
# kernel is ten times as fast." We train in bfloat16, and the model is compiled. Answer in three to six sentences.
#
# One point each, if you
#
# 1. give the floor: what the norm has to move, forward and backward, and how to turn that into a time;
# 2. say that a compiled norm is near the floor already, with a number from your own run;
# 3. say where "ten times" can be true, and what it is compared with there;
# 4. bound the gain of the whole step, from the 10 %;
# 5. name something else that a kernel could save: what is kept for the backward pass, or the traffic of a neighbour that is fused into it.

# %% [markdown] nbgrader={"grade": true, "grade_id": "written_floor", "locked": false, "points": 5, "schema_version": 3, "solution": true, "task": false}
# First compute the floor: forward a norm reads and writes one tensor each, backward it reads two and writes one, so
# five tensors of two bytes an element, divided by the bandwidth of a copy measured on that machine. In my run the
# compiled norm's forward pass took about 1.3 times its floor, so no kernel whatever can make it much faster. Ten times
# is what one sees against spelled-out bfloat16 code, which moves nine times the least because its steps in between are
# float32; our model is compiled, so that is not what we replace. Even if the norms took no time at all, the step would
# take 10 % less. A kernel pays if it saves other traffic: by adding the residual in the same pass, or by keeping one
# number a row in place of whole tensors, which frees memory for a larger batch.

# %% [markdown]
# ## Quick quiz
#
# Three questions. They are not graded.

# %%
quiz("12_speed")

# %% [markdown]
# ## Sources
#
# 1. S. Williams, A. Waterman, D. Patterson: *Roofline: An Insightful Visual Performance Model for Multicore
#    Architectures*. CACM 2009, **[doi:10.1145/1498765.1498785](https://doi.org/10.1145/1498765.1498785)**.
# 2. PyTorch: **[Extending PyTorch](https://docs.pytorch.org/docs/stable/notes/extending.html)**, on custom functions.
# 3. P. Tillet, H. T. Kung, D. Cox: *Triton: An Intermediate Language and Compiler for Tiled Neural Network
#    Computations*. MAPL 2019, **[doi:10.1145/3315508.3329973](https://doi.org/10.1145/3315508.3329973)**, and
#    **[its tutorials](https://triton-lang.org/main/getting-started/tutorials/index.html)**.
# 4. PyTorch: **[CUDA semantics](https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution)**, on
#    asynchronous execution and events.
# 5. M. Shoeybi and others: *Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism*.
#    2019, **[arXiv:1909.08053](https://arxiv.org/abs/1909.08053)**, section 3.
# 6. P.-L. Hsu and others: *Liger Kernel: Efficient Triton Kernels for LLM Training*. 2024,
#    **[arXiv:2410.10989](https://arxiv.org/abs/2410.10989)**. Timed above where it is installed and there is a GPU.
# 7. The course's note: *Modern Transformer Internals: Residual Streams, Pre-Norm RMSNorm & SwiGLU*, sections 1 to 3,
#    and "In Simple English".
#
# Next: lesson 13 (core) asks you about everything so far.
