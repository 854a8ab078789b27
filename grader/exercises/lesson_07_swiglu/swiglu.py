"""`swiglu(x, w_gate, w_up, w_down)`: the gated feed-forward network as a function."""

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

WEIGHTS = ("w_gate", "w_up", "w_down")
LAYER = {"rtol": 1e-5, "atol": 1e-5}  # three products: right orders of summation differ by a few units
HALF = {"rtol": 1.6e-2, "atol": 3e-2}


def swiglu_cases(seed: int) -> list[Case]:
    """Inputs with weights in the note's layout: w_gate, w_up [d, h], w_down [h, d].

    h differs from d, so that a transposed weight does not fit; in one case it fits all the same, and there
    the value tells which weight was transposed. Weights are large enough for the gate to be far from linear.
    """
    draw = Inputs(seed)

    def case(name, about, x, hidden, **tolerance):
        d = x.shape[-1]
        gate, up = (draw.normal(d, hidden, scale=1.5 * d**-0.5) for _ in range(2))
        down = draw.normal(hidden, d, scale=hidden**-0.5)
        data = {"x": x, "w_gate": gate, "w_up": up, "w_down": down, "grad_y": draw.normal(*x.shape)}
        return Case(name, about, {key: value.to(x.dtype) for key, value in data.items()}, **LAYER | tolerance)

    return [
        case("vector", "one token of 5 features, 12 hidden", draw.normal(5, mean=0.5), 12),
        case("batch", "a [2, 3, 8] batch, 20 hidden", draw.normal(2, 3, 8, mean=0.5), 20),
        case("rank4", "a [2, 1, 3, 4] tensor, 11 hidden", draw.normal(2, 1, 3, 4, scale=2.0), 11),
        case("narrow", "more features than hidden units: [4, 9], 6 hidden", draw.normal(4, 9, mean=1.0), 6),
        case("square", "as many features as hidden units: [3, 7], 7 hidden", draw.normal(3, 7, mean=0.5), 7),
        case("transposed", "a transposed, non-contiguous [6, 4], 10 hidden", draw.normal(4, 6, scale=2.0).T, 10),
        case("float64", "a [3, 5] tensor of float64, 8 hidden", draw.normal(3, 5).double(), 8),
        case("bfloat16", "a [3, 8] tensor of bfloat16, 22 hidden", draw.normal(3, 8).bfloat16(), 22, **HALF),
        case("empty", "an empty batch, [0, 4], 10 hidden", draw.normal(0, 4), 10),
        case("large", "a [3, 6] tensor of numbers near 300, 16 hidden", draw.normal(3, 6, scale=300.0), 16),
    ]


def probe(swiglu, rec: Recorder) -> None:
    rec.output("y", swiglu(*rec.inputs("x", *WEIGHTS)))
    if rec.case.name in GRADIENT_CASES:
        leaves, inputs = rec.leaves("x", *WEIGHTS)
        rec.gradients(swiglu(*inputs), rec["grad_y"], leaves)


VALUES = ("vector", "batch", "rank4", "narrow", "square", "transposed", "float64", "bfloat16", "empty", "large")
GRADIENT_CASES = ("batch", "narrow", "square", "transposed")
GRADIENTS = ("grad_x", *(f"grad_{name}" for name in WEIGHTS))

EXERCISE = Exercise(
    id="swiglu",
    lesson="07_swiglu",
    name="swiglu",
    kind="function",
    signature="swiglu(x, w_gate, w_up, w_down)",
    arguments=("x", *WEIGHTS),
    checks=(
        Check("values", 4, "inputs of every rank, width and dtype", VALUES, ("y",)),
        Check("gradients", 2, "gradients of x and the three weights", GRADIENT_CASES, GRADIENTS),
    ),
    cases=swiglu_cases,
    probe=probe,
    hints=(
        "Two products widen x from d to h features, one narrows it back. Which of the two wide vectors goes "
        "through the activation, and what happens to the two before they are narrowed?",
        "Gate: x times w_gate, then SiLU. Signal: x times w_up, left as it is. Multiply the two element by element, "
        "then multiply the result by w_down. In the note's layout nothing is transposed.",
        "Use `@` three times and `*` once. `F.silu` is allowed here. For x of shape [..., d] the product with a "
        "[d, h] matrix works as it stands, whatever the leading dimensions are.",
    ),
)
