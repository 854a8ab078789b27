"""`class LayerNorm(nn.Module)`: the module."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_02_layer_norm.layer_norm import EDGES, FORBIDDEN, GRADIENT_CASES, GRADIENTS, ORDINARY
from grader.exercises.lesson_02_layer_norm.layer_norm import norm_cases as _norm_cases
from grader.probe import Case, Check, Exercise, Recorder


def cases(seed: int) -> list[Case]:
    """The function's cases, and one on a module as it is constructed (`fresh`): nothing is loaded there."""
    x = Inputs(seed + 1).normal(3, 6, scale=1e-3)
    fresh = Case("fresh", "a module just made, default eps, numbers near 0.001", {"x": x, "fresh": True})
    return [fresh, *_norm_cases(seed)]


def probe(cls, rec: Recorder) -> None:
    fresh = "fresh" in rec.case.data
    module = cls(rec["x"].shape[-1], **({} if fresh else {"eps": rec["eps"]}))
    rec.parameters(module, "weight", "bias")
    module.to(rec["x"].dtype)
    if fresh:
        for name in ("weight", "bias"):
            rec.output(f"initial_{name}", getattr(module, name, None))
    else:
        rec.load(module, weight=rec["weight"], bias=rec["bias"])
    (x,) = rec.inputs("x")
    rec.output("y", module(x))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in module.named_parameters() if p.requires_grad}
        rec.gradients(module(x), rec["grad_y"], leaves)


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
        "at first. `forward(x)` is the function you have just written.",
        "Call `super().__init__()` first. `weight` is an `nn.Parameter` of ones, `bias` an `nn.Parameter` of zeros.",
    ),
    forbidden=FORBIDDEN,
)
