"""Right and wrong ways to write `count_params(config)`."""

import math

import torch

from grader.answers import Answers
from lessons.support.decoder import given_decoder

answers = Answers(
    "count_params",
    why="Attention has two matrices as wide as all query heads and two as wide as all key-value heads; the FFN has "
    "three; each norm one number a feature. The vocabulary's matrix is counted once when head and embedding are one "
    "tensor, and twice when not.",
)


def _count(c, *, vocab=None, q=None, o=None, kv=None, ffn=None, norms=None, final=None, layers=None):
    """The right count, with those of its terms replaced that a mistake gets wrong."""

    def pick(value, right):
        return right if value is None else value

    queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    block = pick(q, c.dim * queries) + pick(o, c.dim * queries) + pick(kv, 2 * c.dim * keys)
    block += pick(ffn, 3 * c.dim * c.hidden_dim) + pick(norms, 2 * c.dim)
    ends = pick(vocab, c.vocab_size * c.dim * (1 if c.tie_embeddings else 2)) + pick(final, c.dim)
    return pick(layers, c.n_layers) * block + ends


@answers.right
def by_formula(config):
    c = config
    queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    attention = 2 * c.dim * queries + 2 * c.dim * keys
    block = attention + 3 * c.dim * c.hidden_dim + 2 * c.dim
    matrices = 1 if c.tie_embeddings else 2
    return matrices * c.vocab_size * c.dim + c.n_layers * block + c.dim


@answers.right
def by_listing_shapes(config) -> int:
    c = config
    qo, kv = (c.n_heads * c.head_dim, c.dim), (c.n_kv_heads * c.head_dim, c.dim)
    block = [qo, qo, kv, kv, *[(c.hidden_dim, c.dim)] * 3, (c.dim,), (c.dim,)]
    shapes = [(c.vocab_size, c.dim), (c.dim,), *block * c.n_layers]
    if not c.tie_embeddings:
        shapes.append((c.vocab_size, c.dim))
    return sum(math.prod(shape) for shape in shapes)


@answers.right
def from_a_model_without_memory(config, device="meta"):
    with torch.device(device):
        return sum(p.numel() for p in given_decoder(config).parameters())


@answers.right
def by_a_loop(config):
    total = config.dim
    for _ in range(config.n_layers):
        total += 2 * config.head_dim * (config.n_heads + config.n_kv_heads) * config.dim
        total += config.dim * (3 * config.hidden_dim + 2)
    for _ in range(2 - config.tie_embeddings):
        total += config.vocab_size * config.dim
    return total


@answers.right
def factored(config):
    c = config
    heads = 2 * c.head_dim * (c.n_heads + c.n_kv_heads)
    rows = c.vocab_size * (2 - int(c.tie_embeddings)) + c.n_layers * (heads + 3 * c.hidden_dim + 2) + 1
    return rows * c.dim


@answers.mistake(
    "a tied head counted twice",
    "With `tie_embeddings` head and embedding are one tensor: count the vocabulary's matrix once.",
)
def tied_twice(config):
    return _count(config, vocab=2 * config.vocab_size * config.dim)


@answers.mistake("the head is never counted", "Untied, the head is a second matrix of the vocabulary's size.")
def head_forgotten(config):
    return _count(config, vocab=config.vocab_size * config.dim)


@answers.mistake(
    "tied and untied are exchanged", "Tied means one tensor for both: that is the smaller count, not the larger."
)
def tied_the_wrong_way(config):
    return _count(config, vocab=config.vocab_size * config.dim * (2 if config.tie_embeddings else 1))


@answers.mistake("the embedding is not counted", "A look-up table is trained like any matrix: vocab_size rows of dim.")
def embedding_forgotten(config):
    return _count(config, vocab=0 if config.tie_embeddings else config.vocab_size * config.dim)


@answers.mistake("nothing of the vocabulary is counted", "Embedding and head belong to the model too.")
def no_vocabulary(config):
    return _count(config, vocab=0)


@answers.mistake(
    "keys and values as wide as the queries", "Keys and values have n_kv_heads heads; only queries have n_heads."
)
def kv_heads_ignored(config):
    return _count(config, kv=2 * config.dim * config.n_heads * config.head_dim)


@answers.mistake("an FFN of two matrices", "SwiGLU has three matrices: gate, up and down.")
def two_matrix_ffn(config):
    return _count(config, ffn=2 * config.dim * config.hidden_dim)


@answers.mistake("the final norm is not counted", "One norm belongs to no block: it stands before the head.")
def no_final_norm(config):
    return _count(config, final=0)


@answers.mistake("no norm is counted", "Each norm has dim weights: two in every block, and one more at the end.")
def no_norms(config):
    return _count(config, norms=0, final=0)


@answers.mistake("the norms of the blocks are not counted", "A block has two norms, of dim weights each.")
def no_block_norms(config):
    return _count(config, norms=0)


@answers.mistake("one norm a block", "A block has two norms: one before attention, one before the FFN.")
def one_norm_a_block(config):
    return _count(config, norms=config.dim)


@answers.mistake("norms with a bias", "RMSNorm has a weight and no bias: dim numbers, not twice that.")
def norms_with_bias(config):
    return _count(config, norms=4 * config.dim, final=2 * config.dim)


@answers.mistake("a final norm in every block", "The final norm stands once, after all blocks.")
def three_norms_a_block(config):
    return _count(config, norms=3 * config.dim, final=0)


@answers.mistake(
    "head_dim is taken to be dim / n_heads", "The config gives head_dim; n_heads * head_dim need not equal dim."
)
def head_dim_from_dim(config):
    c, own = config, config.dim // config.n_heads
    return _count(c, q=c.dim * c.n_heads * own, o=c.dim * c.n_heads * own, kv=2 * c.dim * c.n_kv_heads * own)


@answers.mistake(
    "queries and output are taken to be square", "q_proj and o_proj are dim by n_heads * head_dim; that is not dim."
)
def square_projections(config):
    return _count(config, q=config.dim**2, o=config.dim**2)


@answers.mistake("o_proj is taken to be square", "o_proj leads from n_heads * head_dim numbers back to dim.")
def square_output(config):
    return _count(config, o=config.dim**2)


@answers.mistake("o_proj is not counted", "Attention has four matrices: the fourth leads the heads back to the stream.")
def output_forgotten(config):
    return _count(config, o=0)


@answers.mistake("keys and values share a matrix", "k_proj and v_proj are two matrices.")
def one_matrix_for_kv(config):
    return _count(config, kv=config.dim * config.n_kv_heads * config.head_dim)


@answers.mistake("keys and values of a single head", "All n_kv_heads heads have keys and values.")
def one_kv_head(config):
    return _count(config, kv=2 * config.dim * config.head_dim)


@answers.mistake("a query matrix for one head only", "q_proj and o_proj serve all heads: n_heads * head_dim numbers.")
def one_query_head(config):
    return _count(config, q=config.dim * config.head_dim, o=config.dim * config.head_dim)


@answers.mistake("biases are counted", "None of the projections has a bias.")
def with_biases(config):
    c = config
    block = (c.n_heads + 2 * c.n_kv_heads) * c.head_dim + c.dim + 2 * c.hidden_dim + c.dim
    return _count(c) + c.n_layers * block


@answers.mistake(
    "the hidden width is computed instead of read", "The config gives hidden_dim: models deviate from 8/3 of dim."
)
def hidden_from_dim(config):
    return _count(config, ffn=3 * config.dim * int(8 * config.dim / 3))


@answers.mistake("one block only", "A model has n_layers blocks, each with weights of its own.")
def one_block(config):
    return _count(config, layers=1)


@answers.mistake("one block too few", "Count every block: there are n_layers of them.")
def one_too_few(config):
    return _count(config, layers=max(config.n_layers - 1, 0))


@answers.mistake("one block too many", "There are n_layers blocks; the final norm is no block.")
def one_too_many(config):
    return _count(config, layers=config.n_layers + 1)


@answers.mistake("attention is not counted", "Attention has four matrices in every block.")
def no_attention(config):
    return _count(config, q=0, o=0, kv=0)


@answers.mistake("the FFN is not counted", "The FFN has three matrices, most of a block's numbers.")
def no_ffn(config):
    return _count(config, ffn=0)


@answers.mistake("a float", "A count is an int: use integer arithmetic, without `/`.")
def as_float(config):
    return _count(config) / 1
