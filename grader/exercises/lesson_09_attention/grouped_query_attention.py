"""`grouped_query_attention(q, k, v)`: several query heads share a key-value head."""

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_09_attention.causal_attention import GRADIENTS, QKV, probe_attention, qkv_case
from grader.probe import Case, Check, Exercise, Recorder


def cases(seed: int) -> list[Case]:
    """Groups of 2, 3 and 4 query heads, and both ends: one key-value head for all, and one for each.

    In no case is a group as large as the number of key-value heads, where dealing out and grouping look alike.
    """
    draw = Inputs(seed)
    return [
        qkv_case(draw, "groups_of_3", "groups of 3", 2, (6, 2), 5, 4),
        qkv_case(draw, "groups_of_2", "groups of 2", 3, (8, 4), 7, 5),
        qkv_case(draw, "groups_of_4", "groups of 4", 1, (12, 3), 9, 8),
        qkv_case(
            draw, "token_first", "heads cut from a projection, not contiguous", 2, (6, 3), 4, 5, tokens_first=True
        ),
        qkv_case(draw, "bfloat16", "bfloat16", 2, (6, 2), 9, 8, dtype="bfloat16"),
        qkv_case(draw, "float64", "float64", 1, (6, 2), 3, 7, dtype="float64"),
        qkv_case(draw, "large", "scores of some hundreds", 2, (8, 2), 11, 9, size=12.0),
        qkv_case(draw, "one_for_all", "one key-value head for all", 2, (5, 1), 6, 4),
        qkv_case(draw, "one_for_each", "a key-value head for each query head", 2, (3, 3), 5, 4),
        qkv_case(draw, "one_token", "a single token", 3, (6, 2), 1, 5),
    ]


def probe(attention, rec: Recorder) -> None:
    probe_attention(attention, rec, GRADIENT_CASES)


GROUPS = ("groups_of_3", "groups_of_2", "groups_of_4", "token_first", "bfloat16", "float64", "large")
ENDS = ("one_for_all", "one_for_each", "one_token")
GRADIENT_CASES = ("groups_of_3", "groups_of_4", "one_for_all")

EXERCISE = Exercise(
    id="grouped_query_attention",
    lesson="09_attention",
    name="grouped_query_attention",
    kind="function",
    signature="grouped_query_attention(q, k, v)",
    arguments=QKV,
    checks=(
        Check("groups", 2, "groups of 2, 3 and 4 query heads, in every dtype", GROUPS, ("y",)),
        Check("ends", 1, "one key-value head for all, one for each, and a single token", ENDS, ("y",)),
        Check("gradients", 1, "gradients of q, k and v", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Everything but the heads is as before. With 6 query heads and 2 key-value heads, which query heads read "
        "key-value head 0?",
        "Neighbours share: heads 0, 1, 2 read key-value head 0, and 3, 4, 5 read head 1. Give k and v as many heads as "
        "q has, by repeating each head in place. `repeat` lays whole copies side by side: that is another order.",
        "`repeat_interleave(group, dim=1)` with group = H // KV does it for k and for v. Then causal attention as you "
        "know it; PyTorch's own is allowed here, with is_causal=True.",
    ),
)
