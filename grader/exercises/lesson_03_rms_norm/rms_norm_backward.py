"""`rms_norm_backward(grad_out, x, weight, eps)`: both gradients, by formula."""

from dataclasses import replace

from grader.exercises.lesson_03_rms_norm.rms_norm import FORBIDDEN, norm_cases
from grader.probe import Case, Check, Exercise, Recorder

AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",
    "torch.Tensor.backward",
    "torch.func.grad",
    "torch.func.vjp",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.autograd.functional.vjp",
    "torch.autograd.functional.jacobian",
)
ORDINARY = ("vector", "batch", "rank4", "wide", "transposed", "float64")
EDGES = ("large_eps", "small", "zeros", "empty")


def cases(seed: int) -> list[Case]:
    """The function's cases without bfloat16: its rounding would hide the projection term."""
    return [
        replace(case, data={"grad_out" if key == "grad_y" else key: value for key, value in case.data.items()})
        for case in norm_cases(seed)
        if case.name != "bfloat16"
    ]


def probe(backward, rec: Recorder) -> None:
    grad_out, x, weight = rec.inputs("grad_out", "x", "weight")
    rec.outputs(("grad_x", "grad_weight"), backward(grad_out, x, weight, rec["eps"]))


EXERCISE = Exercise(
    id="rms_norm_backward",
    lesson="03_rms_norm",
    name="rms_norm_backward",
    kind="function",
    signature="rms_norm_backward(grad_out, x, weight, eps)",
    arguments=("grad_out", "x", "weight", "eps"),
    checks=(
        Check("grad_weight", 2, "the weight's gradient, ordinary inputs", ORDINARY, ("grad_weight",)),
        Check("grad_x", 4, "the input's gradient, ordinary inputs", ORDINARY, ("grad_x",)),
        Check("edges", 4, "both, for tiny numbers, zeros, a large eps", EDGES, ("grad_x", "grad_weight")),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Write the forward pass as y = w * u with u = x / r. The weight's gradient needs u only. For the "
        "input, remember that x reaches y twice: directly, and through r, which depends on the whole row.",
        "Let g be grad_out times weight. The direct way gives g / r. The way through r takes away the part "
        "of g that points along u: the mean of g * u over the row, times u, over r.",
        "grad_x = (g - u * mean(g * u)) / r, the mean over the last axis, kept as a column. grad_weight = "
        "grad_out * u summed over every axis but the last (a single vector has no other axis).",
    ),
    forbidden=(*FORBIDDEN, *AUTOGRAD),
)
