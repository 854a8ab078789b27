"""`pre_norm_stack(x, sublayers, norms, final_norm)`: the whole stack, with the norm at its end."""

from grader.exercises.inputs import Inputs
from grader.exercises.layers import GivenNorm, GivenSublayer
from grader.probe import Case, Check, Exercise, Recorder

ORDINARY = ("vector", "batch", "rank4", "transposed", "float64", "bfloat16")
EDGES = ("grown", "one", "none", "deep")
GRADIENT_CASES = ("batch", "transposed", "grown")
TENSORS = ("x", "w", "b", "gains", "final_gain")
GRADIENTS = tuple(f"grad_{name}" for name in TENSORS)
HALF = {"rtol": 3e-2, "atol": 3e-2}  # bfloat16, rounded at every addition
DEEP = {"rtol": 1e-4, "atol": 1e-5}  # twelve layers pass rounding on


def cases(seed: int) -> list[Case]:
    """Stacks of 0, 1, 2, 3, 4 and 12 layers, each layer with a sublayer and a norm of its own."""
    draw = Inputs(seed)

    def case(name, about, x, layers, **tolerance):
        d = x.shape[-1]
        data = {
            "x": x,
            "grad_y": draw.normal(*x.shape),
            "w": draw.normal(layers, d, d) / d**0.5,
            "b": draw.normal(layers, d, scale=0.5),
            "gains": draw.weight(layers, d),
            "final_gain": draw.weight(d),
        }
        return Case(name, about, {key: value.to(x.dtype) for key, value in data.items()}, **tolerance)

    return [
        case("vector", "one vector of 5 numbers, 2 layers", draw.normal(5, mean=0.5), 2),
        case("batch", "a [2, 3, 8] batch whose mean is not zero, 3 layers", draw.normal(2, 3, 8, mean=2.0), 3),
        case("rank4", "a [2, 1, 3, 6] tensor, 4 layers", draw.normal(2, 1, 3, 6, mean=-1.0), 4),
        case("transposed", "a transposed, non-contiguous [7, 4] tensor, 2 layers", draw.normal(4, 7).T, 2),
        case("float64", "a [3, 7] tensor of float64, 3 layers", draw.normal(3, 7, mean=1.0).double(), 3),
        case("bfloat16", "a [3, 9] tensor of bfloat16, 2 layers", draw.normal(3, 9, mean=1.0).bfloat16(), 2, **HALF),
        case("grown", "a stream of large numbers, [4, 7], 3 layers", draw.normal(4, 7, mean=5.0, scale=20.0), 3),
        case("one", "a stack of one layer, [3, 6]", draw.normal(3, 6), 1),
        case("none", "a stack without layers, [3, 5]", draw.normal(3, 5, mean=1.0, scale=2.0), 0),
        case("deep", "a stack of twelve layers, [2, 6]", draw.normal(2, 6), 12, **DEEP),
    ]


def probe(pre_norm_stack, rec: Recorder) -> None:
    _run(pre_norm_stack, rec.inputs(*TENSORS), rec.output)
    if rec.case.name in GRADIENT_CASES:
        leaves, tensors = rec.leaves(*TENSORS)
        _run(pre_norm_stack, tensors, lambda _, y: rec.gradients(y, rec["grad_y"], leaves))


def _run(pre_norm_stack, tensors, keep) -> None:
    """Calls the implementation and keeps its result; the lists are inputs like any other: not to be changed."""
    x, w, b, gains, final_gain = tensors
    sublayers, norms = [GivenSublayer(*layer) for layer in zip(w, b, strict=True)], [GivenNorm(g) for g in gains]
    y = pre_norm_stack(x, sublayers, norms, GivenNorm(final_gain))
    if len(sublayers) != len(w) or len(norms) != len(w):
        raise ValueError("the lists of sublayers and norms were changed; the caller still needs them")
    keep("y", y)


EXERCISE = Exercise(
    id="pre_norm_stack",
    lesson="05_norm_placement",
    name="pre_norm_stack",
    kind="function",
    signature="pre_norm_stack(x, sublayers, norms, final_norm)",
    arguments=("x", "sublayers", "norms", "final_norm"),
    checks=(
        Check("values", 2, "ordinary stacks of every rank and dtype", ORDINARY, ("y",)),
        Check("edges", 2, "large numbers, no layer, one layer, twelve", EDGES, ("y",)),
        Check("gradients", 2, "gradients of x, all sublayers and all norms", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Each layer is the pre-norm step you know, with a sublayer and a norm of its own. What passes from one layer "
        "to the next? And who normalises what the last layer leaves?",
        "Walk through both lists side by side and keep one running stream. After the last layer the stream has never "
        "been normalised itself: that is the final norm's work, once, also when there is no layer at all.",
        "A loop over `zip(sublayers, norms)` in which the stream becomes the stream plus the sublayer of the normed "
        "stream. After the loop, outside of it, return the final norm of the stream.",
    ),
)
