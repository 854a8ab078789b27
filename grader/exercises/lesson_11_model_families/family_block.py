"""`family_block(family, config)`: the decoder block of Llama 3, Qwen3 or OLMo 2.

Each family has cases that leave one place to go wrong: silent sublayers, a silent attention, a single token (whose
score no query or key can change), QK-norm with weights that commute with RoPE. A check reads them in that order,
so that the first to fail tells the place.
"""

from dataclasses import asdict, replace

import torch
from torch import nn

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.llama import DecoderConfig

LAYER = {"rtol": 1e-5, "atol": 1e-5}
GRADIENTS_TOO = {"rtol": 1e-5, "atol": 5e-5}  # a weight's gradient is a sum over tokens whose terms nearly cancel
HALF = {"rtol": 4e-2, "atol": 0.12}  # bfloat16 rounds in two dozen places
CONFIG = DecoderConfig(
    vocab_size=7, dim=10, n_layers=1, n_heads=6, n_kv_heads=2, head_dim=4, hidden_dim=14, rope_theta=100.0
)
WIDE = replace(CONFIG, dim=9, n_heads=3, n_kv_heads=1, head_dim=8, hidden_dim=16, norm_eps=0.05, rope_theta=500.0)
SPOKEN = {"llama3": "a Llama 3 block", "qwen3": "a Qwen3 block", "olmo2": "an OLMo 2 block"}
SILENT_ATTENTION, SILENT_FFN = ("attn.o_proj.weight",), ("ffn.down_proj.weight",)
# Case -> what it leaves to go wrong, what is silent (weights of zero), number of tokens.
PLACES = {
    "silent": ("whose attention and FFN write zeros", SILENT_ATTENTION + SILENT_FFN, 3),
    "ffn": ("whose attention writes zeros, so that only the FFN's half counts", SILENT_ATTENTION, 5),
    "one_token": ("on one token, where queries and keys do not matter, its FFN silent", SILENT_FFN, 1),
    "even": ("whose FFN is silent and whose QK-norm has weights that RoPE does not notice", SILENT_FFN, 5),
    "whole": ("with all its parts", (), 5),
    "wide": ("with one key head, eps 0.05, theta 500, and positions from 11 on with a gap", (), 7),
}
CASES = {"llama3": ("ffn", "whole", "wide"), "qwen3": tuple(PLACES)[1:], "olmo2": tuple(PLACES)}
IN_BFLOAT16 = ("qwen3", "olmo2")


def parameters(family: str, config: DecoderConfig) -> dict[str, tuple[int, ...]]:
    """The contract's names and shapes."""
    dim, hidden, head = config.dim, config.hidden_dim, config.head_dim
    q, k = config.n_heads * head, config.n_kv_heads * head
    attn = {"q_proj": (q, dim), "k_proj": (k, dim), "v_proj": (k, dim), "o_proj": (dim, q)}
    attn |= {"qwen3": {"q_norm": (head,), "k_norm": (head,)}, "olmo2": {"q_norm": (q,), "k_norm": (k,)}}.get(family, {})
    ffn = {"gate_proj": (hidden, dim), "up_proj": (hidden, dim), "down_proj": (dim, hidden)}
    names = {f"attn.{name}": shape for name, shape in attn.items()} | {f"ffn.{n}": shape for n, shape in ffn.items()}
    return {f"{name}.weight": shape for name, shape in (names | {"attn_norm": (dim,), "ffn_norm": (dim,)}).items()}


def cases(seed: int) -> list[Case]:
    draw = Inputs(seed)
    return [
        *(_case(draw, family, place) for family, places in CASES.items() for place in places),
        *(_bfloat16(_case(draw, family, "whole"), family) for family in IN_BFLOAT16),
    ]


def _case(draw: Inputs, family: str, place: str) -> Case:
    about, silent, tokens = PLACES[place]
    config = WIDE if place == "wide" else CONFIG
    positions = torch.arange(tokens)
    if place == "wide":
        positions = positions + 11 + 5 * (positions > 3)
    weights = {}
    for name, shape in parameters(family, config).items():
        # Large queries and keys, so that a score far from its neighbours shows how they were made.
        gain = 2.0 if name.startswith(("attn.q_proj", "attn.k_proj")) else 1.0
        weights[name] = draw.weight(*shape) if len(shape) == 1 else draw.normal(*shape, scale=gain * shape[1] ** -0.5)
        if place == "even" and name.startswith(("attn.q_norm", "attn.k_norm")):
            half = weights[name].view(-1, config.head_dim)[:, : config.head_dim // 2]
            weights[name] = torch.cat((half, half), dim=-1).flatten()
        if name in silent:
            weights[name].zero_()
    x = draw.normal(2, tokens, config.dim, mean=0.3, scale=1.5)
    data = {
        "family": family,
        "config": asdict(config),
        "x": x,
        "positions": positions,
        "grad_y": draw.normal(*x.shape),
        **weights,
    }
    tolerance = GRADIENTS_TOO if place == "whole" else LAYER
    return Case(f"{family}_{place}", f"{SPOKEN[family]} {about}", data, **tolerance)


def _bfloat16(case: Case, family: str) -> Case:
    data = {k: v.bfloat16() if torch.is_tensor(v) and v.is_floating_point() else v for k, v in case.data.items()}
    return Case(f"{family}_bfloat16", f"{SPOKEN[family]} in bfloat16", data, **HALF)


def probe(family_block, rec: Recorder) -> None:
    family, config = rec["family"], DecoderConfig(**rec["config"])
    names = parameters(family, config)
    block = family_block(family, config)
    if not isinstance(block, nn.Module):
        raise TypeError(f"family_block should return an nn.Module; for {family!r} it returned {type(block).__name__}")
    rec.parameters(block, *names)
    _demand(rec.record.facts["parameters"], names, family)
    rec.cast(block, rec["x"].dtype)
    weights = {name: rec[name] for name in names}
    rec.load(block, **weights)
    rec.output("y", block(*rec.inputs("x", "positions")))
    if rec.case.name.endswith("_whole"):
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in block.named_parameters() if p.requires_grad}
        rec.gradients(block(x, rec["positions"].clone()), rec["grad_y"], leaves)


def _demand(trained: dict[str, list[int]], names: dict[str, tuple[int, ...]], family: str) -> None:
    """Raises where the block does not train what the contract names: Hugging Face's weights would not fit.

    No gate of its own, so that one family's names do not cost the points of another.
    """
    wrong = [f"`{name}` is missing" for name in names if name not in trained]
    wrong += [f"`{name}` should not be there" for name in trained if name not in names]
    both = [name for name in names if name in trained and list(names[name]) != trained[name]]
    wrong += [f"`{name}` has shape {trained[name]} instead of {list(names[name])}" for name in both]
    if wrong:
        raise ValueError(f"the weights of {SPOKEN[family]} do not fit into this one: {', '.join(wrong)}")


GRADIENTS = tuple(f"grad_{name}" for name in ("x", *parameters("qwen3", CONFIG)))


def _value_check(family: str, points: int) -> Check:
    about = f"{SPOKEN[family]}, place by place and as a whole"
    return Check(family, points, about, tuple(f"{family}_{place}" for place in CASES[family]), ("y",))


EXERCISE = Exercise(
    id="family_block",
    lesson="11_model_families",
    name="family_block",
    kind="function",
    signature="family_block(family, config)",
    arguments=("family", "config"),
    forbidden=("lessons.support.families.shown_step",),  # the lesson's experiments are given it
    checks=(
        _value_check("llama3", 3),
        _value_check("qwen3", 4),
        _value_check("olmo2", 5),
        Check("gradients", 2, "gradients of x and all weights", tuple(f"{f}_whole" for f in CASES), GRADIENTS),
        Check("bfloat16", 2, "blocks in bfloat16", tuple(f"{f}_bfloat16" for f in IN_BFLOAT16), ("y",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Write the Llama block first: attention and SwiGLU are given. Then ask of the other two: where do their norms "
        "stand, and over which numbers do they norm queries and keys? Two answers a family are all you need.",
        "Both placements are x + n₂(f(n₁(x))) with one of the norms left out; what is left out can be the identity. "
        "For QK-norm write an attention of your own: norm after the projections, and before RoPE. Qwen3's norm is as "
        "wide as a head and sees the cut heads; OLMo 2's is as wide as the whole projection and sees it uncut.",
        "Subclass Attention: in `__init__` add q_norm and k_norm where the family has them, of width head_dim or of "
        "n_heads * head_dim and n_kv_heads * head_dim. In `forward` project, norm, cut into heads (OLMo 2), or cut and "
        "norm (Qwen3), then given_rope on queries and keys only, then scaled_dot_product_attention as in `Attention`. "
        "OLMo 2's block adds attn_norm of what attention returned, and ffn_norm of what the FFN returned.",
    ),
)
