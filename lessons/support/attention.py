"""What lesson 09's experiments need: wrong masks, a test for leaks, RoPE in the other layout, sizes of caches."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]  # q, k, v: [B, H, T, hd] -> [B, H, T, hd]


def right_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def no_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)


def one_too_far(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Each query also reads the key after its own."""
    places = torch.arange(q.shape[2], device=q.device)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=places <= places[:, None] + 1)


def mask_after_softmax(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Hidden keys get no weight, but have already taken part in the softmax."""
    weights = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5, -1)
    return torch.einsum("bhij,bhjd->bhid", torch.tril(weights), v)


def self_attention(attend: Attend, width: int = 8, seed: int = 0) -> Callable[[Tensor], Tensor]:
    """Tokens [T, width] -> outputs [T, width]: one head, whose three projections are drawn from the seed."""
    draw = torch.Generator().manual_seed(seed)
    projections = torch.randn(3, width, width, generator=draw) * width**-0.5
    return lambda x: attend(*(x @ projections)[:, None, None])[0, 0]


@torch.no_grad()
def leak_map(of_tokens: Callable[[Tensor], Tensor], length: int = 8, width: int = 8, seed: int = 1) -> Tensor:
    """[T, T]: how far output i (column) moves when token j (row) is replaced; the largest change of its numbers."""
    draw = torch.Generator().manual_seed(seed)
    x, other = torch.randn(2, length, width, generator=draw)
    before, rows = of_tokens(x), []
    for j in range(length):
        changed = x.clone()
        changed[j] = other[j]
        rows.append((of_tokens(changed) - before).abs().amax(-1))
    return torch.stack(rows)


def leak(moved: Tensor) -> float:
    """The largest move of an output that stands before the token that was changed."""
    return moved.tril(-1).max().item()


def interleaved_rope(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    """RoPE as in Meta's first code: neighbours are partners, 0 with 1, 2 with 3. x: [..., T, hd]."""
    exponents = torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1]
    angles = positions[:, None].double() / theta ** exponents.double()
    turned = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous()) * torch.polar(
        torch.ones_like(angles), angles
    )
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def neighbours_to_halves(head_dim: int) -> Tensor:
    """The order that turns an interleaved head into a half-split one: 0, 2, 4, … and then 1, 3, 5, …"""
    return torch.arange(head_dim).view(-1, 2).T.flatten()


class WithMask(nn.Module):
    """The tiny language model's attention, with another mask in it. [B, T, dim] both ways."""

    def __init__(self, attn: nn.Module, attend: Attend):
        super().__init__()
        self.qkv_proj, self.o_proj = attn.qkv_proj, attn.o_proj
        self.n_heads, self.attend = attn.n_heads, attend

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for part in self.qkv_proj(x).chunk(3, -1))
        return self.o_proj(self.attend(q, k, v).transpose(1, 2).flatten(2))


def set_mask(model: nn.Module, attend: Attend) -> nn.Module:
    """Gives every block of a TinyLM this attention, its weights as they are. Returns the model."""
    for block in model.layers:
        block.attn = WithMask(block.attn, attend)
    return model


@dataclass(frozen=True)
class CachedModel:
    """What decides the size of a model's KV cache."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int

    @property
    def kind(self) -> str:
        """MHA: a key-value head for each query head; MQA: one for all; GQA: between."""
        return {self.heads: "MHA", 1: "MQA"}.get(self.kv_heads, "GQA")

    def bytes(self, tokens: int, kv_heads: int | None = None, itemsize: int = 2) -> int:
        """Of one sequence, by default in bfloat16, and with the model's own number of key-value heads."""
        return 2 * self.layers * (kv_heads or self.kv_heads) * self.head_dim * tokens * itemsize


# From the papers and model cards that lesson 09 cites.
PUBLISHED = {
    "Llama-2-7B": CachedModel(32, 32, 32, 128),
    "Llama-3-8B": CachedModel(32, 32, 8, 128),
    "Llama-3-70B": CachedModel(80, 64, 8, 128),
    "Qwen2.5-7B": CachedModel(28, 28, 4, 128),
    "Gemma-2B": CachedModel(18, 8, 1, 256),
    "Falcon-7B": CachedModel(32, 71, 1, 64),
}
