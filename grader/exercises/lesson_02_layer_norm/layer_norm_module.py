"""`class LayerNorm(nn.Module)`: the module."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_02_layer_norm.layer_norm import EDGES, FORBIDDEN, GRADIENT_CASES, GRADIENTS, ORDINARY
from grader.exercises.lesson_02_layer_norm.layer_norm import norm_cases as _norm_cases
from grader.exercises.norm_modules import probe_norm_module
from grader.probe import Case, Check, Exercise, Recorder


def cases(seed: int) -> list[Case]:
    """The function's cases, and one on a module as it is constructed (`fresh`): nothing is loaded there."""
    x = Inputs(seed + 1).normal(3, 6, scale=1e-3)
    fresh = Case("fresh", "a module just made, default eps, numbers near 0.001", {"x": x})
    return [fresh, *_norm_cases(seed)]


def probe(cls, rec: Recorder) -> None:
    probe_norm_module(cls, rec, ("weight", "bias"), GRADIENT_CASES)


EXERCISE = Exercise(
    id="layer_norm_module",
    lesson="02_layer_norm",
    name="LayerNorm",
    kind="module",
    signature="LayerNorm(dim, eps=1e-5)",
    arguments=("dim",),
    keywords=("eps",),
    checks=(
        Check(
            "constructed",
            1,
            "a new module: parameters, default eps",
            ("fresh",),
            ("initial_weight", "initial_bias", "y"),
        ),
        Check("values", 1, "ordinary inputs of every rank and dtype", ORDINARY, ("y",)),
        Check("edges", 1, "tiny numbers, equal numbers, a large eps, a far mean", EDGES, ("y",)),
        Check("gradients", 1, "gradients of x, weight and bias", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "A module is a function with memory. Which of the function's four arguments are learned, which is fixed "
        "when the module is made, and which arrives anew with every call?",
        "In `__init__` keep eps, and make `weight` and `bias` parameters of `dim` numbers. They must change nothing "
        "at first. `forward(x)` computes the formula of exercise 1 with these three.",
        "Call `super().__init__()` first. `weight` is an `nn.Parameter` of ones, `bias` an `nn.Parameter` of zeros.",
    ),
    forbidden=FORBIDDEN,
)
