"""`class Attention(nn.Module)`: the attention layer, checked place by place.

What a module does inside is not looked at: it may fuse, reorder or use weights as it likes. Instead each case leaves
only a few places with anything to do. One token has nothing to mask and a softmax of one number; at position 0 RoPE
turns by nothing; with a q_proj of zeros every visible token counts alike; with one head there is nothing to split.
The cases stand in an order in which each adds one place, so the first check that fails names it.
"""

import torch

from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.llama import DecoderConfig

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj")
NAMES = tuple(f"{name}.weight" for name in PROJECTIONS)
LAYER = {"rtol": 1e-5, "atol": 2e-5}
TURNED = {"rtol": 1e-5, "atol": 1e-4}  # fp32 angles, by another right formula, go through a softmax
BFLOAT16 = {"dtype": "bfloat16", "rtol": 3e-2, "atol": 8e-2}
HEADS = {"n_heads": 6, "n_kv_heads": 3, "head_dim": 4}  # together 24 numbers, and the stream has 10
# So slow is the last pair with this theta that no position turns it. Cases in which q has no other pair know no RoPE,
# not even that of a module which counts positions itself.
NEVER_TURNS = 1e16
WIDER = HEADS | {"head_dim": 8}
# Far apart, since RoPE shows differences only; and some that bfloat16, which counts to 256, does not have.
FAR = (0, 1, 257, 258, 511, 1001, 2047, 4095, 4097)
ONE_HEAD = {"n_heads": 1, "n_kv_heads": 1, "head_dim": 8}


def cases(seed: int) -> list[Case]:
    draw = Inputs(seed)

    def case(name, about, shape, positions, heads, *, q=1.0, alike=False, theta=1e4, dtype="float32", **tolerance):
        dim, kind = shape[-1], getattr(torch, dtype)
        query, key = (heads[n] * heads["head_dim"] for n in ("n_heads", "n_kv_heads"))
        widths = dict(zip(NAMES, ((query, dim), (key, dim), (key, dim), (dim, query)), strict=True))
        data = {n: draw.normal(*w, scale=1.3 * w[1] ** -0.5) for n, w in widths.items()}
        data["q_proj.weight"] *= q
        if theta == NEVER_TURNS:
            data["q_proj.weight"].unflatten(0, (-1, 2, heads["head_dim"] // 2))[:, :, :-1] = 0
        if alike:  # every key-value head as the first
            data["v_proj.weight"] = data["v_proj.weight"][: heads["head_dim"]].repeat(heads["n_kv_heads"], 1)
        data |= {"x": draw.normal(*shape, mean=0.5), "grad_y": draw.normal(*shape)}
        data = {n: value.to(kind) for n, value in data.items()}
        config = {"dim": dim, "rope_theta": theta, **heads}
        return Case(name, about, data | {"positions": torch.tensor(positions), "config": config}, **LAYER | tolerance)

    zeros, gaps = [0] * 5, (3, 0, 11, 12, 25)
    return [
        case("output", "one token at position 0, all key-value heads alike", (2, 1, 10), [0], HEADS, alike=True),
        case("kv_heads", "one token at position 0, each head its own", (2, 1, 10), [0], HEADS),
        case("v_stays", "one token at position 7", (2, 1, 10), [7], HEADS),
        case("mask", "one head, q_proj all zero, 5 tokens at position 0", (2, 5, 10), zeros, ONE_HEAD, q=0.0),
        case("heads", "6 heads, q_proj all zero, 5 tokens at position 0", (2, 5, 10), zeros, HEADS, q=0.0),
        case("scale", "one head, 5 tokens at position 0", (2, 5, 10), zeros, ONE_HEAD, q=4.0, theta=NEVER_TURNS),
        case("scores", "6 heads, 5 tokens at position 0", (2, 5, 10), zeros, HEADS, q=4.0, theta=NEVER_TURNS),
        case("rope", "one head, positions 3, 0, 11, 12, 25", (2, 5, 10), gaps, ONE_HEAD, q=2.0, **TURNED),
        case("theta", "6 heads, rope_theta = 500", (2, 5, 10), gaps, HEADS, q=2.0, theta=500.0, **TURNED),
        case("whole", "6 heads, positions 2 to 8", (2, 7, 9), range(2, 9), HEADS, q=2.0, **TURNED),
        case("float64", "float64, 6 heads", (1, 3, 7), range(3), HEADS, dtype="float64", **TURNED),
        case("bfloat16", "bfloat16, positions up to 4097", (2, 9, 16), FAR, WIDER, q=2.0, theta=100.0, **BFLOAT16),
    ]


def probe(cls, rec: Recorder) -> None:
    unused = {"vocab_size": 11, "n_layers": 1, "hidden_dim": 13}
    module = cls(DecoderConfig(**unused, **rec["config"]))
    rec.parameters(module, *NAMES)
    rec.cast(module, rec["x"].dtype)
    rec.load(module, **{name: rec[name] for name in NAMES})
    rec.output("y", module(*rec.inputs("x", "positions")))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in module.named_parameters() if p.requires_grad}
        rec.gradients(module(x, rec["positions"].clone()), rec["grad_y"], leaves)


GRADIENT_CASES = ("scores", "whole")
GRADIENTS = ("grad_x", *(f"grad_{name}" for name in NAMES))

EXERCISE = Exercise(
    id="attention_module",
    lesson="09_attention",
    name="Attention",
    kind="module",
    signature="Attention(config)",
    arguments=("config",),
    checks=(
        Check("output", 1, "the layers v_proj and o_proj", ("output",), ("y",)),
        Check("kv heads", 1, "which key-value head a query head reads its values from", ("kv_heads",), ("y",)),
        Check("v unturned", 1, "the values, which no position changes", ("v_stays",), ("y",)),
        Check("mask", 1, "which tokens a token reads", ("mask",), ("y",)),
        Check("heads", 1, "cutting v into heads, and joining them", ("heads",), ("y",)),
        Check("scale", 1, "the scores' scale", ("scale",), ("y",)),
        Check("scores", 1, "the heads of q and k", ("scores",), ("y",)),
        Check("rope", 1, "RoPE on q and k, with the config's theta", ("rope", "theta"), ("y",)),
        Check("whole", 1, "everything together, in every dtype", ("whole", "float64", "bfloat16"), ("y",)),
        Check("gradients", 1, "gradients of x and the four weights", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Write down the shape after every step, from [B, T, dim] to [B, T, dim]. How wide is each of the four layers? "
        "(Not all lead to dim, and H·hd need not be dim.)",
        "Project; cut the last axis into heads and exchange it with the token axis; turn q and k; give k and v as many "
        "heads as q; causal attention; exchange the axes back, flatten the heads, o_proj. A reshape straight from "
        "[B, T, H·hd] to [B, H, T, hd] has the right shape and mixes up tokens.",
        "Cutting: `view(B, T, -1, head_dim)`, then `transpose(1, 2)`. Joining is the same backwards, with "
        "`reshape(B, T, -1)` at the end. `given_rope` turns; PyTorch's `scaled_dot_product_attention` attends, with "
        "is_causal=True, and shares heads with enable_gqa=True.",
    ),
    forbidden=("lessons.support.llama.Attention.forward",),
)
