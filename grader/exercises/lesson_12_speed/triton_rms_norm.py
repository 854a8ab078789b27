"""`triton_rms_norm(x, weight, eps)`: the forward pass as a Triton kernel. Extra: not every machine has Triton."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_12_speed.lean_rms_norm import FORBIDDEN
from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.triton_here import launches, triton_device, triton_missing

HALF = {"rtol": 1.6e-2, "atol": 8e-3}


def cases(seed: int) -> list[Case]:
    """Few rows, because the interpreter is slow. Rows as long as a power of two hide a missing mask."""
    draw = Inputs(seed)

    def case(name, about, x, eps, **tolerance):
        return Case(name, about, {"x": x, "weight": draw.weight(x.shape[-1]).to(x.dtype), "eps": eps}, **tolerance)

    zero_row = draw.normal(2, 4, mean=1.0)
    zero_row[0] = 0.0
    half = draw.normal(3, 9, mean=1.0).bfloat16()
    return [
        case("power", "a [3, 8] tensor", draw.normal(3, 8, mean=0.5), 1e-5),
        case("odd", "a [4, 13] tensor: 13 is no power of two", draw.normal(4, 13, mean=1.0), 1e-5),
        case("batch", "a [2, 3, 5] batch", draw.normal(2, 3, 5, mean=2.0), 1e-5),
        case("vector", "one vector of 6 numbers", draw.normal(6), 1e-5),
        case("transposed", "a transposed, non-contiguous [5, 3] tensor", draw.normal(3, 5, scale=3.0).T, 1e-6),
        case("wide", "long rows, [2, 1100]", draw.normal(2, 1100, mean=0.3), 1e-6),
        case("bfloat16", "a [3, 9] tensor of bfloat16", half, 1e-6, **HALF),
        case("large_eps", "a [2, 7] tensor with eps = 0.1", draw.normal(2, 7, mean=0.5), 0.1),
        case("small", "a [2, 6] tensor of numbers near 0.001 with eps = 1e-5", draw.normal(2, 6, scale=1e-3), 1e-5),
        case("zeros", "a [2, 4] tensor with a row of zeros", zero_row, 1e-6),
    ]


def probe(triton_rms_norm, rec: Recorder) -> None:
    x, weight = rec.inputs("x", "weight")
    device = triton_device()
    with launches() as count:
        y = triton_rms_norm(x.to(device), weight.to(device), rec["eps"])
    rec.number("kernel_ran", int(count[0] > 0))
    rec.output("y", y)


ORDINARY = ("power", "odd", "batch", "vector", "transposed", "wide", "bfloat16")
EDGES = ("large_eps", "small", "zeros")

EXERCISE = Exercise(
    id="triton_rms_norm",
    lesson="12_speed",
    name="triton_rms_norm",
    kind="function",
    signature="triton_rms_norm(x, weight, eps)",
    arguments=("x", "weight", "eps"),
    checks=(
        Check("values", 3, "ordinary inputs of every rank", ORDINARY, ("kernel_ran", "y")),
        Check("edges", 2, "tiny numbers, zeros and a large eps", EDGES, ("kernel_ran", "y")),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "One program for each row. It needs to know which row it is (`tl.program_id`), where that begins in memory, "
        "and which numbers of a block of a power of two lie inside the row (a mask).",
        "In the kernel: positions by `tl.arange(0, BLOCK)`, a mask for those below dim, `tl.load` with the mask and "
        "`other=0.0`, then the formula, with `tl.sum` for the mean, and `tl.store` with the same mask. Around it: a "
        "contiguous [rows, dim] view, an empty result, one program a row.",
        "The row begins at row * dim. Divide the sum of the squares by dim, not by BLOCK. BLOCK is "
        "`triton.next_power_of_2(dim)`. Widen with `.to(tl.float32)` after loading. Launch it as "
        "`rms_norm_kernel[(rows,)](…, BLOCK=…)`.",
    ),
    forbidden=FORBIDDEN,
    extra=True,
    missing=triton_missing,
)
