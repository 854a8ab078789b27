"""`class Decoder(nn.Module)`: from token ids to logits."""

from dataclasses import asdict, replace

import torch

from grader.exercises.decoders import EMBEDDING, HEAD, decoder_shapes, draw_weights
from grader.exercises.inputs import Inputs
from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.llama import DecoderConfig

# B = 3, T = 7; no two sizes of the model are equal, and dim is not n_heads * head_dim.
CONFIG = DecoderConfig(
    23, 10, n_layers=3, n_heads=6, n_kv_heads=2, head_dim=4, hidden_dim=14, norm_eps=1e-6, rope_theta=100.0
)
SILENT = ("attn.o_proj.weight", "ffn.down_proj.weight")

ENDS = ("bare", "bare_eps", "bare_small", "bare_large")
SHARED = ("tied", "tied_bare")
BLOCKS = ("other", "ordinary", "silent", "one_token", "long")
GRADIENT_CASES = ("ordinary", "tied")
MODEL = {"rtol": 3e-5, "atol": 3e-5}  # a whole model in float32
STATES = tuple(f"after_{n}_blocks" for n in range(4))


def cases(seed: int) -> list[Case]:
    """Models without blocks, with blocks that add nothing, and whole ones; head and embedding apart or one tensor."""
    draw = Inputs(seed)

    def case(name, about, config, shape=(3, 7), embedding=1.0, silent=()):
        weights = draw_weights(draw, decoder_shapes(config), silent)
        weights[EMBEDDING] = weights[EMBEDDING] * embedding
        picks = draw.normal(*shape, config.vocab_size).argmax(-1)
        data = weights | {"ids": picks, "grad_y": draw.normal(*shape, config.vocab_size)}
        return Case(name, about, data | {"config": asdict(config)}, **MODEL)

    bare, two = replace(CONFIG, n_layers=0), replace(CONFIG, n_layers=2)
    other = DecoderConfig(31, 12, 2, 4, 1, 6, 9, norm_eps=1e-6, rope_theta=7.0, tie_embeddings=True)
    tied = "a model whose config ties the head to the embedding"
    return [
        # First the one that tells most mistakes apart: the search for a name starts with it.
        case("other", "another size: two blocks, one key-value head, tied", other, (2, 5)),
        case("ordinary", "a model of three blocks, ids of shape [3, 7]", CONFIG),
        case("tied", f"{tied}, two blocks", replace(two, tie_embeddings=True)),
        case("tied_bare", f"{tied}, no blocks", replace(bare, tie_embeddings=True)),
        case("bare", "a model without blocks", bare),
        case("bare_eps", "a model without blocks, norm_eps = 0.5", replace(bare, norm_eps=0.5)),
        case(
            "bare_small",
            "no blocks, norm_eps = 0.001 and tiny embeddings",
            replace(bare, norm_eps=1e-3),
            embedding=0.03,
        ),
        case("bare_large", "a model without blocks and with large embeddings", bare, embedding=30.0),
        case("silent", "a model whose blocks add nothing", two, silent=SILENT),
        case("one_token", "a single id, of shape [1, 1]", two, (1, 1)),
        case("long", "ids of shape [1, 19]", two, (1, 19)),
    ]


def probe(cls, rec: Recorder) -> None:
    config, (ids,) = DecoderConfig(**rec["config"]), rec.inputs("ids")
    model = _loaded(cls, rec, config)
    trained = _trained(model)
    # Whether the head is tied is looked at by itself, so that it costs its own points and no others.
    shown = {name: list(p.shape) for name, p in trained.items() if p.requires_grad and name != HEAD}
    rec.record.facts["parameters"] = shown
    rec.number("numbers_in_a_head_of_its_own", trained[HEAD].numel() if HEAD in trained else 0)
    rec.output("logits", model(ids))
    if rec.case.name in GRADIENT_CASES:
        leaves = {name: p for name, p in trained.items() if p.requires_grad}
        rec.gradients(model(ids), rec["grad_y"], leaves)
        _look_inside(cls, rec, config, ids)


def _look_inside(cls, rec: Recorder, config: DecoderConfig, ids: torch.Tensor) -> None:
    """The stream after 0, 1, 2, ... blocks, as norm and head read it: the same weights in a model that ends there.

    So it does not matter whether an implementation calls its parts as modules or computes with their weights.
    """
    for n in range(config.n_layers + 1):
        rec.output(f"after_{n}_blocks", _loaded(cls, rec, replace(config, n_layers=n))(ids))


def _loaded(cls, rec: Recorder, config: DecoderConfig) -> torch.nn.Module:
    model = cls(config)
    rec.cast(model, rec[EMBEDDING].dtype)
    for name, own in _trained(model).items():
        if name in rec.case.data and own.shape == rec[name].shape:
            own.data = rec[name].clone()
    return model


def _trained(model: torch.nn.Module) -> dict[str, torch.nn.Parameter]:
    """Each parameter once. What is both embedding and head goes by the embedding's name, whichever was made first."""
    named = dict(model.named_parameters(remove_duplicate=False))
    first: dict[int, str] = {}
    for name in sorted(named, key=lambda name: name == HEAD):
        first.setdefault(id(named[name]), name)
    return {name: named[name] for name in first.values()}


GRADIENTS = tuple(f"grad_{name}" for name in decoder_shapes(CONFIG))

EXERCISE = Exercise(
    id="decoder",
    lesson="10_decoder",
    name="Decoder",
    kind="module",
    signature="Decoder(config)",
    arguments=("config",),
    checks=(
        Check(
            "the ends", 2, "no blocks: embedding, final norm, head", ENDS, ("numbers_in_a_head_of_its_own", "logits")
        ),
        Check("tied", 2, "embedding and head as one tensor", SHARED, ("numbers_in_a_head_of_its_own", "logits")),
        Check("inside", 2, "the stream after every block, read by norm and head", ("ordinary",), STATES),
        Check("logits", 2, "whole models of several sizes", BLOCKS, ("logits",)),
        Check("gradients", 2, "gradients of all weights, untied and tied", GRADIENT_CASES, GRADIENTS),
    ),
    cases=cases,
    probe=probe,
    forbidden=("lessons.support.decoder.given_decoder",),
    hints=(
        "Follow one token. What makes an id a vector? What do the blocks do to the stream? And what reads it at the "
        "end, when it has grown and nothing has normed it yet?",
        "Five things: an nn.Embedding, an nn.ModuleList of n_layers different blocks, a norm, a head without bias, and "
        "what `tie_embeddings` says about the head. Two modules share a parameter when both hold the very same object. "
        "The positions of T tokens are 0 to T - 1, on the device of ids.",
        "When tied, let the head's `weight` be the embedding's `weight` (assign the parameter, copy nothing), or have "
        "no head at all and multiply by the embedding's matrix with F.linear. In `forward`: look up, go through the "
        "blocks with the positions, then norm once, then the head.",
    ),
)
