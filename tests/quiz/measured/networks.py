"""What schedules, optimizers, feed-forward networks and experiments come to (lessons 06 to 08)."""

from itertools import count

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.flop_counter import FlopCounterMode

from grader import answers
from tests.quiz.measured.streams import WIDE, draws


def half_way_down(peak: float, floor: float) -> float:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(()))], lr=peak)
    schedule = CosineAnnealingLR(optimizer, T_max=100, eta_min=floor)
    for _ in range(50):
        optimizer.step()
        schedule.step()
    return optimizer.param_groups[0]["lr"]


def undefended_gain(rate: int, steps: int) -> float:
    gain = nn.Parameter(torch.ones((), dtype=torch.float64))
    optimizer = torch.optim.AdamW([gain], lr=rate * 1e-4, weight_decay=0.1)
    gain.grad = torch.zeros_like(gain)
    for _ in range(100):
        optimizer.step()
    return gain.item() ** (steps / 100)  # every hundred steps do the same


def parameters(*modules: nn.Module) -> int:
    return sum(p.numel() for module in modules for p in module.parameters())


def linear(n_in: int, n_out: int) -> nn.Linear:
    return nn.Linear(n_in, n_out, bias=False, device="meta")


def swiglu(dim: int, hidden: int) -> list[nn.Linear]:
    return [linear(dim, hidden), linear(dim, hidden), linear(hidden, dim)]


def hidden_width(dim: int, multiple: int, multiplier: float = 1.0) -> int:
    return answers.of("ffn_hidden_dim").reference(dim, multiple, multiplier)


def keeping_the_width(ratio: float) -> float:
    plain = parameters(linear(256, 1024), linear(1024, 256))
    return 100 * (parameters(*swiglu(256, int(ratio * 256))) / plain - 1)


def flops_of_a_pass(tokens: int, dim: int, hidden: int) -> float:
    gate, up, down = swiglu(dim, hidden)
    with FlopCounterMode(display=False) as counter:
        x = torch.empty(tokens, dim, device="meta")
        down(F.silu(gate(x)) * up(x))
    return counter.get_total_flops() / 1e9


def more_seeds(seeds: int, now: float, factor: int) -> int:
    """The first number of seeds for which the standard error is as small as wanted."""
    return next(n for n in count(seeds) if now * (seeds / n) ** 0.5 <= now / factor * (1 + 1e-9))


def share_of_a_block(dim: int, kv: int, hidden: int) -> float:
    attention = [linear(dim, dim), linear(dim, kv), linear(dim, kv), linear(dim, dim)]
    ffn = parameters(*swiglu(dim, hidden))
    return 100 * ffn / (ffn + parameters(*attention, nn.RMSNorm(dim, device="meta"), nn.RMSNorm(dim, device="meta")))


def false_alarms(variants: int) -> float:
    seen = torch.randn(WIDE, variants, generator=draws())  # mean differences over their standard errors
    return 100 * (seen.abs() > 1.96).any(-1).double().mean().item()
