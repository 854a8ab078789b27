"""Norms that lessons are given, spelled out in plain torch: one kernel a step, nothing fused.

They are the eager side of comparisons and what `torch.compile` gets to fuse. Both work on the last axis and
keep the dtype of `x`.
"""

import torch
from torch import Tensor


def given_rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """RMSNorm (Zhang & Sennrich 2019). x: [..., d]; weight: [d]."""
    mean_square = torch.mean(x * x, dim=-1, keepdim=True)
    return weight * (x / torch.sqrt(mean_square + eps))


def given_layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    """LayerNorm (Ba et al. 2016), biased variance. x: [..., d]; weight, bias: [d]."""
    centred = x - torch.mean(x, dim=-1, keepdim=True)
    variance = torch.mean(centred * centred, dim=-1, keepdim=True)
    return weight * (centred / torch.sqrt(variance + eps)) + bias
