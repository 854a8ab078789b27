"""`post_norm(x, sublayer, norm)`: the arrangement of 2017. Cases and probe serve the other arrangements, too."""

from collections.abc import Callable
from dataclasses import replace

import torch

from grader.exercises.inputs import Inputs
from grader.exercises.layers import GivenNorm, GivenSublayer
from grader.probe import Case, Check, Exercise, Recorder

HALF = {"rtol": 3e-2, "atol": 3e-2}  # bfloat16 has 8 bits, and a block rounds in a dozen places
VALUES = ("vector", "batch", "rank4", "transposed", "grown", "silent", "float64", "bfloat16")
GRADIENTS = ("batch", "transposed", "grown")


def placement_cases(seed: int, sublayers: tuple[str, ...], norms: tuple[str, ...]) -> list[Case]:
    """Inputs with x, grad_y, `<name>_w` and `<name>_b` of each sublayer, and the gain of each norm.

    Every sublayer and every norm is different, so that swapping two of them shows. A stream of large numbers
    shows a sublayer that reads it un-normed; sublayers that return zeros show what the stream itself goes
    through; float64 and bfloat16 show a changed dtype.
    """
    draw = Inputs(seed)

    def case(name, about, x, **tolerance):
        d = x.shape[-1]
        data = {"x": x, "grad_y": draw.normal(*x.shape)}
        for sublayer in sublayers:
            data |= {f"{sublayer}_w": draw.normal(d, d) / d**0.5, f"{sublayer}_b": draw.normal(d, scale=0.5)}
        data |= {norm: draw.weight(d) for norm in norms}
        return Case(name, about, {key: value.to(x.dtype) for key, value in data.items()}, **tolerance)

    silent = case("silent", "a [3, 6] tensor and sublayers that return zeros", draw.normal(3, 6, mean=1.0, scale=2.0))
    zeros = {key: torch.zeros_like(value) for key, value in silent.data.items() if key.endswith(("_w", "_b"))}
    return [
        case("vector", "one vector of 5 numbers", draw.normal(5, mean=0.5)),
        case("batch", "a [2, 3, 8] batch whose mean is not zero", draw.normal(2, 3, 8, mean=2.0)),
        case("rank4", "a [2, 1, 3, 6] tensor", draw.normal(2, 1, 3, 6, mean=-1.0)),
        case("transposed", "a transposed, non-contiguous [7, 4] tensor", draw.normal(4, 7, scale=3.0).T),
        case("grown", "a stream of large numbers, [4, 7]", draw.normal(4, 7, mean=5.0, scale=20.0)),
        replace(silent, data=silent.data | zeros),
        case("float64", "a [3, 7] tensor of float64", draw.normal(3, 7, mean=1.0).double()),
        case("bfloat16", "a [3, 9] tensor of bfloat16", draw.normal(3, 9, mean=1.0).bfloat16(), **HALF),
    ]


def placement_probe(rec: Recorder, call: Callable, sublayers: tuple[str, ...], norms: tuple[str, ...]) -> None:
    """Runs `call(x, *sublayers, *norms)` with callables built from the case; on some cases with gradients."""
    names = ("x", *(f"{sublayer}_{part}" for sublayer in sublayers for part in "wb"), *norms)

    def run(tensors):
        given = dict(zip(names, tensors, strict=True))
        built = [GivenSublayer(given[f"{sublayer}_w"], given[f"{sublayer}_b"]) for sublayer in sublayers]
        return call(given["x"], *built, *(GivenNorm(given[norm]) for norm in norms))

    rec.output("y", run(rec.inputs(*names)))
    if rec.case.name in GRADIENTS:
        leaves, tensors = rec.leaves(*names)
        rec.gradients(run(tensors), rec["grad_y"], leaves)


def gradients_of(sublayers: tuple[str, ...], norms: tuple[str, ...]) -> tuple[str, ...]:
    """Names of what the probe records as gradients."""
    return (
        "grad_x",
        *(f"grad_{sublayer}_{part}" for sublayer in sublayers for part in "wb"),
        *map("grad_{}".format, norms),
    )


SUBLAYERS, NORMS = ("sublayer",), ("norm",)


def cases(seed: int) -> list[Case]:
    return placement_cases(seed, SUBLAYERS, NORMS)


def probe(post_norm, rec: Recorder) -> None:
    placement_probe(rec, post_norm, SUBLAYERS, NORMS)


EXERCISE = Exercise(
    id="post_norm",
    lesson="05_norm_placement",
    name="post_norm",
    kind="function",
    signature="post_norm(x, sublayer, norm)",
    arguments=("x", "sublayer", "norm"),
    checks=(
        Check("values", 2, "the result, for every rank, size and dtype", VALUES, ("y",)),
        Check("gradients", 1, "gradients of x, the sublayer and the norm", GRADIENTS, gradients_of(SUBLAYERS, NORMS)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Two things are handed to you as functions: call them. In which order do the sublayer, the addition and the "
        "norm come in the formula, read from the inside out?",
        "The sublayer reads x itself. Its result is added to x. Whatever leaves the step has passed the norm.",
        "First the sum of x and the sublayer's result, with nothing normalised yet; then the norm of that sum.",
    ),
)
