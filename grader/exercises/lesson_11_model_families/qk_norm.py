"""`qk_norm(q, k, q_norm, k_norm)`: Qwen3's norm of queries and keys, each head by itself, before RoPE."""

from grader.exercises.inputs import Inputs
from grader.exercises.layers import GivenNorm
from grader.probe import Case, Check, Exercise, Recorder

HALF = {"rtol": 3e-2, "atol": 3e-2}
VALUES = ("grouped", "one_kv_head", "large", "long_heads")
EDGES = ("one_head", "square", "even_weights", "strided", "zeros", "float64", "bfloat16")
GRADIENT_CASES = ("grouped", "strided")
TENSORS = ("q", "k", "q_gain", "k_gain")
RESULTS = ("q_out", "k_out")
GRADIENTS = tuple(f"grad_{name}" for name in TENSORS)


def cases(seed: int) -> list[Case]:
    """Every size differs, and so do the two norms; single cases have equal sizes, so that other axes show."""
    draw = Inputs(seed)

    def case(name, about, batch, heads, kv_heads, tokens, head_dim, scale=1.0, **tolerance):
        data = {
            "q": draw.normal(batch, heads, tokens, head_dim, mean=0.5, scale=scale),
            "k": draw.normal(batch, kv_heads, tokens, head_dim, scale=scale),
            "q_gain": draw.weight(head_dim),
            "k_gain": draw.weight(head_dim),
        }
        data["grad_q"], data["grad_k"] = (draw.normal(*data[key].shape) for key in "qk")
        return Case(name, about, data, **tolerance)

    def cast(made: Case, to) -> Case:
        return Case(made.name, made.about, {k: to(v) for k, v in made.data.items()}, made.rtol, made.atol)

    even = case("even_weights", "norms whose weights are alike in each pair that RoPE turns", 1, 3, 1, 5, 4)
    alike = {key: even.data[key][:2].repeat(2) for key in ("q_gain", "k_gain")}
    return [
        case("grouped", "6 query heads and 3 key heads of 4 numbers, 5 tokens", 2, 6, 3, 5, 4),
        case("one_kv_head", "5 query heads and 1 key head of 8 numbers, 3 tokens", 3, 5, 1, 3, 8),
        case("large", "heads of very different sizes", 2, 4, 2, 3, 6, scale=100.0),
        case("long_heads", "2 query heads and 1 key head of 64 numbers", 1, 2, 1, 7, 64),
        case("one_head", "one query head and one key head", 2, 1, 1, 3, 6),
        case("square", "as many tokens as a head has numbers", 1, 3, 2, 6, 6),
        Case(even.name, even.about, even.data | alike),
        cast(case("strided", "heads that lie in memory token by token", 2, 4, 2, 5, 6), _by_token),
        case("zeros", "queries and keys that are all zero", 1, 4, 2, 3, 6, scale=0.0),
        cast(case("float64", "float64", 1, 4, 2, 3, 6), lambda t: t.double()),
        cast(case("bfloat16", "bfloat16", 1, 4, 2, 3, 6, **HALF), lambda t: t.bfloat16()),
    ]


def _by_token(tensor):
    """The same numbers, laid out as a projection leaves them."""
    return tensor.transpose(1, 2).contiguous().transpose(1, 2) if tensor.ndim == 4 else tensor


def probe(qk_norm, rec: Recorder) -> None:
    def call(q, k, q_gain, k_gain):
        return qk_norm(q, k, GivenNorm(q_gain), GivenNorm(k_gain))

    result = call(*rec.inputs(*TENSORS))
    if rec.outputs(RESULTS, result) and rec.case.name in GRADIENT_CASES:
        leaves, tensors = rec.leaves(*TENSORS)
        q, k = call(*tensors)
        if (q.shape, k.shape) == (rec["q"].shape, rec["k"].shape):
            rec.gradients((q * rec["grad_q"]).sum() + (k * rec["grad_k"]).sum(), rec["q"].new_ones(()), leaves)


EXERCISE = Exercise(
    id="qk_norm",
    lesson="11_model_families",
    name="qk_norm",
    kind="function",
    signature="qk_norm(q, k, q_norm, k_norm)",
    arguments=("q", "k", "q_norm", "k_norm"),
    checks=(
        Check("values", 2, "queries and keys, for every number of heads", VALUES, RESULTS),
        Check("edges", 1, "one head, equal sizes, zeros, every dtype", EDGES, RESULTS),
        Check("gradients", 1, "gradients of queries, keys and both norms", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "You are handed two norms. Which numbers does each of them take the mean of? Look at the last axis of q.",
        "The norms work on the last axis, and that is one head's numbers already: nothing has to be reshaped. Queries "
        "have a norm of their own, and so have keys.",
        "Two calls, one a norm, and a tuple of their results, queries first. RoPE is not this function's work.",
    ),
)
