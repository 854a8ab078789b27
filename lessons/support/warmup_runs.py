"""Lesson 06's runs: small language models that differ in the norm's place, the learning rate and the warm-up.

What a run starts from and what it reads depend on its seed alone, so runs with one seed can be compared.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lessons.support.text import ALPHABET, Text
from lessons.support.threads import one_thread
from lessons.support.tiny_lm import TinyLM
from lessons.support.train import held_out_loss, train

STEPS, BATCH, LENGTH = 200, 8, 32
DIM, LAYERS, HEADS = 32, 6, 2


@dataclass(frozen=True)
class Plan:
    """One run. place: "pre" or "post"; peak: the highest learning rate; warm_up: steps on the way up to it.

    start   "Xavier", or "small": the model's own, with small embeddings and matrices
    """

    place: str
    peak: float
    warm_up: int
    seed: int
    start: str = "Xavier"

    def lr(self, step: int) -> float:
        """Up in a straight line, then down to 0 in another."""
        up = step / self.warm_up if step < self.warm_up else 1.0
        return self.peak * min(up, (STEPS - step) / (STEPS - self.warm_up))


@dataclass(frozen=True)
class Outcome:
    """`held_out`: loss after the last step, in nats a character. `losses`: that of each step's batch before it."""

    held_out: float
    losses: list[float]


def new_model(place: str, seed: int, start: str = "Xavier", device: torch.device | str = "cpu") -> TinyLM:
    """Six blocks with ReLU networks. Models of one seed and start differ in nothing but the norms' place."""
    torch.manual_seed(seed)
    model = TinyLM(len(ALPHABET), DIM, LAYERS, HEADS, LENGTH, _relu_network, place)
    if start == "Xavier":
        model.apply(_xavier)
    return model.to(device)


@one_thread()
def run(plan: Plan, text: Text, device: torch.device | str = "cpu") -> Outcome:
    """Trains with AdamW, without weight decay, and measures."""
    model = new_model(plan.place, plan.seed, plan.start, device)
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.0, fused=True)
    losses = train(model, text, optimizer, STEPS, BATCH, LENGTH, plan.seed, plan.lr)
    return Outcome(held_out_loss(model, text, LENGTH, windows=256), losses)


def count_loss(text: Text, pairs: bool) -> float:
    """Held-out loss, in nats a character, of a guess by counting the training text: characters, or pairs of them.

    Every count starts at 0.01, so that nothing is impossible.
    """
    size = len(ALPHABET)
    before, after = (_before(codes, pairs) for codes in (text.train, text.held_out))
    counts = torch.bincount(before * size + text.train[1:], minlength=size * size).view(size, size) + 0.01
    shares = counts / counts.sum(1, keepdim=True)
    return -shares.log()[after, text.held_out[1:]].mean().item()


def _before(codes: Tensor, pairs: bool) -> Tensor:
    """What the guess knows of each character: the one before it, or nothing."""
    return codes[:-1] if pairs else torch.zeros_like(codes[:-1])


def _relu_network(dim: int) -> nn.Module:
    return nn.Sequential(nn.Linear(dim, 4 * dim, bias=False), nn.ReLU(), nn.Linear(4 * dim, dim, bias=False))


def _xavier(module: nn.Module) -> None:
    """Xavier's uniform for matrices; PyTorch's default, standard deviation 1, for embeddings."""
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight)
