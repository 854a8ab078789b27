"""What norms count and compute, in float64 and in half precision (lessons 02 to 04)."""

from itertools import count

import torch
import torch.nn.functional as F
from torch import nn

from tests.quiz.measured.streams import draws, rms

FORMATS = {7: torch.bfloat16, 10: torch.float16, 23: torch.float32}  # by the bits after the leading 1


def share_removed(mean: float, std: float) -> float:
    row = F.layer_norm(torch.randn(512, dtype=torch.float64, generator=draws()), (512,), eps=1e-15) * std + mean
    return 1 - (row.var(correction=0) / row.square().mean()).item()


def layer_norm_parameters(layers: int, dim: int) -> int:
    block = nn.TransformerEncoderLayer(dim, nhead=8, norm_first=True, device="meta")
    stack = nn.TransformerEncoder(block, layers, nn.LayerNorm(dim, device="meta"), enable_nested_tensor=False)
    norms = [m for m in stack.modules() if isinstance(m, nn.LayerNorm)]
    return sum(p.numel() for norm in norms for p in norm.parameters())


def length_of_output(dim: int, weight: float) -> float:
    norm = nn.RMSNorm(dim, eps=1e-12)
    nn.init.constant_(norm.weight, weight)
    return norm(torch.randn(dim, generator=draws())).norm().item()


def gradient_through_the_norm(size: float, length: float) -> float:
    x, gradient = torch.randn(2, 64, dtype=torch.float64, generator=draws())
    x = (x / rms(x) * size).requires_grad_()
    gradient = gradient - x.detach() * (gradient @ x.detach()) / x.detach().square().sum()
    F.rms_norm(x, (64,), eps=1e-15).backward(gradient / gradient.norm() * length)
    return x.grad.norm().item()


def largest_whole_number(bits: int) -> int:
    one = torch.ones((), dtype=FORMATS[bits])
    return next(k for k in count(1) if one + one * 2.0**-k == one)


def where_squares_overflow(largest: float) -> float:
    low, high = 1e-3, 1e6
    while high / low > 1.0001:
        middle = (low * high) ** 0.5
        square = torch.tensor(largest * middle, dtype=torch.float16).square()
        low, high = (low, middle) if square.isinf() else (middle, high)
    return high
