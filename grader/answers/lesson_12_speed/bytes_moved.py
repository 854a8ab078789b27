"""Right and wrong ways to write `bytes_moved(op, rows, dim, itemsize)`."""

import math

import torch

from grader.answers import Answers

answers = Answers(
    "bytes_moved",
    why="A fused kernel reads each input once and writes its result once; what it computes in between stays on the "
    "chip. A norm has one input and one result of rows · dim numbers, centring or not. SwiGLU's pointwise part "
    "reads gate and up and writes their product: three.",
)
TENSORS = {"rms_norm": 2, "layer_norm": 2, "swiglu_pointwise": 3}


@answers.right
def by_table(op, rows, dim, itemsize):
    tensors = {"rms_norm": 2, "layer_norm": 2, "swiglu_pointwise": 3}[op]
    return tensors * rows * dim * itemsize


@answers.right
def by_condition(op: str, rows: int, dim: int, itemsize: int) -> int:
    inputs = 2 if op.startswith("swiglu") else 1
    return (inputs + 1) * rows * dim * itemsize


@answers.right
def reads_then_writes(op, rows, dim, itemsize):
    read = rows * dim * itemsize
    if op == "swiglu_pointwise":
        read *= 2
    written = rows * dim * itemsize
    return read + written


@answers.right
def by_match(op, rows, dim, itemsize):
    match op:
        case "rms_norm" | "layer_norm":
            passes = 2
        case "swiglu_pointwise":
            passes = 3
        case _:
            raise ValueError(f"unknown op {op!r}")
    return math.prod((passes, rows, dim, itemsize))


@answers.right
def of_real_tensors(op, rows, dim, itemsize):
    dtype = {2: torch.bfloat16, 4: torch.float32, 8: torch.float64}[itemsize]
    inputs = [torch.empty(rows, dim, dtype=dtype, device="meta") for _ in range(2 if "swiglu" in op else 1)]
    return sum(tensor.nbytes for tensor in [*inputs, torch.empty_like(inputs[0])])


@answers.right
def row_by_row(op, rows, dim, itemsize, *, verbose=False):
    row = dim * itemsize
    return sum([row] * rows * (3 if op == "swiglu_pointwise" else 2))


@answers.mistake("reads only", "What is written has to cross the same wires: count the result as well.")
def reads_only(op, rows, dim, itemsize):
    return (TENSORS[op] - 1) * rows * dim * itemsize


@answers.mistake("writes only", "What is read has to cross the wires, too: count the inputs as well.")
def writes_only(op, rows, dim, itemsize):
    return rows * dim * itemsize


@answers.mistake(
    "x is read once for the mean and once more to be scaled",
    "A fused kernel has the row on the chip when it comes to scaling it. Each tensor is counted once.",
)
def reads_x_twice(op, rows, dim, itemsize):
    return 3 * rows * dim * itemsize


@answers.mistake(
    "centring costs another read",
    "Fused, the row is on the chip when its mean is known, and subtracting moves nothing: both norms move the same.",
)
def centring_reads_again(op, rows, dim, itemsize):
    return {"rms_norm": 2, "layer_norm": 3, "swiglu_pointwise": 3}[op] * rows * dim * itemsize


@answers.mistake(
    "centring costs another read and write",
    "Spelled out, it would. A fused kernel never writes the centred row to memory.",
)
def centring_reads_and_writes(op, rows, dim, itemsize):
    return {"rms_norm": 2, "layer_norm": 4, "swiglu_pointwise": 3}[op] * rows * dim * itemsize


@answers.mistake(
    "one read for each use of x",
    "You count x for the mean, for the variance and for the scaling. A fused kernel loads a row once.",
)
def one_read_for_each_use(op, rows, dim, itemsize):
    return {"rms_norm": 3, "layer_norm": 4, "swiglu_pointwise": 3}[op] * rows * dim * itemsize


@answers.mistake(
    "two separate operations for SwiGLU",
    "SiLU by itself writes its result, and the product reads it again: five tensors. Fused, that result never leaves "
    "the chip.",
)
def eager_for_fused(op, rows, dim, itemsize):
    return {"rms_norm": 2, "layer_norm": 2, "swiglu_pointwise": 5}[op] * rows * dim * itemsize


@answers.mistake(
    "every step by itself", "You count what the formulas spelled out would move. Asked is the least: one fused kernel."
)
def all_eager(op, rows, dim, itemsize):
    return {"rms_norm": 7, "layer_norm": 12, "swiglu_pointwise": 5}[op] * rows * dim * itemsize


@answers.mistake(
    "SiLU's result is written as well",
    "A fused kernel writes one tensor: the product. SiLU's result stays on the chip.",
)
def writes_silu(op, rows, dim, itemsize):
    return {"rms_norm": 2, "layer_norm": 2, "swiglu_pointwise": 4}[op] * rows * dim * itemsize


@answers.mistake(
    "two tensors for everything", "SwiGLU's pointwise part has two inputs, gate and up, and one result: three tensors."
)
def two_always(op, rows, dim, itemsize):
    return 2 * rows * dim * itemsize


@answers.mistake(
    "down's input as well", "The product is written once here. That the next layer reads it is that layer's traffic."
)
def next_layer_reads(op, rows, dim, itemsize):
    return (TENSORS[op] + 1) * rows * dim * itemsize


@answers.mistake("elements in place of bytes", "Each number takes `itemsize` bytes.")
def elements(op, rows, dim, itemsize):
    return TENSORS[op] * rows * dim


@answers.mistake("four bytes a number", "Use the argument `itemsize`: in bfloat16 a number takes two bytes.")
def always_four(op, rows, dim, itemsize):
    return TENSORS[op] * rows * dim * 4


@answers.mistake("two bytes a number", "Use the argument `itemsize`: in float32 a number takes four bytes.")
def always_two(op, rows, dim, itemsize):
    return TENSORS[op] * rows * dim * 2


@answers.mistake("bits", "The itemsize is in bytes already.")
def bits(op, rows, dim, itemsize):
    return 8 * TENSORS[op] * rows * dim * itemsize


@answers.mistake("one row", "All rows are read and written.")
def one_row(op, rows, dim, itemsize):
    return TENSORS[op] * dim * itemsize


@answers.mistake("rows and dim added", "A tensor of rows × dim has rows times dim numbers.")
def added(op, rows, dim, itemsize):
    return TENSORS[op] * (rows + dim) * itemsize


@answers.mistake(
    "the weights as well", "Weights are not counted here: one row of them serves all rows, and stays in the cache."
)
def with_weights(op, rows, dim, itemsize):
    weights = {"rms_norm": 1, "layer_norm": 2, "swiglu_pointwise": 0}[op]
    return (TENSORS[op] * rows + weights) * dim * itemsize


@answers.mistake(
    "the number kept for each row as well",
    "Asked is the forward pass alone: what the backward pass would need is not kept.",
)
def with_statistics(op, rows, dim, itemsize):
    return (TENSORS[op] * dim + (op != "swiglu_pointwise")) * rows * itemsize


@answers.mistake("forward and backward", "Asked is the forward pass alone.")
def with_backward(op, rows, dim, itemsize):
    return {"rms_norm": 5, "layer_norm": 5, "swiglu_pointwise": 8}[op] * rows * dim * itemsize


@answers.mistake("the backward pass", "Asked is the forward pass. These are the backward's tensors.")
def backward_only(op, rows, dim, itemsize):
    return {"rms_norm": 3, "layer_norm": 3, "swiglu_pointwise": 5}[op] * rows * dim * itemsize


@answers.mistake("a float", "A number of bytes is a whole one: `/` and factors like 1.5 make a float of it.")
def a_float(op, rows, dim, itemsize):
    return TENSORS[op] * rows * dim * itemsize / 1


@answers.mistake("mebibytes", "Asked are bytes, with no division.")
def mebibytes(op, rows, dim, itemsize):
    return TENSORS[op] * rows * dim * itemsize / 2**20


@answers.mistake("a tensor", "The answer is a plain Python int; a tensor needs `.item()`.")
def a_tensor(op, rows, dim, itemsize):
    return torch.tensor(TENSORS[op] * rows * dim * itemsize)
