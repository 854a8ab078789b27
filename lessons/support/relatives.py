"""Parts of further models, shown in lesson 11 beside Hugging Face's: a gate, a norm, a router, a scaling of RoPE."""

import math

import torch
from torch import Tensor


def clamped_swiglu(gate: Tensor, up: Tensor, limit: float = 7.0, alpha: float = 1.702) -> Tensor:
    """gpt-oss's product of gate and signal, elementwise: both clamped, a steeper sigmoid, 1 added to the signal."""
    gate, up = gate.clamp(max=limit), up.clamp(-limit, limit)
    return (up + 1) * gate * torch.sigmoid(alpha * gate)


def unweighted_rms_norm(x: Tensor, eps: float = 1e-6) -> Tensor:
    """nanochat's norm: RMSNorm without parameters, [..., d]."""
    wide = x.float()
    return (wide / torch.sqrt(wide.square().mean(-1, keepdim=True) + eps)).to(x.dtype)


def route(x: Tensor, router: Tensor, top_k: int) -> tuple[Tensor, Tensor]:
    """Mixtral's choice for tokens x: [N, d] with a router [E, d]: weights that sum to 1, and experts, both [N, top_k].

    The softmax of the kept scores: the same as keeping of the softmax and dividing by what is kept.
    """
    kept, experts = (x @ router.T).topk(top_k, dim=-1)
    return kept.softmax(-1), experts


def llama31_frequencies(
    frequencies: Tensor, factor: float = 8.0, slow: float = 1.0, fast: float = 4.0, old_context: int = 8192
) -> Tensor:
    """Llama 3.1's scaling of RoPE's frequencies (radians a token), by how often a pair turns in the old context.

    Fewer than `slow` turns: divided by factor. More than `fast`: kept. Between: a blend.
    """
    turns = old_context * frequencies / (2 * math.pi)
    kept = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return frequencies * (kept + (1 - kept) / factor)
