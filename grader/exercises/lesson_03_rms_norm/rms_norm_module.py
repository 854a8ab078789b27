"""`class RMSNorm(nn.Module)`: the module."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_03_rms_norm.rms_norm import EDGES, FORBIDDEN, GRADIENT_CASES, GRADIENTS, ORDINARY
from grader.exercises.lesson_03_rms_norm.rms_norm import norm_cases as _norm_cases
from grader.exercises.norm_modules import probe_norm_module
from grader.probe import Case, Check, Exercise, Recorder


def cases(seed: int) -> list[Case]:
    """The function's cases, and one on a module as it is constructed (`fresh`): no weight is loaded there."""
    x = Inputs(seed + 1).normal(3, 6, scale=1e-3)
    fresh = Case("fresh", "a module just made, default eps, numbers near 0.001", {"x": x})
    return [fresh, *_norm_cases(seed)]


def probe(cls, rec: Recorder) -> None:
    probe_norm_module(cls, rec, ("weight",), GRADIENT_CASES)


EXERCISE = Exercise(
    id="rms_norm_module",
    lesson="03_rms_norm",
    name="RMSNorm",
    kind="module",
    signature="RMSNorm(dim, eps=1e-6)",
    arguments=("dim",),
    keywords=("eps",),
    checks=(
        Check("constructed", 1, "a new module: weight and default eps", ("fresh",), ("initial_weight", "y")),
        Check("values", 1, "ordinary inputs of every rank and dtype", ORDINARY, ("y",)),
        Check("edges", 1, "tiny numbers, zeros and a large eps", EDGES, ("y",)),
        Check("gradients", 1, "gradients of x and weight", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "A module is a function with memory. Which of the function's three arguments is learned, which is "
        "fixed when the module is made, and which arrives anew with every call?",
        "In `__init__` keep eps, and make `weight` an `nn.Parameter` of `dim` ones. Only a parameter is "
        "trained, moved to the GPU and saved. `forward(x)` is the function you have just written.",
        "The missing line of `__init__` assigns an `nn.Parameter` made of `torch.ones(dim)`. `forward` is exercise 1 "
        "with `self.weight` and `self.eps`.",
    ),
    forbidden=FORBIDDEN,
)
