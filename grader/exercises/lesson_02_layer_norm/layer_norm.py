"""`layer_norm(x, weight, bias, eps)`: the function."""

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

FORBIDDEN = (
    "torch.nn.functional.layer_norm",
    "torch.nn.LayerNorm",
    "torch.layer_norm",
    "lessons.support.norms.given_layer_norm",
    "lessons.support.char_net.halves",
)
HALF = {"rtol": 3e-2, "atol": 3e-2}  # bfloat16 has 8 bits, and the mean that is subtracted is rounded to them too
FEW = {"rtol": 3e-5, "atol": 1e-5}  # of four numbers that happen to lie close together, some digits cancel
FAR = {"rtol": 3e-4, "atol": 3e-4}  # float32 keeps 5 digits of what is left once a mean of 300 is subtracted
GRADIENTS = ("grad_x", "grad_weight", "grad_bias")


def norm_cases(seed: int) -> list[Case]:
    """Inputs on which the mistakes of LayerNorm show, each with x, weight, bias, eps and grad_y.

    All sizes differ, some d are small (dividing by d - 1 shows). A mean far from zero shows what is centred and
    what cancels; a scale of 1e-3 and a large eps show where eps stands; a row of equal numbers a missing one.
    No empty batch: `var` is right there and still warns, which would only confuse.
    """
    draw = Inputs(seed)

    def case(name, about, x, eps, **tolerance):
        own = {"weight": draw.weight(x.shape[-1]), "bias": draw.normal(x.shape[-1]), "grad_y": draw.normal(*x.shape)}
        data = {"x": x, "eps": eps} | {key: value.to(x.dtype) for key, value in own.items()}
        return Case(name, about, data, **tolerance)

    equal_row = draw.normal(2, 4, mean=1.0)
    equal_row[0] = 3.0
    return [
        case("vector", "one vector of 5 numbers", draw.normal(5, mean=0.5), 1e-6),
        case("batch", "a [2, 3, 8] batch whose mean is not zero", draw.normal(2, 3, 8, mean=2.0), 1e-5),
        case("rank4", "a [2, 1, 3, 6] tensor", draw.normal(2, 1, 3, 6, mean=-1.0), 1e-5),
        case("wide", "long rows, [2, 640]", draw.normal(2, 640, mean=0.3), 1e-5),
        case("transposed", "a transposed, non-contiguous [7, 4] tensor", draw.normal(4, 7, scale=3.0).T, 1e-6, **FEW),
        case("float64", "a [3, 7] tensor of float64", draw.normal(3, 7, mean=1.0).double(), 1e-6),
        case("bfloat16", "a [3, 9] tensor of bfloat16", draw.normal(3, 9, mean=0.5).bfloat16(), 1e-5, **HALF),
        case("large_eps", "a [4, 7] tensor with eps = 0.1", draw.normal(4, 7, mean=0.5), 0.1),
        case("small", "a [3, 6] tensor of numbers near 0.001 with eps = 1e-6", draw.normal(3, 6, scale=1e-3), 1e-6),
        case("equal", "a [2, 4] tensor with a row of equal numbers", equal_row, 1e-5),
        case("far", "a [8, 6] tensor of numbers near 300", draw.normal(8, 6, mean=300.0), 1e-5, **FAR),
    ]


def probe(layer_norm, rec: Recorder) -> None:
    x, weight, bias = rec.inputs("x", "weight", "bias")
    rec.output("y", layer_norm(x, weight, bias, rec["eps"]))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x, weight, bias) = rec.leaves("x", "weight", "bias")
        rec.gradients(layer_norm(x, weight, bias, rec["eps"]), rec["grad_y"], leaves)


ORDINARY = ("vector", "batch", "rank4", "wide", "transposed", "float64", "bfloat16")
EDGES = ("large_eps", "small", "equal", "far")
GRADIENT_CASES = ("batch", "transposed", "large_eps", "small")

EXERCISE = Exercise(
    id="layer_norm",
    lesson="02_layer_norm",
    name="layer_norm",
    kind="function",
    signature="layer_norm(x, weight, bias, eps)",
    arguments=("x", "weight", "bias", "eps"),
    checks=(
        Check("values", 3, "ordinary inputs of every rank and dtype", ORDINARY, ("y",)),
        Check("edges", 2, "tiny numbers, equal numbers, a large eps, a far mean", EDGES, ("y",)),
        Check("gradients", 2, "gradients of x, weight and bias", GRADIENT_CASES, GRADIENTS),
    ),
    cases=norm_cases,
    probe=probe,
    hints=(
        "Two steps, both along the last axis: move each row so that its mean is 0, then stretch it so that its "
        "variance is 1. Every row has a mean and a variance of its own. Which shape must they have to act on that row?",
        "Subtract the row's mean. The mean of the squares of what is left is the variance: divide by d, not by "
        "d - 1. Add eps, take the root, divide. Then weight and bias, feature by feature.",
        "Both means need `keepdim=True`. If you use `var`, pass `correction=0`: its default divides by d - 1. The "
        "bias is added last, after the weight has multiplied.",
    ),
    forbidden=FORBIDDEN,
)
