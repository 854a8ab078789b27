"""`causal_attention(q, k, v)`: every token reads itself and what came before."""

import torch

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder

QKV = ("q", "k", "v")
LAYER = {"rtol": 1e-5, "atol": 1e-5}  # two products and a softmax: right orders of summation differ by a few units
BFLOAT16 = {"rtol": 1.6e-2, "atol": 5e-2}  # scores and weights may be rounded to 8 bits on the way
LARGE = {"rtol": 1e-3, "atol": 2e-3}  # a score of 400 has an error of some 1e-5, and so have its weights


def qkv_case(draw, name, about, b, heads, t, hd, *, size=1.0, dtype="float32", tokens_first=False) -> Case:
    """q: [B, H, T, hd], k and v: [B, KV, T, hd], for heads = (H, KV); no two sizes of a case should be equal.

    Values have a mean, so that a weight too much or too little shows. `size` is that of q and k. With `tokens_first`
    they lie as a projection leaves them: [B, T, H, hd], with two axes exchanged.
    """
    (h, kv), kind = heads, getattr(torch, dtype)
    shapes = {"q": (b, h, t, hd), "k": (b, kv, t, hd), "v": (b, kv, t, hd), "grad_y": (b, h, t, hd)}
    sizes = {"q": size, "k": size}
    data = {n: draw.normal(*shape, mean=0.5, scale=sizes.get(n, 1.0)).to(kind) for n, shape in shapes.items()}
    if tokens_first:
        data |= {n: data[n].transpose(1, 2).contiguous().transpose(1, 2) for n in QKV}
    about += f" (B = {b}, H = {h}, {f'KV = {kv}, ' if kv != h else ''}T = {t}, hd = {hd})"
    return Case(name, about, data, **(BFLOAT16 if dtype == "bfloat16" else LARGE if size > 1 else LAYER))


def cases(seed: int) -> list[Case]:
    """Small, long and single; the large scores overflow an exponential that nothing was subtracted from."""
    draw = Inputs(seed)
    return [
        qkv_case(draw, "batch", "a small batch", 2, (3, 3), 5, 4),
        qkv_case(draw, "one_token", "a single token", 3, (2, 2), 1, 5),
        qkv_case(draw, "long", "a longer sequence", 1, (2, 2), 37, 8),
        qkv_case(
            draw, "token_first", "heads cut from a projection, not contiguous", 2, (4, 4), 7, 3, tokens_first=True
        ),
        qkv_case(draw, "float64", "float64", 1, (2, 2), 3, 7, dtype="float64"),
        qkv_case(draw, "bfloat16", "bfloat16", 2, (3, 3), 9, 8, dtype="bfloat16"),
        qkv_case(draw, "large", "scores of some hundreds", 2, (3, 3), 11, 8, size=12.0),
    ]


def probe_attention(attention, rec: Recorder, gradient_cases: tuple[str, ...]) -> None:
    rec.output("y", attention(*rec.inputs(*QKV)))
    if rec.case.name in gradient_cases:
        leaves, inputs = rec.leaves(*QKV)
        rec.gradients(attention(*inputs), rec["grad_y"], leaves)


def probe(causal_attention, rec: Recorder) -> None:
    probe_attention(causal_attention, rec, GRADIENT_CASES)


ORDINARY = ("batch", "one_token", "long", "token_first", "float64", "bfloat16")
GRADIENT_CASES = ("batch", "long", "token_first")
GRADIENTS = tuple(f"grad_{name}" for name in QKV)

EXERCISE = Exercise(
    id="causal_attention",
    lesson="09_attention",
    name="causal_attention",
    kind="function",
    signature="causal_attention(q, k, v)",
    arguments=QKV,
    checks=(
        Check("values", 3, "ordinary inputs of every size and dtype", ORDINARY, ("y",)),
        Check("extremes", 1, "scores whose exponential overflows", ("large",), ("y",)),
        Check("gradients", 1, "gradients of q, k and v", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Four steps: a score for each pair of tokens, the mask, the softmax, the weighted sum. Which axis of the "
        "scores belongs to the queries, and along which one must the weights sum to 1?",
        "The scores are [B, H, T, T]: a row for each query, a column for each key. A hidden score becomes minus "
        "infinity BEFORE the softmax. Row t keeps columns 0 to t, its own included: a lower triangle.",
        "`torch.ones(T, T, dtype=torch.bool).tril()` is True where a query may look. `masked_fill` puts the number "
        "where its mask is True, so hand it the opposite. Divide by the root of q's last size; softmax over dim=-1.",
    ),
    forbidden=("torch.nn.functional.scaled_dot_product_attention",),
)
