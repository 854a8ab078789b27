"""The parts of a Llama-style decoder that lessons 09 to 12 are given, under the names the course uses throughout.

Plain torch, correct in fp32 and half types, written to be read. Whoever has written them in lessons 03, 07 and 09
recognises them; whoever has not gets them right all the same.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class DecoderConfig:
    """The numbers that make a decoder. n_heads is a multiple of n_kv_heads; head_dim is even (RoPE turns pairs)."""

    vocab_size: int
    dim: int
    n_layers: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    hidden_dim: int
    norm_eps: float = 1e-5
    rope_theta: float = 10000.0
    tie_embeddings: bool = False


class RMSNorm(nn.Module):
    """x: [..., dim], normalised in fp32, cast back, then scaled: Llama's order (lessons 03 and 04)."""

    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.full((dim,), 1.0))

    def forward(self, x: Tensor) -> Tensor:
        wide = x if x.dtype == torch.float64 else x.float()
        return self.weight * (wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + self.eps)).to(x.dtype)


def _matrix(fan_in: int, fan_out: int) -> nn.Linear:
    return nn.Linear(fan_in, fan_out, bias=False)


class SwiGLU(nn.Module):
    """[..., dim] both ways, without biases (lesson 07)."""

    def __init__(self, dim: int, hidden_dim: int):
        super().__init__()
        self.gate_proj = _matrix(dim, hidden_dim)
        self.up_proj = _matrix(dim, hidden_dim)
        self.down_proj = _matrix(hidden_dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        gate = F.silu(self.gate_proj(x))
        return self.down_proj(gate * self.up_proj(x))


def given_rope(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    """Turns pairs (i, i + hd/2) by angles position / theta^(2i/hd), computed in fp32. x: [B, H, T, hd] (lesson 09)."""
    half = x.shape[-1] // 2
    frequencies = theta ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = torch.outer(positions.float(), frequencies)  # [T, hd/2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


class Attention(nn.Module):
    """Causal grouped-query attention with RoPE, bias-free. x: [B, T, dim] both ways; positions: [T] (lesson 09)."""

    def __init__(self, config: DecoderConfig):
        super().__init__()
        self.head_dim, self.rope_theta = config.head_dim, config.rope_theta
        self.q_proj = nn.Linear(config.dim, config.n_heads * config.head_dim, bias=False)
        self.k_proj = nn.Linear(config.dim, config.n_kv_heads * config.head_dim, bias=False)
        self.v_proj = nn.Linear(config.dim, config.n_kv_heads * config.head_dim, bias=False)
        self.o_proj = nn.Linear(config.n_heads * config.head_dim, config.dim, bias=False)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        q, k, v = (self._heads(proj(x)) for proj in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (given_rope(heads, positions, self.rope_theta) for heads in (q, k))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(out.transpose(1, 2).flatten(2))

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)  # [B, T, n·hd] -> [B, n, T, hd]
