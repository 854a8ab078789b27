"""Right and wrong ways to write `triton_rms_norm(x, weight, eps)`. Without Triton none of them can be run."""

import torch

from grader.answers import Answers
from lessons.support.triton_here import find_triton

triton, tl, _ = find_triton()

answers = Answers(
    "triton_rms_norm",
    why="One program a row. It reads its row once, under a mask because a block is a power of two and a row is not, "
    "does everything in float32 on the chip, and writes the result once. What is masked out is loaded as 0, so that it "
    "adds nothing to the sum, which is divided by dim.",
)


def _launch(kernel, x, weight, eps, block=None, empty=torch.empty_like, programs=None):
    """One program for each row of a contiguous x; what the wrong kernels below have in common."""
    rows = x.contiguous().view(-1, x.shape[-1])
    y, dim = empty(rows), rows.shape[1]
    kernel[(programs or len(rows),)](rows, weight, y, rows.shape[0], dim, eps, BLOCK=block or _block(dim))
    return y.view(x.shape)


def _block(dim):
    return triton.next_power_of_2(dim)


@answers.right
def one_program_a_row(x, weight, eps):
    @triton.jit
    def kernel(x_ptr, weight_ptr, y_ptr, dim, eps, BLOCK: tl.constexpr):
        row, at = tl.program_id(0), tl.arange(0, BLOCK)
        inside = at < dim
        x = tl.load(x_ptr + row * dim + at, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
        r = tl.sqrt(tl.sum(x * x, axis=0) / dim + eps)
        tl.store(y_ptr + row * dim + at, (x / r * weight).to(y_ptr.dtype.element_ty), mask=inside)

    rows = x.contiguous().view(-1, x.shape[-1])
    y, dim = torch.empty_like(rows), rows.shape[1]
    kernel[(len(rows),)](rows, weight, y, dim, eps, BLOCK=triton.next_power_of_2(dim))
    return y.view(x.shape)


@triton.jit
def _by_pieces(x_ptr, weight_ptr, y_ptr, rows, dim, eps, BLOCK: tl.constexpr):
    """A row longer than the block: once over it for the sum, once more to scale it."""
    start, total = tl.program_id(0) * dim, 0.0
    for piece in range(0, dim, BLOCK):
        at = piece + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + at, mask=at < dim, other=0.0).to(tl.float32)
        total += tl.sum(x * x, axis=0)
    inverse = tl.rsqrt(total / dim + eps)
    for piece in range(0, dim, BLOCK):
        at = piece + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + at, mask=at < dim, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + at, mask=at < dim, other=0.0).to(tl.float32)
        tl.store(y_ptr + start + at, (x * inverse * weight).to(y_ptr.dtype.element_ty), mask=at < dim)


@answers.right
def by_pieces(x, weight, eps):
    return _launch(_by_pieces, x, weight, eps, block=256)


@triton.jit
def _four_rows(x_ptr, weight_ptr, y_ptr, rows, dim, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None]
    at = tl.arange(0, BLOCK)[None, :]
    inside = (row < rows) & (at < dim)
    x = tl.load(x_ptr + row * dim + at, mask=inside, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=at < dim, other=0.0).to(tl.float32)
    inverse = tl.rsqrt(tl.sum(x * x, axis=1) / dim + eps)
    y = x * inverse[:, None] * weight
    tl.store(y_ptr + row * dim + at, y.to(y_ptr.dtype.element_ty), mask=inside)


@answers.right
def four_rows_a_program(x, weight, eps):
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    y = torch.empty_like(rows)
    grid = lambda meta: (triton.cdiv(rows.shape[0], 4),)  # noqa: E731 (how Triton's tutorials write it)
    _four_rows[grid](rows, weight, y, *rows.shape, eps, BLOCK=_block(rows.shape[1]))
    return y.reshape(x.shape)


@triton.jit
def _roots(x_ptr, r_ptr, dim, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * dim + at, mask=at < dim, other=0.0).to(tl.float32)
    tl.store(r_ptr + row, tl.sqrt(tl.sum(x * x) / dim + eps))


@triton.jit
def _scale(x_ptr, weight_ptr, r_ptr, y_ptr, dim, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * dim + at, mask=at < dim).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=at < dim).to(tl.float32)
    y = x / tl.load(r_ptr + row) * weight
    tl.store(y_ptr + row * dim + at, y.to(y_ptr.dtype.element_ty), mask=at < dim)


@answers.right
def two_kernels(x, weight, eps):
    rows = x.contiguous().view(-1, x.shape[-1])
    (count, dim), block = rows.shape, _block(rows.shape[-1])
    r, y = torch.empty(count, dtype=torch.float32, device=x.device), torch.empty_like(rows)
    _roots[(count,)](rows, r, dim, eps, BLOCK=block)
    _scale[(count,)](rows, weight, r, y, dim, BLOCK=block)
    return y.view_as(x)


@triton.jit
def _strided(x_ptr, weight_ptr, y_ptr, row_stride, stride, dim, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + at * stride, mask=at < dim, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=at < dim, other=0.0).to(tl.float32)
    inverse = 1.0 / tl.sqrt(tl.sum(x * x, axis=0) / dim + eps)
    tl.store(y_ptr + row * dim + at, (weight * (x * inverse)).to(y_ptr.dtype.element_ty), mask=at < dim)


@answers.right
def any_strides(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    rows = x.reshape(-1, x.shape[-1])
    y = torch.empty(rows.shape, dtype=x.dtype, device=x.device)
    _strided[(len(rows),)](rows, weight, y, *rows.stride(), rows.shape[1], eps, BLOCK=_block(rows.shape[1]))
    return y.reshape(x.shape)


@triton.jit
def _switches(
    x_ptr,
    weight_ptr,
    y_ptr,
    rows,
    dim,
    eps,
    BLOCK: tl.constexpr,
    MEAN: tl.constexpr,
    EPS: tl.constexpr,
    WEIGHT: tl.constexpr,
    READ: tl.constexpr,
):
    """A right kernel whose parts can be switched to something wrong."""
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside, start = at < dim, row * dim
    if READ == "first row":
        x = tl.load(x_ptr + at, mask=inside, other=0.0).to(tl.float32)
    elif READ == "tensor":
        x = tl.load(x_ptr + start + at, mask=start + at < rows * dim, other=0.0).to(tl.float32)
    elif READ == "ones":
        x = tl.load(x_ptr + start + at, mask=inside, other=1.0).to(tl.float32)
    else:
        x = tl.load(x_ptr + start + at, mask=inside, other=0.0).to(tl.float32)
    if MEAN == "centred":
        x = tl.where(inside, x - tl.sum(x, axis=0) / dim, 0.0)
    total = tl.sum(x * x, axis=0)
    if MEAN == "block":
        mean = total / BLOCK
    elif MEAN == "sum":
        mean = total
    else:
        mean = total / dim
    if EPS == "outside":
        r = tl.sqrt(mean) + eps
    elif EPS == "none":
        r = tl.sqrt(mean)
    elif EPS == "fixed":
        r = tl.sqrt(mean + 1e-6)
    elif EPS == "no root":
        r = mean + eps
    else:
        r = tl.sqrt(mean + eps)
    y = x / r
    if WEIGHT == "used":
        y = y * tl.load(weight_ptr + at, mask=inside, other=0.0).to(tl.float32)
    elif WEIGHT == "first":
        y = y * tl.load(weight_ptr).to(tl.float32)
    tl.store(y_ptr + start + at, y.to(y_ptr.dtype.element_ty), mask=inside)


def _wrong(x, weight, eps, MEAN="right", EPS="right", WEIGHT="used", READ="right", **launch):
    class Kernel:
        def __getitem__(self, grid):
            return lambda *a, **k: _switches[grid](*a, MEAN=MEAN, EPS=EPS, WEIGHT=WEIGHT, READ=READ, **k)

    return _launch(Kernel(), x, weight, eps, **launch)


@answers.mistake(
    "torch in place of a kernel", "The numbers are right. The exercise is to compute them in a kernel of your own."
)
def by_torch(x, weight, eps):
    return (x.float() * torch.rsqrt(x.float().square().mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)


@answers.mistake(
    "the mean over the block", "The block is a power of two, the row is not: divide the sum of the squares by dim."
)
def mean_over_block(x, weight, eps):
    return _wrong(x, weight, eps, MEAN="block")


@answers.mistake("a sum in place of the mean", "Divide the sum of the squares by dim before eps is added.")
def sum_for_mean(x, weight, eps):
    return _wrong(x, weight, eps, MEAN="sum")


@answers.mistake("subtracting the mean", "That is LayerNorm without a bias. RMSNorm leaves the mean where it is.")
def subtracts_mean(x, weight, eps):
    return _wrong(x, weight, eps, MEAN="centred")


@answers.mistake("eps outside the root", "eps is added to the mean square, before the root is taken.")
def eps_outside_root(x, weight, eps):
    return _wrong(x, weight, eps, EPS="outside")


@answers.mistake("no eps", "A row of zeros is divided by zero and becomes NaN. eps, inside the root, prevents it.")
def no_eps(x, weight, eps):
    return _wrong(x, weight, eps, EPS="none")


@answers.mistake("a fixed eps of 1e-6", "Your code does not use the argument `eps`; models differ in it.")
def fixed_eps(x, weight, eps):
    return _wrong(x, weight, eps, EPS="fixed")


@answers.mistake("no root", "The row is divided by the *root* of the mean square; yours divides by the mean square.")
def no_root(x, weight, eps):
    return _wrong(x, weight, eps, EPS="no root")


@answers.mistake("the weight is ignored", "Load the weight like the row, and multiply by it.")
def ignores_weight(x, weight, eps):
    return _wrong(x, weight, eps, WEIGHT="ignored")


@answers.mistake("the first weight for all", "Each feature has a weight of its own: load them all, under the mask.")
def first_weight(x, weight, eps):
    return _wrong(x, weight, eps, WEIGHT="first")


@answers.mistake(
    "every program reads the first row", "Program `tl.program_id(0)` works on that row, which begins at row * dim."
)
def first_row_for_all(x, weight, eps):
    return _wrong(x, weight, eps, READ="first row")


@answers.mistake(
    "the mask keeps inside the tensor, not inside the row",
    "A block that is longer than the row reads on into the next one. The mask has to say: position below dim.",
)
def mask_of_the_tensor(x, weight, eps):
    return _wrong(x, weight, eps, READ="tensor")


@answers.mistake(
    "what is masked out is loaded as 1", "`other` is what stands in for it. It enters the sum, so it has to be 0."
)
def other_is_one(x, weight, eps):
    return _wrong(x, weight, eps, READ="ones")


@answers.mistake(
    "one program only", "The grid has one program for each row; yours has one, and the other rows are left."
)
def one_program(x, weight, eps):
    return _wrong(x, weight, eps, programs=1, empty=torch.zeros_like)


@answers.mistake(
    "a block of 1024 for every row", "A longer row is cut off there. The block is the next power of two from dim on."
)
def fixed_block(x, weight, eps):
    return _wrong(x, weight, eps, block=1024, empty=torch.zeros_like)


@answers.mistake(
    "x need not be contiguous",
    "The kernel counts on rows that lie one after the other. Make x contiguous first, or pass its strides.",
)
def not_contiguous(x, weight, eps):
    y = torch.zeros_like(x)
    rows, dim = x.numel() // x.shape[-1], x.shape[-1]
    options = {"MEAN": "right", "EPS": "right", "WEIGHT": "used", "READ": "right", "BLOCK": _block(dim)}
    _switches[(rows,)](x, weight, y, rows, dim, eps, **options)
    return y


@answers.mistake("the shape is lost", "Give the result x's own shape again: `[..., d]`.")
def flattened(x, weight, eps):
    return _wrong(x, weight, eps).reshape(-1, x.shape[-1])


@answers.mistake("the result stays float32", "Inside, float32 is right. What is stored and returned has x's dtype.")
def stays_float32(x, weight, eps):
    return _wrong(x, weight, eps, empty=lambda rows: torch.empty_like(rows, dtype=torch.float32))
