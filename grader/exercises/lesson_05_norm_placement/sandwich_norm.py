"""`sandwich_norm(x, sublayer, norm_in, norm_out)`: a norm on each side of the sublayer, inside the branch."""

from grader.exercises.lesson_05_norm_placement.post_norm import (
    GRADIENTS,
    SUBLAYERS,
    VALUES,
    gradients_of,
    placement_cases,
    placement_probe,
)
from grader.probe import Case, Check, Exercise, Recorder

NORMS = ("norm_in", "norm_out")


def cases(seed: int) -> list[Case]:
    return placement_cases(seed, SUBLAYERS, NORMS)


def probe(sandwich_norm, rec: Recorder) -> None:
    placement_probe(rec, sandwich_norm, SUBLAYERS, NORMS)


EXERCISE = Exercise(
    id="sandwich_norm",
    lesson="05_norm_placement",
    name="sandwich_norm",
    kind="function",
    signature="sandwich_norm(x, sublayer, norm_in, norm_out)",
    arguments=("x", "sublayer", "norm_in", "norm_out"),
    checks=(
        Check("values", 2, "the result, for every rank, size and dtype", VALUES, ("y",)),
        Check("gradients", 1, "gradients of x, the sublayer and both norms", GRADIENTS, gradients_of(SUBLAYERS, NORMS)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Start from pre-norm. The stream still runs past everything untouched; what is new happens inside the branch.",
        "The branch is a chain of three: norm_in, the sublayer, norm_out. Its end is added to x.",
        "Read the chain from the inside out: norm_in of x, the sublayer of that, norm_out of that; x is added last.",
    ),
)
