"""A small network that learns to continue Python source text, with norms whose two halves can be switched off.

It is trained for seconds only: long enough for its activations to be those of a network that has learned
something. The text is that of two modules of the standard library, which every student has on disk.
"""

import argparse
import inspect
from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.threads import one_thread

CONTEXT = 16  # characters the network sees


@cache
def _text() -> tuple[Tensor, int]:
    text = inspect.getsource(argparse) + inspect.getsource(inspect)
    alphabet = {c: i for i, c in enumerate(sorted(set(text)))}
    return torch.tensor([alphabet[c] for c in text]), len(alphabet)


def examples(count: int, generator: torch.Generator, device=None) -> tuple[Tensor, Tensor]:
    """Random places in the text: [count, CONTEXT] characters, and the one that follows each, [count]."""
    ids, _ = _text()
    start = torch.randint(len(ids) - CONTEXT, (count, 1), generator=generator)
    found = ids[start + torch.arange(CONTEXT + 1)].to(device)
    return found[:, :-1], found[:, -1]


def halves(x: Tensor, centre: bool, scale: bool, eps: float = 1e-5) -> Tensor:
    """LayerNorm without weight and bias, either half left out on demand. x: [..., d]."""
    if centre:
        x = x - torch.mean(x, -1, keepdim=True)
    if scale:
        x = x / torch.sqrt(torch.mean(x * x, -1, keepdim=True) + eps)
    return x


class Halves(nn.Module):
    """A LayerNorm whose halves are switches. `seen` is what it read last."""

    def __init__(self, dim: int, centre: bool = True, scale: bool = True):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.centre, self.scale, self.seen = centre, scale, None

    def forward(self, x: Tensor) -> Tensor:
        self.seen = x.detach()
        return self.weight * halves(x, self.centre, self.scale) + self.bias


class CharNet(nn.Module):
    """A residual stream of ReLU layers. Each has two norms: one reads the stream, one what comes out of the ReLU."""

    def __init__(self, dim: int = 64, layers: int = 4, centre: bool = True):
        super().__init__()
        _, size = _text()
        self.embed, self.enter = nn.Embedding(size, 8), nn.Linear(8 * CONTEXT, dim)
        self.up = nn.ModuleList(nn.Linear(dim, 4 * dim) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(4 * dim, dim) for _ in range(layers))
        self.stream_norms = nn.ModuleList(Halves(dim, centre) for _ in range(layers + 1))
        self.relu_norms = nn.ModuleList(Halves(4 * dim, centre) for _ in range(layers))
        self.head = nn.Linear(dim, size)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.enter(self.embed(ids).flatten(1))
        for i, (up, down) in enumerate(zip(self.up, self.down, strict=True)):
            x = x + down(self.relu_norms[i](F.relu(up(self.stream_norms[i](x)))))
        return self.head(self.stream_norms[-1](x))


@one_thread()
def train(net: CharNet, seed: int, steps: int, device=None, batch: int = 256) -> None:
    """Trains the network with Adam on places that `seed` draws."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(steps):
        ids, following = examples(batch, generator, device)
        loss = F.cross_entropy(net(ids), following)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@one_thread()
@torch.no_grad()
def loss_of(net: CharNet, device=None, count: int = 4096) -> float:
    """Nats per character, on places that are the same for every network."""
    ids, following = examples(count, torch.Generator().manual_seed(10**6), device)
    return F.cross_entropy(net(ids), following).item()
