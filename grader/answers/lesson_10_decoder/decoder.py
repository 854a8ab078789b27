"""Right and wrong ways to write `class Decoder(nn.Module)`."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from grader.answers import Answers
from lessons.support.decoder import given_block
from lessons.support.llama import RMSNorm

answers = Answers(
    "Decoder",
    why="Each id becomes a row of the embedding; every block adds to that stream; the final norm sets its size before "
    "the head reads it. Tied means that embedding and head are one tensor: the same Parameter under two names, or no "
    "head at all and a product with the embedding's matrix.",
)


class _Base(nn.Module):
    """The parts as they should be: common to those that go wrong in one place."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.layers = nn.ModuleList(given_block(config) for _ in range(config.n_layers))
        self.norm = RMSNorm(config.dim, config.norm_eps)
        self.lm_head = nn.Linear(config.dim, config.vocab_size, bias=False)
        if self.is_tied(config):
            self.lm_head.weight = self.tok_embeddings.weight

    def is_tied(self, config):
        return config.tie_embeddings

    def embed(self, ids):
        return self.tok_embeddings(ids)

    def positions(self, ids):
        return torch.arange(ids.shape[1])

    def blocks(self, x, positions):
        for layer in self.layers:
            x = layer(x, positions)
        return x

    def read(self, x):
        return self.lm_head(self.norm(x))

    def forward(self, ids):
        return self.read(self.blocks(self.embed(ids), self.positions(ids)))


@answers.right
class Plain(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.layers = nn.ModuleList(given_block(config) for _ in range(config.n_layers))
        self.norm = RMSNorm(config.dim, config.norm_eps)
        self.lm_head = nn.Linear(config.dim, config.vocab_size, bias=False)
        if config.tie_embeddings:
            self.lm_head.weight = self.tok_embeddings.weight

    def forward(self, ids):
        x = self.tok_embeddings(ids)
        positions = torch.arange(ids.shape[1], device=ids.device)
        for layer in self.layers:
            x = layer(x, positions)
        return self.lm_head(self.norm(x))


@answers.right
class HeadByLinear(nn.Module):
    """No lm_head when tied."""

    def __init__(self, config):
        super().__init__()
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.layers = nn.ModuleList([given_block(config) for _ in range(config.n_layers)])
        self.norm = nn.RMSNorm(config.dim, eps=config.norm_eps)
        self.lm_head = None if config.tie_embeddings else nn.Linear(config.dim, config.vocab_size, bias=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = F.embedding(ids, self.tok_embeddings.weight)
        for block in self.layers:
            x = block(x, torch.arange(ids.size(1)))
        x = self.norm(x)
        return F.linear(x, self.tok_embeddings.weight) if self.lm_head is None else self.lm_head(x)


@answers.right
class HeadFirst(nn.Module):
    """The head is made first, and its matrix is the one that the embedding takes over."""

    def __init__(self, config, max_length: int = 2048):
        super().__init__()
        self.lm_head = nn.Linear(config.dim, config.vocab_size, bias=False)
        self.norm = RMSNorm(config.dim, eps=config.norm_eps)
        self.layers = nn.ModuleDict({str(i): given_block(config) for i in range(config.n_layers)})
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        if config.tie_embeddings:
            self.tok_embeddings.weight = self.lm_head.weight
        self.register_buffer("positions", torch.arange(max_length), persistent=False)

    def forward(self, ids, start=0):
        x, positions = self.tok_embeddings(ids), self.positions[start : start + ids.shape[-1]]
        for layer in self.layers.values():
            x = layer(x, positions)
        return self.lm_head(self.norm(x))


@answers.right
class ByMatrices(_Base):
    """One-hot rows for the look-up, einsum for the head."""

    def embed(self, ids):
        return F.one_hot(ids, self.config.vocab_size).to(self.tok_embeddings.weight.dtype) @ self.tok_embeddings.weight

    def read(self, x):
        return torch.einsum("btd,vd->btv", self.norm(x), self.lm_head.weight)


@answers.right
class PositionsFromOne(_Base):
    """RoPE only sees differences of positions."""

    def positions(self, ids):
        return torch.ones_like(ids[0]).cumsum(0)


@answers.right
class Recomputed(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            x = checkpoint(layer, x, positions, use_reentrant=False)
        return x


@answers.right
class OwnStart(_Base):
    """Its own initial values, logits in float32 at least, and a loss for whoever hands over targets."""

    def __init__(self, config):
        super().__init__(config)
        self.apply(lambda m: nn.init.normal_(m.weight, std=0.02) if isinstance(m, (nn.Linear, nn.Embedding)) else None)

    def forward(self, ids, targets=None):
        logits = super().forward(ids)
        logits = logits if logits.dtype == torch.float64 else logits.float()
        return logits if targets is None else F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@answers.right
class CompiledBlocks(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            x = torch.compile(layer)(x, positions)
        return x


@answers.mistake(
    "the final norm is missing",
    "The head reads the stream as large as it has grown. `self.norm` has to be applied before it.",
)
class NoFinalNorm(_Base):
    def read(self, x):
        return self.lm_head(x)


@answers.mistake(
    "the head is not tied",
    "With `tie_embeddings` head and embedding are one Parameter. Copying values once, or sharing `.data`, leaves two.",
)
class HeadNotTied(_Base):
    def is_tied(self, config):
        return False


@answers.mistake("the head is always tied", "Only a config with `tie_embeddings` shares the matrix.")
class AlwaysTied(_Base):
    def is_tied(self, config):
        return True


@answers.mistake(
    "tied and untied are exchanged", "Share the matrix when `tie_embeddings` is True, not when it is False."
)
class TiedTheWrongWay(_Base):
    def is_tied(self, config):
        return not config.tie_embeddings


@answers.mistake(
    "a head is left over beside the tied one",
    "The logits use the embedding's matrix, but an lm_head of its own is trained, saved and counted. Leave it out.",
)
class HeadLeftOver(HeadNotTied):
    def read(self, x):
        return F.linear(self.norm(x), self.tok_embeddings.weight) if self.config.tie_embeddings else super().read(x)


@answers.mistake(
    "the tied head is detached", "The embedding's matrix learns from both ends. Use it in the head without `detach`."
)
class TiedHeadDetached(_Base):
    def read(self, x):
        weight = self.lm_head.weight
        return F.linear(self.norm(x), weight.detach() if self.config.tie_embeddings else weight)


@answers.mistake(
    "the final norm after every block", "In the stream, it makes the model post-norm. It comes once, at the end."
)
class FinalNormInTheLoop(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            x = self.norm(layer(x, positions))
        return x

    def read(self, x):
        return self.lm_head(x if len(self.layers) else self.norm(x))


@answers.mistake("the final norm comes first", "It norms what the last block leaves, not what the first one reads.")
class FinalNormFirst(_Base):
    def embed(self, ids):
        return self.norm(self.tok_embeddings(ids))

    def read(self, x):
        return self.lm_head(x)


@answers.mistake(
    "the embedding is normed, too", "The first block norms what it reads. The stream starts as the embedding itself."
)
class EmbeddingNormed(_Base):
    def embed(self, ids):
        return self.norm(self.tok_embeddings(ids))


@answers.mistake("the final norm's result is added to the stream", "The head reads the norm's result alone.")
class FinalNormAdded(_Base):
    def read(self, x):
        return self.lm_head(x + self.norm(x))


@answers.mistake("the final norm twice", "Its weight is not 1, so a second time changes the logits. Apply it once.")
class FinalNormTwice(_Base):
    def read(self, x):
        return self.lm_head(self.norm(self.norm(x)))


@answers.mistake("the final norm has the default eps", "Hand the config's norm_eps to the final norm, too.")
class FinalNormDefaultEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.norm = RMSNorm(config.dim)


@answers.mistake(
    "the final norm has an eps of 1e-5 whatever the config says", "This config may have another: norm_eps."
)
class FinalNormFixedEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.norm = RMSNorm(config.dim, 1e-5)


@answers.mistake("the final norm is nn.RMSNorm without eps", "Hand it the config's norm_eps.")
class FinalNormWithoutEps(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.norm = nn.RMSNorm(config.dim)


@answers.mistake("the final norm is a LayerNorm", "Llama's norms are RMSNorm: no mean is subtracted, no bias added.")
class FinalLayerNorm(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.norm = nn.LayerNorm(config.dim, config.norm_eps)


@answers.mistake("the final norm is a LayerNorm without a bias", "LayerNorm subtracts the mean. Use RMSNorm.")
class FinalLayerNormWithoutBias(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.norm = nn.LayerNorm(config.dim, config.norm_eps, bias=False)


@answers.mistake(
    "all layers are one block",
    "`[block] * n` holds one block n times: they share all weights. Make a new one each time.",
)
class LayersShared(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.ModuleList([given_block(config)] * config.n_layers)


@answers.mistake(
    "the blocks are in a plain list",
    "nn.Module does not see a plain list: no parameter of it is trained. Use nn.ModuleList.",
)
class PlainList(_Base):
    def __init__(self, config):
        super().__init__(config)
        del self.layers
        self.layers = [given_block(config) for _ in range(config.n_layers)]


@answers.mistake("one block too many", "There are n_layers blocks; embedding and head are none.")
class OneBlockTooMany(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.layers.append(given_block(config))


@answers.mistake("the first block is used every time", "Each step of the loop has a block of its own.")
class FirstBlockRepeated(_Base):
    def blocks(self, x, positions):
        for _ in self.layers:
            x = self.layers[0](x, positions)
        return x


@answers.mistake("the blocks are used in reverse order", "The first block reads the embedding.")
class BlocksReversed(_Base):
    def blocks(self, x, positions):
        for layer in reversed(self.layers):
            x = layer(x, positions)
        return x


@answers.mistake("the last block is left out", "Go through all of `layers`.")
class LastBlockSkipped(_Base):
    def blocks(self, x, positions):
        for layer in list(self.layers)[:-1]:
            x = layer(x, positions)
        return x


@answers.mistake("the first block is left out", "Go through all of `layers`, from the first on.")
class FirstBlockSkipped(_Base):
    def blocks(self, x, positions):
        for layer in list(self.layers)[1:]:
            x = layer(x, positions)
        return x


@answers.mistake(
    "the blocks' results are not used", "A block returns a new stream. Keep it, and hand it to the next block."
)
class BlocksIgnored(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            layer(x, positions)
        return x


@answers.mistake("every block reads the embedding", "A block reads what the block before it has left.")
class BlocksReadEmbedding(_Base):
    def blocks(self, x, positions):
        h = x
        for layer in self.layers:
            h = layer(x, positions)
        return h


@answers.mistake(
    "a second residual around each block", "A block adds to the stream itself: what it returns is the new stream."
)
class SecondResidual(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            x = x + layer(x, positions)
        return x


@answers.mistake("the embedding is added at the end, too", "It is in the stream already: every block has added to it.")
class EmbeddingAddedAgain(_Base):
    def blocks(self, x, positions):
        return x + super().blocks(x, positions)


@answers.mistake(
    "the embedding is scaled by √dim",
    "The 2017 transformer and Gemma do that. Llama's stream starts as the row itself.",
)
class EmbeddingScaled(_Base):
    def embed(self, ids):
        return self.tok_embeddings(ids) * self.config.dim**0.5


@answers.mistake(
    "the logits are scaled by 1/√dim", "That is T5's habit with tied heads. Llama's logits are the head's product."
)
class LogitsScaled(_Base):
    def read(self, x):
        return super().read(x) * self.config.dim**-0.5


@answers.mistake("a softmax over the logits", "The model returns logits. Loss and sampler take the softmax themselves.")
class Softmax(_Base):
    def read(self, x):
        return super().read(x).softmax(-1)


@answers.mistake("a log-softmax over the logits", "The model returns logits. The loss takes the log-softmax itself.")
class LogSoftmax(_Base):
    def read(self, x):
        return super().read(x).log_softmax(-1)


@answers.mistake("all positions are 0", "The tokens stand at 0 to T - 1: use torch.arange.")
class ZeroPositions(_Base):
    def positions(self, ids):
        return torch.zeros(ids.shape[1], dtype=torch.long)


@answers.mistake(
    "the positions count the rows of the batch", "Positions run along a text: their number is ids.shape[1]."
)
class PositionsOfTheBatch(_Base):
    def positions(self, ids):
        return torch.arange(ids.shape[0])


@answers.mistake("the positions run backwards", "The first token stands at 0, the last one at T - 1.")
class PositionsBackwards(_Base):
    def positions(self, ids):
        return torch.arange(ids.shape[1]).flip(0)


@answers.mistake("the ids are taken for positions", "A position says where a token stands, not which one it is.")
class IdsAsPositions(_Base):
    def positions(self, ids):
        return ids[0]


@answers.mistake(
    "the logits of the last token only", "Return logits for every token: [B, T, vocab]. Training needs them all."
)
class LastTokenOnly(_Base):
    def read(self, x):
        return super().read(x)[:, -1]


@answers.mistake("the head is missing", "You return the normed stream. The head turns its dim numbers into vocab_size.")
class NoHead(_Base):
    def read(self, x):
        return self.norm(x)


@answers.mistake("the head has a bias", "Llama's head is a matrix alone: `bias=False`.")
class HeadWithBias(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.lm_head.bias = nn.Parameter(torch.zeros(config.vocab_size))


@answers.mistake("a name of its own for each part", "The lesson's names are tok_embeddings, layers, norm and lm_head.")
class HuggingFaceNames(_Base):
    def __init__(self, config):
        super().__init__(config)
        self.embed_tokens = self.tok_embeddings
        del self.tok_embeddings

    def embed(self, ids):
        return self.embed_tokens(ids)


@answers.mistake(
    "the embedding is detached", "`detach` cuts the stream at its start: the embedding does not learn from it."
)
class EmbeddingDetached(_Base):
    def embed(self, ids):
        return self.tok_embeddings(ids).detach()


@answers.mistake("the stream is detached between the blocks", "`detach` in the loop: only the last block learns.")
class StreamDetached(_Base):
    def blocks(self, x, positions):
        for layer in self.layers:
            x = layer(x.detach(), positions)
        return x


@answers.mistake("no gradient at all", "`no_grad`, `.data` or `.detach()` cut the graph: nothing can learn.")
class NoGrad(_Base):
    @torch.no_grad()
    def forward(self, ids):
        return super().forward(ids)
