"""`silu(x)`: the activation, finite for every finite input."""

import torch

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

BFLOAT16 = {"rtol": 1.6e-2, "atol": 5e-2}  # room for x - x·σ(-x), whose two terms nearly cancel
FLOAT16 = {"rtol": 4e-3, "atol": 1e-2}  # a few roundings to 11 bits, in any order
# Where e^x overflows, and ordinary numbers beside them, so that the case cannot be passed by ReLU.
FAR = (100.0, -100.0, 89.5, -89.5, 300.0, -300.0, 2.0, -2.0, -1.0, 0.0)
FAR_HALF = (12.5, -12.5, 40.0, -40.0, 100.0, -100.0, 2.0, -2.0, -1.0, 0.0)


def cases(seed: int) -> list[Case]:
    """Ordinary numbers of either sign, and numbers whose exponential overflows in float32 and in float16."""
    draw = Inputs(seed)

    def case(name, about, x, **tolerance):
        return Case(name, about, {"x": x, "grad_y": draw.normal(*x.shape).to(x.dtype)}, **tolerance)

    highest = torch.finfo(torch.float32).max
    highest_half = torch.finfo(torch.float16).max
    half = draw.normal(4, 6, scale=2.0).clamp(-6, 6).half()
    bfloat = draw.normal(3, 5, scale=2.0).clamp(-4, 4).bfloat16()
    return [
        case("vector", "one vector of 7 numbers", draw.normal(7, scale=2.0)),
        case("batch", "a [2, 3, 5] batch", draw.normal(2, 3, 5, scale=3.0)),
        case("scalar", "a tensor without axes", draw.normal() - 1.0),
        case("transposed", "a transposed, non-contiguous [4, 6] tensor", draw.normal(6, 4, scale=2.0).T),
        case("float64", "a [3, 4] tensor of float64", draw.normal(3, 4, scale=2.0).double()),
        case("float16", "a [4, 6] tensor of float16", half, **FLOAT16),
        case("bfloat16", "a [3, 5] tensor of bfloat16", bfloat, **BFLOAT16),
        case("empty", "an empty batch, [0, 4]", draw.normal(0, 4)),
        case("far", "float32 numbers as far out as ±300", torch.tensor(FAR)),
        case("far_float16", "float16 numbers as far out as ±100", torch.tensor(FAR_HALF).half(), **FLOAT16),
        case("farthest", "the largest float32 numbers", torch.tensor([highest, -highest])),
        case("farthest_float16", "the largest float16 numbers", torch.tensor([highest_half, -highest_half]).half()),
    ]


def probe(silu, rec: Recorder) -> None:
    (x,) = rec.inputs("x")
    rec.output("y", silu(x))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        rec.gradients(silu(x), rec["grad_y"], leaves)


ORDINARY = ("vector", "batch", "scalar", "transposed", "float64", "float16", "bfloat16", "empty")
EXTREMES = ("far", "far_float16", "farthest", "farthest_float16")
GRADIENT_CASES = ("vector", "batch", "transposed", "float64")

EXERCISE = Exercise(
    id="silu",
    lesson="07_swiglu",
    name="silu",
    kind="function",
    signature="silu(x)",
    arguments=("x",),
    checks=(
        Check("values", 2, "ordinary inputs of every rank and dtype", ORDINARY, ("y",)),
        Check("extremes", 1, "numbers whose exponential overflows", EXTREMES, ("y",)),
        Check("gradients", 1, "the gradient of x", GRADIENT_CASES, ("grad_x",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "SiLU is the number itself times a share between 0 and 1. Which function turns any number into such a "
        "share, and does PyTorch have it?",
        "The share is the sigmoid of x. Of its two textbook forms, the one with e^x above and below the bar fails: "
        "for large x it divides infinity by infinity. PyTorch's own sigmoid is safe at both ends.",
        "Multiply x by `torch.sigmoid` of x. Nothing else is needed: no clamp, no cast, no case for large numbers.",
    ),
    forbidden=("torch.nn.functional.silu", "torch.nn.SiLU", "torch.nn.functional.hardswish"),
)
