"""`cached_attention(q, k, v, cache)`: new tokens read what is cached and themselves."""

import torch

from grader.exercises.inputs import Inputs
from grader.exercises.lesson_09_attention.causal_attention import BFLOAT16, LARGE, LAYER, QKV
from grader.probe import Case, Check, Exercise, Recorder

CACHE = ("cached_k", "cached_v")


def cases(seed: int) -> list[Case]:
    """Steps of some tokens each, after None or after a cache that is handed in. "fork" uses one cache twice."""
    draw = Inputs(seed)

    def case(name, about, shape, steps, *, cached=0, size=1.0, dtype="float32", **tolerance):
        b, h, hd = shape
        data = {n: draw.normal(b, h, sum(steps), hd, mean=0.5, scale=1.0 if n == "v" else size) for n in QKV}
        if cached:
            scales = dict(zip(CACHE, (size, 1.0), strict=True))
            data |= {n: draw.normal(b, h, cached, hd, mean=0.5, scale=s) for n, s in scales.items()}
        data = {n: value.to(getattr(torch, dtype)) for n, value in data.items()}
        about += f" (B = {b}, H = {h}, hd = {hd})"
        return Case(name, about, data | {"steps": list(steps)}, **LAYER | tolerance)

    return [
        case("first", "5 tokens and no cache", (2, 3, 4), [5]),
        case("first_token", "1 token and no cache", (3, 2, 5), [1]),
        case("one_new", "1 token after 6 cached ones", (2, 3, 4), [1], cached=6),
        case("many_new", "3 tokens after 7 cached ones", (2, 4, 5), [3], cached=7),
        case("more_than_cached", "6 tokens after 2 cached ones", (3, 2, 5), [6], cached=2),
        case("as_many", "3 tokens after 3 cached ones", (2, 4, 6), [3], cached=3),
        case("one_by_one", "6 tokens, one by one", (2, 3, 5), [1] * 6),
        case("chunks", "9 tokens in steps of 4, 1, 3 and 1", (1, 2, 7), [4, 1, 3, 1]),
        case("bfloat16", "bfloat16, in steps of 3, 2 and 4", (2, 3, 8), [3, 2, 4], dtype="bfloat16", **BFLOAT16),
        case("float64", "float64, in steps of 2 and 3", (1, 2, 6), [2, 3], dtype="float64"),
        case("large", "scores of some hundreds, in steps of 4 and 3", (2, 3, 8), [4, 3], size=12.0, **LARGE),
        case("fork", "a cache of 4 tokens that two continuations use", (2, 3, 5), [2, 2], cached=4),
    ]


def probe(cached_attention, rec: Recorder) -> None:
    q, k, v = rec.inputs(*QKV)
    given = tuple(rec.inputs(*CACHE)) if CACHE[0] in rec.case.data else None
    cache, start = given, 0
    for step, t in enumerate(rec["steps"], 1):
        new = (x[:, :, start : start + t] for x in (q, k, v))
        result = cached_attention(*new, given if rec.case.name == "fork" else cache)
        if not _is_pair(result):
            rec.outputs(("out", "cache"), result)  # notes what it is
            return
        rec.output(f"out_{step}", result[0])
        cache, start = result[1], start + t
        if not (_is_pair(cache) and rec.outputs((f"cache_k_{step}", f"cache_v_{step}"), cache)):
            raise TypeError("the new cache should be a pair of tensors, (k, v)")


def _is_pair(value: object) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2


SPLITS = ("one_by_one", "chunks", "bfloat16", "float64", "large")
SEVERAL = ("many_new", "more_than_cached", "as_many")
STEPS = range(1, 7)  # no case has more
OUT = tuple(f"out_{step}" for step in STEPS)
KEPT = tuple(f"cache_{name}_{step}" for step in STEPS for name in "kv")

EXERCISE = Exercise(
    id="cached_attention",
    lesson="09_attention",
    name="cached_attention",
    kind="function",
    signature="cached_attention(q, k, v, cache)",
    arguments=(*QKV, "cache"),
    checks=(
        Check("no cache yet", 1, "the first call, with None", ("first", "first_token"), OUT),
        Check("one new token", 1, "one token after cached ones", ("one_new",), OUT),
        Check("several new tokens", 1, "several tokens after cached ones", SEVERAL, OUT),
        Check("any split", 1, "the same tokens in steps of any size", SPLITS, OUT),
        Check("the cache", 1, "what is kept, also of a cache that is used twice", (*SEVERAL, "fork"), (*OUT, *KEPT)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Which keys does a new query read? Which of them may it not read? Try it on paper: 3 tokens cached, 2 new.",
        "Join the cached keys and the new ones along the token axis, old first; the values likewise. New token i is "
        "at place n + i, with n tokens cached, so it reads places 0 to n + i. The new cache is the joined pair.",
        "`torch.cat((old, new), dim=2)` for keys and values, unless cache is None. The mask has t rows and n + t "
        "columns: `tril(diagonal=n)` of ones. (PyTorch's is_causal=True counts from the top left: wrong here.)",
    ),
)
