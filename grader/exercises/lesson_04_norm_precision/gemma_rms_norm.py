"""`class GemmaRMSNorm(nn.Module)`: the gain is 1 + weight, applied in float32, and the cast comes last."""

import torch

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_03_rms_norm.rms_norm import FORBIDDEN
from grader.exercises.lesson_04_norm_precision.rms_norm_mixed import TOLERANCES
from grader.exercises.norm_modules import probe_norm_module
from grader.probe import Case, Check, Exercise, Recorder

FRESH = ("fresh", "fresh_bfloat16")
VALUES = ("float32", "float64", "bfloat16", "float16", "small", "large_eps")
ORDER_CASES = ("order_bfloat16", "order_float16")
RANGE = ("three_hundred", "tiny_zeros")
GRADIENT_CASES = ("float32", "bfloat16")
GRADIENTS = ("grad_x", "grad_weight")
# Right forms differ from the rounded exact answer in at most 0.1 % of the numbers, other cast orders in 10 % and more.
ROUNDED_ONCE = 0.01


def cases(seed: int) -> list[Case]:
    """A module just made (`fresh`: no weight is loaded), and one with a weight, of every dtype.

    Two large half-precision tensors count how many numbers are the exact answer rounded once: no tolerance can
    tell the cast orders apart.
    """
    draw = Inputs(seed)

    def case(name, about, x, dtype, eps=None, **more):
        # Gains 1 + weight of both signs, between 0.4 and 1.6 in size.
        weight = draw.weight(x.shape[-1]) * 0.6 + draw.normal(x.shape[-1], scale=0.05)
        data = {"x": x.to(dtype), "weight": weight.to(dtype), "grad_y": draw.normal(*x.shape).to(dtype)}
        return Case(name, about, data | ({} if eps is None else {"eps": eps}), **TOLERANCES.get(dtype, {}), **more)

    fp32, fp64, bf16, fp16 = torch.float32, torch.float64, torch.bfloat16, torch.float16
    once = {"unequal": ROUNDED_ONCE}
    zeros = draw.normal(2, 4, scale=1e-4)
    zeros[0] = 0.0
    return [
        case("fresh", "a module just made, default eps, numbers near 0.001", draw.normal(3, 6, scale=1e-3), fp32),
        case("fresh_bfloat16", "a module just made and cast to bfloat16", draw.normal(2, 5, mean=1.0), bf16),
        case("float32", "a [2, 3, 8] batch of float32", draw.normal(2, 3, 8, mean=2.0), fp32, 1e-6),
        case("float64", "a [2, 5] tensor of float64", draw.normal(2, 5, mean=-1.0), fp64, 1e-5),
        case("bfloat16", "a [3, 9] tensor of bfloat16", draw.normal(3, 9, mean=1.0), bf16, 1e-6),
        case("float16", "a transposed [4, 7] tensor of float16", draw.normal(7, 4, mean=1.0).T, fp16, 1e-5),
        case("small", "numbers near 0.001 with eps = 1e-5, [3, 6]", draw.normal(3, 6, scale=1e-3), fp32, 1e-5),
        case("large_eps", "a [4, 7] tensor with eps = 0.1", draw.normal(4, 7, mean=0.5), fp32, 0.1),
        case("order_bfloat16", "16 rows of 512 numbers in bfloat16", draw.normal(16, 512), bf16, 1e-6, **once),
        case("order_float16", "16 rows of 256 numbers in float16", draw.normal(16, 256), fp16, 1e-6, **once),
        case("three_hundred", "float16 numbers near 300, [3, 8]", draw.normal(3, 8, mean=300, scale=5.0), fp16, 1e-5),
        case("tiny_zeros", "tiny float16 numbers, a row of zeros and eps = 1e-8", zeros, fp16, 1e-8),
    ]


def probe(cls, rec: Recorder) -> None:
    probe_norm_module(cls, rec, ("weight",), GRADIENT_CASES)


EXERCISE = Exercise(
    id="gemma_rms_norm",
    lesson="04_norm_precision",
    name="GemmaRMSNorm",
    kind="module",
    signature="GemmaRMSNorm(dim, eps=1e-6)",
    arguments=("dim",),
    keywords=("eps",),
    checks=(
        Check("constructed", 1, "a new module: weight and default eps", FRESH, ("initial_weight", "y")),
        Check("values", 3, "inputs of every dtype, small numbers, a large eps", VALUES, ("y",)),
        Check("order", 4, "the scaling in float32, one cast at the end", ORDER_CASES, ("y",)),
        Check("range", 1, "float16 numbers near 300, near 1e-4, and zeros", RANGE, ("y",)),
        Check("gradients", 1, "gradients of x and weight", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Two things differ from Llama's norm: what the weight is at first, and when the cast back happens. Which gain "
        "does a weight of zeros stand for?",
        "The weight starts as zeros and the gain is one more than the weight. Take weight and row to float32, do "
        "everything there, the gain included, and cast the finished result.",
        "In `forward`: the float32 copy of x, normalised; times (1 + the weight in float32); then one cast to x's "
        "dtype. The 1 is added after the weight has become float32, or it is rounded as well.",
    ),
    forbidden=FORBIDDEN,
)
