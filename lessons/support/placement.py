"""A small transformer at initialisation, its norms in one of three places. Looked at, never trained.

All weights come from the seed and not from the place: networks with the same seed differ in nothing but where
their norms stand. The norm is RMSNorm without a gain.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.support.threads import one_thread

Branch = Callable[[Tensor], Tensor]
VOCAB, HEADS, TOKENS, BATCH = 256, 4, 32, 8


def unit_norm(x: Tensor) -> Tensor:
    """RMSNorm of the last axis with eps = 1e-5."""
    return F.rms_norm(x, x.shape[-1:], eps=1e-5)


def _post(stream: Tensor, branch: Branch) -> Tensor:
    return unit_norm(stream + branch(stream))


def _pre(stream: Tensor, branch: Branch) -> Tensor:
    return stream + branch(unit_norm(stream))


def _sandwich(stream: Tensor, branch: Branch) -> Tensor:
    return stream + unit_norm(branch(unit_norm(stream)))


PLACES = {"post": _post, "pre": _pre, "sandwich": _sandwich}


@dataclass(frozen=True)
class Init:
    """How a network starts: the standard deviations of its embeddings and of an [n_in, n_out] matrix."""

    embedding: float
    matrix: Callable[[int, int], float]


INITS = {
    "Xavier": Init(1.0, lambda n_in, n_out: (2 / (n_in + n_out)) ** 0.5),  # embeddings: PyTorch's default
    "N(0, 0.02)": Init(0.02, lambda n_in, n_out: 0.02),  # GPT-2's
}


@dataclass(frozen=True)
class Look:
    """What one network shows.

    gradients   of each block, first to last: the norm of the loss's gradient for the FFN's second matrix
    stream      root mean square of the stream before the first block and after every block
    last        root mean square of what enters the network's last norm
    """

    gradients: Tensor
    stream: Tensor
    last: float


@one_thread()
def look(place: str, depth: int, init: str, seed: int, device: torch.device, width: int = 64, scaled=False) -> Look:
    """Builds a network of `depth` blocks, runs one batch of random tokens forward and backward.

    place: a key of PLACES; init: a key of INITS. scaled: the two matrices of a block that write to the stream
    start smaller by √(2·depth), as in GPT-2.
    """
    draw = torch.Generator().manual_seed(seed)

    def normal(std: float, *shape: int) -> Tensor:
        return (torch.randn(*shape, generator=draw) * std).to(device)

    def matrix(n_in: int, n_out: int, shrink: float = 1.0) -> Tensor:
        return normal(INITS[init].matrix(n_in, n_out) / shrink, n_in, n_out).requires_grad_()

    shrink = (2 * depth) ** 0.5 if scaled else 1.0
    tokens = torch.randint(VOCAB, (BATCH, TOKENS + 1), generator=draw).to(device)
    stream, head = normal(INITS[init].embedding, VOCAB, width)[tokens[:, :-1]], matrix(width, VOCAB)
    sizes, written = [_rms(stream)], []
    for _ in range(depth):
        attn = [matrix(width, width) for _ in range(3)], matrix(width, width, shrink)
        ffn = matrix(width, 4 * width), matrix(4 * width, width, shrink)
        middle = PLACES[place](stream, lambda x, w=attn: _attention(x, *w))
        last, stream = _step(place, middle, lambda x, w=ffn: torch.relu(x @ w[0]) @ w[1])
        sizes.append(_rms(stream))
        written.append(ffn[1])
    logits = (stream if place == "post" else unit_norm(stream)) @ head
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    gradients = torch.stack([gradient.norm() for gradient in torch.autograd.grad(loss, written)])
    return Look(gradients.cpu(), torch.tensor(sizes), last)


def _step(place: str, stream: Tensor, branch: Branch) -> tuple[float, Tensor]:
    """One sublayer; and the size of what would enter the network's last norm if it were the last one."""
    after = PLACES[place](stream, branch)
    return _rms(stream + branch(stream)) if place == "post" else _rms(after), after


def _attention(x: Tensor, qkv: list[Tensor], out: Tensor) -> Tensor:
    q, k, v = ((x @ w).unflatten(-1, (HEADS, -1)).transpose(-3, -2) for w in qkv)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(-3, -2).flatten(-2) @ out


def _rms(x: Tensor) -> float:
    return x.detach().square().mean().sqrt().item()
