"""`stream_jacobian(x, layers)`: how the end of a residual stream answers to its beginning."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_01_residual_stream.residual_stream import build_layers, stack_data
from grader.probe import Case, Check, Exercise, Recorder

ORDINARY = ("two_layers", "several", "deep", "float64")
EDGES = ("no_layers", "no_layers_float64", "one_layer", "one_feature")


def cases(seed: int) -> list[Case]:
    """Stacks at one vector x. Jacobians that do not commute show the order; tanh shows the state each is taken at."""
    draw = Inputs(seed)

    def case(name, about, x, layers):
        data = {"x": x} | {k: v.to(x.dtype) for k, v in stack_data(draw, layers, x.shape[-1], 1.5).items()}
        return Case(name, about, data, rtol=3e-5, atol=1e-5)

    # One feature's factors are numbers: with J_l > 0 none is near 0, where float32 would have no digits left.
    one_feature = case("one_feature", "one feature and 3 layers", draw.normal(1), 3)
    one_feature.data["weights"].abs_()
    return [
        one_feature,
        case("two_layers", "4 features and 2 layers", draw.normal(4), 2),
        case("several", "6 features and 4 layers", draw.normal(6), 4),
        case("deep", "5 features and 8 layers", draw.normal(5), 8),
        case("float64", "7 features of float64 and 3 layers", draw.normal(7).double(), 3),
        case("no_layers", "3 features and no layers", draw.normal(3), 0),
        case("no_layers_float64", "3 features of float64 and no layers", draw.normal(3).double(), 0),
        case("one_layer", "5 features and one layer", draw.normal(5), 1),
    ]


def probe(stream_jacobian, rec: Recorder) -> None:
    (x,) = rec.inputs("x")
    rec.output("J", stream_jacobian(x, build_layers(rec["weights"], rec["biases"])))


EXERCISE = Exercise(
    id="stream_jacobian",
    lesson="01_residual_stream",
    name="stream_jacobian",
    kind="function",
    signature="stream_jacobian(x, layers)",
    arguments=("x", "layers"),
    checks=(
        Check("values", 5, "several widths and depths", ORDINARY, ("J",)),
        Check("edges", 2, "no layers, one layer, one feature", EDGES, ("J",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "J is the Jacobian of one function: the last state as a function of the first. You may build it from the "
        "layers' Jacobians, or let torch differentiate the whole function at once.",
        "From the layers: begin with the identity. At each layer take its Jacobian at the state it reads, add the "
        "identity, and multiply. Then step to the next state. In which order do the matrices act on a column?",
        "`torch.func.jacrev(f)(x)` gives the Jacobian of f at x. A later layer's factor stands to the LEFT of the "
        "earlier ones. Without layers J is the identity, in the dtype of x.",
    ),
)
