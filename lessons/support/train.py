"""Trains a small language model for an experiment and measures it on held-out text. No schedule of its own."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.text import Text, sample


def train(
    model: nn.Module,
    text: Text,
    optimizer: torch.optim.Optimizer,
    steps: int,
    batch: int,
    length: int,
    seed: int,
    lr: Callable[[int], float] | None = None,
    after_step: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Trains for `steps` steps; returns each step's training loss in nats a character.

    seed        decides the batches: the same seed, the same batches, whatever the model
    lr          step -> learning rate, from step 0; default: the optimizer's own
    after_step  called with the number of steps done and the loss, for a progress bar

    Gradients are clipped to norm 1. A loss that is not finite ends the run early.
    """
    draw, losses = torch.Generator().manual_seed(seed), []
    device = next(model.parameters()).device
    model.train()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = lr(step) if lr else group["lr"]
        loss = _loss(model, *(ids.to(device) for ids in sample(text.train, batch, length, draw)))
        losses.append(loss.item())
        if not loss.isfinite():
            break
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if after_step:
            after_step(step + 1, losses[-1])
    return losses


@torch.no_grad()
def held_out_loss(model: nn.Module, text: Text, length: int, windows: int = 512, batch: int = 64) -> float:
    """Mean loss in nats a character over the same evenly spaced windows of the held-out text each time."""
    model.eval()
    device = next(model.parameters()).device
    starts = torch.linspace(0, len(text.held_out) - length - 1, windows).long()[:, None]
    rows = text.held_out[starts + torch.arange(length + 1)].to(device)
    losses = [_loss(model, part[:, :-1], part[:, 1:]) * len(part) for part in rows.split(batch)]
    return (sum(losses) / len(rows)).item()


def _loss(model: nn.Module, inputs: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
