"""`pre_norm_block(x, attn, ffn, attn_norm, ffn_norm)`: the block with two sublayers."""

from grader.exercises.lesson_05_norm_placement.post_norm import (
    GRADIENTS,
    VALUES,
    gradients_of,
    placement_cases,
    placement_probe,
)
from grader.probe import Case, Check, Exercise, Recorder

SUBLAYERS, NORMS = ("attn", "ffn"), ("attn_norm", "ffn_norm")


def cases(seed: int) -> list[Case]:
    return placement_cases(seed, SUBLAYERS, NORMS)


def probe(pre_norm_block, rec: Recorder) -> None:
    placement_probe(rec, pre_norm_block, SUBLAYERS, NORMS)


EXERCISE = Exercise(
    id="pre_norm_block",
    lesson="05_norm_placement",
    name="pre_norm_block",
    kind="function",
    signature="pre_norm_block(x, attn, ffn, attn_norm, ffn_norm)",
    arguments=("x", "attn", "ffn", "attn_norm", "ffn_norm"),
    checks=(
        Check("values", 3, "the result, for every rank, size and dtype", VALUES, ("y",)),
        Check("gradients", 2, "gradients of x, sublayers and norms", GRADIENTS, gradients_of(SUBLAYERS, NORMS)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "A block is two pre-norm steps, one after the other. What does the second step take as its stream?",
        "After the attention step the stream is no longer x. The FFN reads, and is added to, what the first step left.",
        "Give the first step's result a name. The second step uses that name twice: inside ffn_norm, and in the sum.",
    ),
)
