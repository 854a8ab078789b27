"""`rms_norm(x, weight, eps)`: the function."""

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

FORBIDDEN = (
    "torch.nn.functional.rms_norm",
    "torch.nn.RMSNorm",
    "torch.rms_norm",
    "lessons.support.norms.given_rms_norm",
    "lessons.support.llama.RMSNorm.forward",
)
HALF = {"rtol": 1.6e-2, "atol": 8e-3}  # bfloat16 has 8 bits: every right order of operations fits in this
GRADIENTS = ("grad_x", "grad_weight")


def norm_cases(seed: int) -> list[Case]:
    """Inputs on which the mistakes of a norm over the last axis show, each with x, weight, eps and grad_y.

    All sizes differ. A mean far from zero shows centring; a scale of 1e-3 and a large eps show where eps
    stands; a row of zeros shows a missing one; float64 and bfloat16 show a changed dtype. Ordinary rows are large, so
    that a wrong eps always passes there: a score must not depend on the seed.
    """
    draw = Inputs(seed)

    def case(name, about, x, eps, **tolerance):
        weight = draw.weight(x.shape[-1]).to(x.dtype)
        grad_y = draw.normal(*x.shape).to(x.dtype)
        return Case(name, about, {"x": x, "weight": weight, "eps": eps, "grad_y": grad_y}, **tolerance)

    zero_row = draw.normal(2, 4, mean=1.0)
    zero_row[0] = 0.0
    return [
        case("vector", "one vector of 5 numbers", draw.normal(5, mean=2.0), 1e-6),
        case("batch", "a [2, 3, 8] batch whose mean is not zero", draw.normal(2, 3, 8, mean=2.0), 1e-6),
        case("rank4", "a [2, 1, 3, 6] tensor", draw.normal(2, 1, 3, 6, mean=-2.0), 1e-6),
        case("wide", "long rows, [2, 640]", draw.normal(2, 640, mean=0.3), 1e-6),
        case("transposed", "a transposed, non-contiguous [7, 4] tensor", draw.normal(4, 7, mean=4, scale=3).T, 1e-6),
        case("float64", "a [3, 7] tensor of float64", draw.normal(3, 7, mean=2.0).double(), 1e-6),
        case("bfloat16", "a [3, 9] tensor of bfloat16", draw.normal(3, 9, mean=1.0).bfloat16(), 1e-6, **HALF),
        case("empty", "an empty batch, [0, 4]", draw.normal(0, 4), 1e-6),
        case("large_eps", "a [4, 7] tensor with eps = 0.1", draw.normal(4, 7, mean=0.5), 0.1),
        case("small", "a [3, 6] tensor of numbers near 0.001 with eps = 1e-5", draw.normal(3, 6, scale=1e-3), 1e-5),
        case("zeros", "a [2, 4] tensor with a row of zeros", zero_row, 1e-6),
    ]


def probe(rms_norm, rec: Recorder) -> None:
    x, weight = rec.inputs("x", "weight")
    rec.output("y", rms_norm(x, weight, rec["eps"]))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x, weight) = rec.leaves("x", "weight")
        rec.gradients(rms_norm(x, weight, rec["eps"]), rec["grad_y"], leaves)


ORDINARY = ("vector", "batch", "rank4", "wide", "transposed", "float64", "bfloat16", "empty")
EDGES = ("large_eps", "small", "zeros")
GRADIENT_CASES = ("batch", "transposed", "large_eps", "small")

EXERCISE = Exercise(
    id="rms_norm",
    lesson="03_rms_norm",
    name="rms_norm",
    kind="function",
    signature="rms_norm(x, weight, eps)",
    arguments=("x", "weight", "eps"),
    checks=(
        Check("values", 2, "ordinary inputs of every rank and dtype", ORDINARY, ("y",)),
        Check("edges", 2, "tiny numbers, zeros and a large eps", EDGES, ("y",)),
        Check("gradients", 2, "gradients of x and weight", GRADIENT_CASES, GRADIENTS),
    ),
    cases=norm_cases,
    probe=probe,
    hints=(
        "Work along the last axis only: each token has a root mean square of its own. What shape must that "
        "number keep so that a whole row can be divided by it?",
        "Square, average over the last axis, add eps, take the root: that is r, one number a row. Nothing is "
        "subtracted from x. Then scale each feature by its weight.",
        "The mean square needs `keepdim=True`. eps is added to it before the root. "
        "x times the reciprocal root, times weight, is the result.",
    ),
    forbidden=FORBIDDEN,
)
