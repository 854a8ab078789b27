"""`pre_norm(x, sublayer, norm)`: today's arrangement."""

from grader.exercises.lesson_05_norm_placement.post_norm import (
    GRADIENTS,
    NORMS,
    SUBLAYERS,
    VALUES,
    cases,
    gradients_of,
    placement_probe,
)
from grader.probe import Check, Exercise, Recorder


def probe(pre_norm, rec: Recorder) -> None:
    placement_probe(rec, pre_norm, SUBLAYERS, NORMS)


EXERCISE = Exercise(
    id="pre_norm",
    lesson="05_norm_placement",
    name="pre_norm",
    kind="function",
    signature="pre_norm(x, sublayer, norm)",
    arguments=("x", "sublayer", "norm"),
    checks=(
        Check("values", 2, "the result, for every rank, size and dtype", VALUES, ("y",)),
        Check("gradients", 1, "gradients of x, the sublayer and the norm", GRADIENTS, gradients_of(SUBLAYERS, NORMS)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Suppose the sublayer returned zeros. Then the step should hand on x, untouched. What does that say about "
        "where the norm may stand?",
        "Only the branch sees the norm: the sublayer reads the normalised x. The addition uses x as it came in.",
        "Normalise x into a new name, give that to the sublayer, and add the result to x, the old name.",
    ),
)
