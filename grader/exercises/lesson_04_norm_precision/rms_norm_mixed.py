"""`rms_norm_mixed(x, weight, eps)`: right for half-precision inputs, in either cast order."""

import torch

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_03_rms_norm.rms_norm import FORBIDDEN
from grader.probe import Case, Check, Exercise, Recorder

FP16 = {"rtol": 2e-3, "atol": 1e-3}  # 11 bits, rounded up to three times
BF16 = {"rtol": 1.6e-2, "atol": 2e-2}  # 8 bits
TOLERANCES = {torch.float16: FP16, torch.bfloat16: BF16}
ORDINARY = ("float32", "float64", "bfloat16", "float16", "vector16")
LARGE = ("three_hundred", "spike", "huge")
SMALL = ("tiny", "tiny_zeros", "small", "small_bfloat16", "large_eps", "uneven")
GRADIENT_CASES = ("float32", "bfloat16")
GRADIENTS = ("grad_x", "grad_weight")


def precision_cases(seed: int) -> list[Case]:
    """Inputs on which a norm's arithmetic in half precision shows, each with x, weight, eps and grad_y.

    In float16 the square of 256 is infinite and that of 1e-4 is zero, and eps = 1e-8 is zero, too: so numbers
    near 300, a single large number whose mean square would still fit, numbers near 1e-4, a row of zeros, and
    rows of which one square is not zero in float16 and their mean is. Small numbers in float32 and a large eps
    show where eps stands; all dtypes show one that is changed.
    """
    draw = Inputs(seed)

    def case(name, about, x, dtype, eps):
        weight, grad_y = draw.weight(x.shape[-1]).to(dtype), draw.normal(*x.shape).to(dtype)
        data = {"x": x.to(dtype), "weight": weight, "eps": eps, "grad_y": grad_y}
        return Case(name, about, data, **TOLERANCES.get(dtype, {}))

    fp32, fp64, bf16, fp16 = torch.float32, torch.float64, torch.bfloat16, torch.float16
    spike, zeros = draw.normal(2, 64), draw.normal(2, 4, scale=1e-4)
    spike[:, 5] = 400.0
    zeros[0] = 0.0
    huge = draw.weight(2, 6) * 2e4
    uneven = torch.tensor([[2e-4, 5e-5, -7e-5, 6e-5], [-6e-5, 7e-5, 2e-4, 5e-5]])
    return [
        case("float32", "a [3, 6] tensor of float32", draw.normal(3, 6, mean=1.0), fp32, 1e-6),
        case("float64", "a [2, 5] tensor of float64", draw.normal(2, 5, mean=-1.0), fp64, 1e-6),
        case("bfloat16", "a [2, 3, 9] tensor of bfloat16", draw.normal(2, 3, 9, mean=1.0), bf16, 1e-6),
        case("float16", "a transposed [4, 7] tensor of float16", draw.normal(7, 4, mean=1.0).T, fp16, 1e-5),
        case("vector16", "one vector of 5 numbers in float16", draw.normal(5), fp16, 1e-6),
        case("three_hundred", "float16 numbers near 300, [3, 8]", draw.normal(3, 8, mean=300, scale=5.0), fp16, 1e-5),
        case("spike", "ordinary float16 numbers, one 400 in each row of 64", spike, fp16, 1e-6),
        case("huge", "float16 numbers near 20000, [2, 6]", huge, fp16, 1e-6),
        case("tiny", "float16 numbers near 1e-4 with eps = 1e-8, [3, 7]", draw.normal(3, 7, scale=1e-4), fp16, 1e-8),
        case("tiny_zeros", "a [2, 4] float16 tensor with a row of zeros and eps = 1e-8", zeros, fp16, 1e-8),
        case("small", "float32 numbers near 0.001 with eps = 1e-5, [3, 6]", draw.normal(3, 6, scale=1e-3), fp32, 1e-5),
        case(
            "small_bfloat16", "bfloat16 numbers near 0.001 with eps = 1e-6", draw.normal(3, 6, scale=1e-3), bf16, 1e-6
        ),
        case("large_eps", "a [4, 7] tensor of float32 with eps = 0.1", draw.normal(4, 7, mean=0.5), fp32, 0.1),
        case("uneven", "tiny float16 numbers, a larger one in each row of 4, eps = 1e-8", uneven, fp16, 1e-8),
    ]


def probe(rms_norm_mixed, rec: Recorder) -> None:
    x, weight = rec.inputs("x", "weight")
    rec.output("y", rms_norm_mixed(x, weight, rec["eps"]))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x, weight) = rec.leaves("x", "weight")
        rec.gradients(rms_norm_mixed(x, weight, rec["eps"]), rec["grad_y"], leaves)


EXERCISE = Exercise(
    id="rms_norm_mixed",
    lesson="04_norm_precision",
    name="rms_norm_mixed",
    kind="function",
    signature="rms_norm_mixed(x, weight, eps)",
    arguments=("x", "weight", "eps"),
    checks=(
        Check("values", 1, "ordinary inputs of every dtype", ORDINARY, ("y",)),
        Check("large", 3, "float16 numbers whose squares do not fit", LARGE, ("y",)),
        Check("small", 3, "tiny numbers, zeros, small and large eps", SMALL, ("y",)),
        Check("gradients", 1, "gradients of x and weight", GRADIENT_CASES, GRADIENTS),
    ),
    cases=precision_cases,
    probe=probe,
    hints=(
        "Which step of RMSNorm is the first that float16 cannot hold, for numbers near 300? In which dtype does it "
        "have to be done?",
        "Go to float32 before anything else happens to x. Square, average, add eps, take the root there. Return "
        "to x's dtype once the row has been divided.",
        "Make a float32 copy of x. Work on it: mean of squares with keepdim, plus eps, reciprocal root, times the "
        "copy. Cast it to `x.dtype`. The weight may come before that cast or after it; the result has that dtype.",
    ),
    forbidden=FORBIDDEN,
)
