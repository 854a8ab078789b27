"""`count_params(config)`: how many numbers a decoder trains."""

import random
from dataclasses import asdict

from grader.probe import Case, Check, Exercise, Recorder
from lessons.support.llama import DecoderConfig

# Sizes as in the released models' config files.
LLAMA_3_8B = DecoderConfig(128256, 4096, 32, 32, 8, 128, 14336, 1e-5, 500000.0)
SMOLLM2_135M = DecoderConfig(49152, 576, 30, 9, 3, 64, 1536, 1e-5, 100000.0, tie_embeddings=True)
LLAMA_3_2_1B = DecoderConfig(128256, 2048, 16, 32, 8, 64, 8192, 1e-5, 500000.0, tie_embeddings=True)
LLAMA_2_7B = DecoderConfig(32000, 4096, 32, 32, 32, 128, 11008)
EXACT = {"rtol": 0.0, "atol": 0.0}


def cases(seed: int) -> list[Case]:
    """Four released models, and small ones in which no two sizes are equal."""
    chance = random.Random(seed)

    def case(name, about, config):
        return Case(name, about, {"config": asdict(config)}, **EXACT)

    def small(layers, heads, kv_heads, head_dim, tied):
        """Widths that are unlike any product of the others; hidden_dim is not 8/3 of dim."""
        dim = heads * head_dim + chance.choice((7, 11, 13))
        hidden, vocab = 3 * dim + chance.choice((1, 2, 5)), 7 * dim + chance.choice((11, 17))
        return DecoderConfig(vocab, dim, layers, heads, kv_heads, head_dim, hidden, tie_embeddings=tied)

    wide = "a small model whose heads together are narrower than dim"
    return [
        case("llama_3_8b", "Llama-3-8B", LLAMA_3_8B),
        case("smollm2_135m", "SmolLM2-135M, tied", SMOLLM2_135M),
        case("llama_3_2_1b", "Llama-3.2-1B, tied", LLAMA_3_2_1B),
        case("llama_2_7b", "Llama-2-7B, as many key-value heads as query heads", LLAMA_2_7B),
        case("narrow", wide, small(chance.randint(2, 5), 6, 2, 4, False)),
        case("narrow_tied", f"{wide}, tied", small(chance.randint(2, 5), 6, 3, 8, True)),
        case("one_block", "a small model of one block and one key-value head", small(1, 4, 1, 6, False)),
        case("no_blocks", "a small model without blocks", small(0, 4, 2, 6, False)),
        case("no_blocks_tied", "a small model without blocks, tied", small(0, 4, 2, 6, True)),
    ]


def probe(count_params, rec: Recorder) -> None:
    rec.number("parameters", count_params(DecoderConfig(**rec["config"])))


UNTIED, TIED = ("llama_3_8b", "llama_2_7b"), ("smollm2_135m", "llama_3_2_1b")
SMALL = ("narrow", "narrow_tied", "one_block", "no_blocks", "no_blocks_tied")

EXERCISE = Exercise(
    id="count_params",
    lesson="10_decoder",
    name="count_params",
    kind="function",
    signature="count_params(config)",
    arguments=("config",),
    checks=(
        Check("released models", 1, "Llama-3-8B and Llama-2-7B, to the last one", UNTIED, ("parameters",)),
        Check("tied models", 1, "SmolLM2-135M and Llama-3.2-1B, whose head is the embedding", TIED, ("parameters",)),
        Check("any config", 2, "widths that differ in every way, one block, no blocks", SMALL, ("parameters",)),
    ),
    cases=cases,
    probe=probe,
    hints=(
        "Write down every tensor of a model with its shape. What stands once, what in every block?",
        "A block has four matrices in attention, three in the FFN, and two norms. Queries are n_heads * head_dim wide, "
        "keys and values n_kv_heads * head_dim: neither has to equal dim. Outside of the blocks there are a norm and "
        "one or two matrices of the vocabulary.",
        "Attention: two matrices of dim times the width of the queries, two of dim times the width of the keys. "
        "FFN: three of dim times hidden_dim. Norms: dim each. Times the blocks, plus one norm, plus vocab_size * dim "
        "once if tied, else twice.",
    ),
)
