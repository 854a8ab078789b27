"""`class Block(nn.Module)`: attention and feed-forward network, each with its norm and its residual."""

from dataclasses import asdict, replace

import torch

from grader.exercises.decoders import block_shapes, draw_weights
from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.llama import DecoderConfig

# B = 3, T = 5, and sizes that all differ: dim 10, 6 query heads on 2 key-value heads of 4 numbers, hidden 14.
CONFIG = DecoderConfig(vocab_size=23, dim=10, n_layers=1, n_heads=6, n_kv_heads=2, head_dim=4, hidden_dim=14)
NAMES = tuple(block_shapes(CONFIG))
WITHOUT_FFN, WITHOUT_ATTENTION = ("ffn.down_proj.weight",), ("attn.o_proj.weight",)

ATTENTION = ("attention", "attention_eps", "attention_places")
FFN = ("ffn", "ffn_eps")
BOTH = ("other_heads", "both", "silent", "one_token", "large", "float64", "bfloat16")
GRADIENT_CASES = ("both",)
HALF = {"rtol": 3e-2, "atol": 3e-2}  # bfloat16, rounded at every step


def cases(seed: int) -> list[Case]:
    """Blocks with one branch shut (its last matrix is zero), so that each half is seen alone; then both halves."""
    draw = Inputs(seed)

    def case(name, about, x, config=CONFIG, positions=None, silent=(), dtype=torch.float32, **tolerance):
        weights = draw_weights(draw, block_shapes(config), silent)
        data = weights | {"x": x, "grad_y": draw.normal(*x.shape)}
        data = {key: value.to(dtype) for key, value in data.items()}
        positions = torch.arange(x.shape[1]) if positions is None else torch.tensor(positions)
        return Case(name, about, data | {"positions": positions, "config": asdict(config)}, **tolerance)

    def x(b=3, t=5, d=10, mean=0.7, scale=1.0):
        return draw.normal(b, t, d, mean=mean, scale=scale)

    gaps, eps = [2, 3, 7, 8, 13], replace(CONFIG, norm_eps=1e-3)
    other = DecoderConfig(23, 12, 1, n_heads=4, n_kv_heads=1, head_dim=6, hidden_dim=9, rope_theta=50.0)
    no_ffn, no_attention = "a block whose FFN adds nothing", "a block whose attention adds nothing"
    small = {"mean": 0, "scale": 0.01}  # far below √eps, so that eps decides
    return [
        # First the one that tells most mistakes apart: the search for a name starts with it.
        case("other_heads", "a block with one key-value head, x of shape [2, 7, 12]", x(2, 7, 12), other),
        case("attention", no_ffn, x(), silent=WITHOUT_FFN),
        case("attention_eps", f"{no_ffn}, norm_eps = 0.001 and x of size 0.01", x(**small), eps, silent=WITHOUT_FFN),
        case("attention_places", f"{no_ffn}, at positions {gaps}", x(), positions=gaps, silent=WITHOUT_FFN),
        case("ffn", no_attention, x(), silent=WITHOUT_ATTENTION),
        case(
            "ffn_eps", f"{no_attention}, norm_eps = 0.001 and x of size 0.01", x(**small), eps, silent=WITHOUT_ATTENTION
        ),
        case("both", "an ordinary block, x of shape [3, 5, 10]", x()),
        case("silent", "a block of which neither half adds anything", x(), silent=(*WITHOUT_FFN, *WITHOUT_ATTENTION)),
        case("one_token", "a single token, x of shape [1, 1, 10]", x(1, 1)),
        case("large", "a stream of large numbers", x(mean=5.0, scale=20.0)),
        case("float64", "a block in float64", x(), dtype=torch.float64),
        case("bfloat16", "a block in bfloat16", x(), dtype=torch.bfloat16, **HALF),
    ]


def probe(cls, rec: Recorder) -> None:
    module = cls(DecoderConfig(**rec["config"]))
    rec.parameters(module, *NAMES)
    rec.cast(module, rec["x"].dtype)
    rec.load(module, **{name: rec[name] for name in NAMES})
    x, positions = rec.inputs("x", "positions")
    rec.output("y", module(x, positions))
    if rec.case.name in GRADIENT_CASES:
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in module.named_parameters() if p.requires_grad}
        rec.gradients(module(x, positions), rec["grad_y"], leaves)


EXERCISE = Exercise(
    id="block",
    lesson="10_decoder",
    name="Block",
    kind="module",
    signature="Block(config)",
    arguments=("config",),
    checks=(
        Check("attention's step", 2, "the FFN shut: norm, attention, residual", ATTENTION, ("y",)),
        Check("the FFN's step", 1, "attention shut: norm, FFN, residual", FFN, ("y",)),
        Check("both steps", 2, "the whole block, for every size and dtype", BOTH, ("y",)),
        Check(
            "gradients", 1, "gradients of x and all weights", GRADIENT_CASES, ("grad_x", *map("grad_{}".format, NAMES))
        ),
    ),
    cases=cases,
    probe=probe,
    forbidden=("lessons.support.decoder.given_block", "lessons.support.decoder.given_decoder"),
    hints=(
        "A block is two steps of the same kind: read the stream through a norm, compute, add to the stream. "
        "Attention goes first. What does the FFN read, and what is its result added to?",
        "`__init__` makes four parts, and all their numbers come from `config`: two norms of width dim with the "
        "config's eps, the attention, the FFN. In `forward`, only attention needs the positions.",
        "The parts: RMSNorm takes the width and an eps, Attention the whole config, SwiGLU two widths. "
        "In `forward` let the stream be x plus attention of the normed x; then return that stream plus the FFN of that "
        "stream, normed by the other norm.",
    ),
)
