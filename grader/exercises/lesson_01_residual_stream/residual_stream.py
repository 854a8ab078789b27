"""`residual_stream(x, layers)`: every state of a stream that layers read from and add to."""

import torch
from torch import nn

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

FORBIDDEN = ("lessons.support.streams.travel",)  # the lesson's experiments are given it
HALF = {"rtol": 2.4e-2, "atol": 2.4e-2}  # bfloat16 has 8 bits, and each layer's rounding reaches the next ones
GRADIENTS = ("grad_x", "grad_first_layer", "grad_last_layer")


def stack_data(draw: Inputs, layers: int, d: int, gain: float = 1.0) -> dict[str, torch.Tensor]:
    """What `build_layers` makes layers from: weights [layers, d, d] and biases [layers, d], all different."""
    return {
        "weights": draw.normal(layers, d, d, scale=gain / d**0.5),
        "biases": draw.normal(layers, d, scale=0.5),
    }


def build_layers(weights: torch.Tensor, biases: torch.Tensor, linear: bool = False) -> list[nn.Module]:
    """Layers `[..., d] -> [..., d]`, tanh(W x + b) or W x + b alone, in the weights' dtype.

    They are modules of torch, so that an error inside one is reported at the student's own line.
    """
    d = biases.shape[-1]
    layers = []
    for weight, bias in zip(weights, biases, strict=True):
        layer = nn.Linear(d, d, dtype=weight.dtype)
        layer.load_state_dict({"weight": weight, "bias": bias})
        layers.append(nn.Sequential(layer, nn.Identity() if linear else nn.Tanh()))
    return layers


def cases(seed: int) -> list[Case]:
    """Stacks of several depths on inputs of several ranks. No depth + 1 equals a size of x.

    Layers that differ show their order and the state each one reads; without any only x itself remains. Work in
    place shows in the gradients: tanh needs its own result again, a linear layer the state it has read.
    """
    draw = Inputs(seed)

    def case(name, about, x, layers, linear=False, **tolerance):
        data = {"x": x, "linear": linear} | {k: v.to(x.dtype) for k, v in stack_data(draw, layers, x.shape[-1]).items()}
        grad = draw.normal(layers + 1, *x.shape).to(x.dtype)
        return Case(name, about, data | {"grad_states": grad}, **({"rtol": 3e-5, "atol": 1e-5} | tolerance))

    return [
        case("vector", "one vector of 5 numbers and 3 layers", draw.normal(5), 3),
        case("batch", "a [2, 3, 7] batch and 4 layers", draw.normal(2, 3, 7, mean=0.5), 4),
        case("transposed", "a transposed, non-contiguous [6, 4] tensor and 2 layers", draw.normal(4, 6).T, 2),
        case("deep", "a [3, 6] tensor and 12 layers", draw.normal(3, 6), 12),
        case("linear", "a [2, 6] tensor and 4 linear layers", draw.normal(2, 6), 4, linear=True),
        case("float64", "a [3, 7] tensor of float64 and 3 layers", draw.normal(3, 7).double(), 3),
        case("bfloat16", "a [3, 8] tensor of bfloat16 and 3 layers", draw.normal(3, 8).bfloat16(), 3, **HALF),
        case("no_layers", "a [2, 4] tensor and no layers", draw.normal(2, 4), 0),
        case("one_layer", "a [3, 5] tensor and one layer", draw.normal(3, 5), 1),
        case("empty", "an empty batch, [0, 4], and 2 layers", draw.normal(0, 4), 2),
    ]


def probe(residual_stream, rec: Recorder) -> None:
    layers = build_layers(rec["weights"], rec["biases"], rec["linear"])
    (x,) = rec.inputs("x")
    rec.output("states", residual_stream(x, layers))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        leaves |= {"first_layer": layers[0][0].weight, "last_layer": layers[-1][0].weight}
        rec.gradients(residual_stream(x, layers), rec["grad_states"], leaves)


ORDINARY = ("vector", "batch", "transposed", "deep", "linear", "float64", "bfloat16")
EDGES = ("no_layers", "one_layer", "empty")
GRADIENT_CASES = ("batch", "linear", "float64")

EXERCISE = Exercise(
    id="residual_stream",
    lesson="01_residual_stream",
    name="residual_stream",
    kind="function",
    signature="residual_stream(x, layers)",
    arguments=("x", "layers"),
    checks=(
        Check("values", 3, "all states, for several ranks, depths and dtypes", ORDINARY, ("states",)),
        Check("edges", 1, "no layers, one layer, an empty batch", EDGES, ("states",)),
        Check("gradients", 2, "gradients of x and of the first and last layer", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Picture the page that is passed along. The first state is the page as it was at first. What does each "
        "person see, and what is on the page after that?",
        "Go through the layers in order and keep the latest state. Each layer reads that state; what it returns is "
        "added to the state it has read. Keep every state, the first included, in a list.",
        "Start the list with x. For each layer append the last entry plus the layer's result for the last entry. "
        "`torch.stack` makes one tensor of the list. Make new tensors: `+=` would change the states you keep.",
    ),
    forbidden=FORBIDDEN,
)
