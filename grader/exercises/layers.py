"""Sublayers and norms that a probe builds from a case's plain tensors, for exercises that are handed callables.

Modules, so that they also fit an nn.ModuleList; their tensors stay part of the probe's graph. Neither ends in an
operation that keeps its own output: to add to it in place is right.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class GivenSublayer(nn.Module):
    """silu(x @ w) + b. w: [d, d]; b: [d]. Each token by itself; large inputs do not saturate it."""

    def __init__(self, w: Tensor, b: Tensor):
        super().__init__()
        self.w, self.b = w, b

    def forward(self, x: Tensor) -> Tensor:
        return F.silu(x @ self.w) + self.b


class GivenNorm(nn.Module):
    """RMSNorm with the given gain, [d], and eps = 1e-5."""

    def __init__(self, gain: Tensor):
        super().__init__()
        self.gain = gain

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.gain
