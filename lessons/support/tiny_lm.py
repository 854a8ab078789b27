"""A small language model for experiments: a Llama-style decoder whose norms' place and whose FFN are yours.

Attention is given here and explained in lesson 09; positions are learned vectors, which is enough at this size.
"""

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn

MakeFFN = Callable[[int], nn.Module]  # dim -> a module from [..., dim] to [..., dim]


class TinyLM(nn.Module):
    """ids [batch, length] -> logits [batch, length, vocab]; length at most `context`.

    placement: "pre", x + f(norm(x)) with a final norm; "post", norm(x + f(x)) without.

    Two models made after the same torch.manual_seed start with the same weights everywhere outside the FFNs, however
    the FFNs differ, because these are made last.
    """

    def __init__(
        self, vocab: int, dim: int, n_layers: int, n_heads: int, context: int, ffn: MakeFFN, placement: str = "pre"
    ):
        if placement not in ("pre", "post"):
            raise ValueError(f"placement {placement!r}: use 'pre' or 'post'.")
        super().__init__()
        self.tok_embeddings = nn.Embedding(vocab, dim)
        self.positions = nn.Embedding(context, dim)
        self.layers = nn.ModuleList(Block(dim, n_heads, placement) for _ in range(n_layers))
        self.norm = _norm(dim) if placement == "pre" else nn.Identity()
        self.lm_head = nn.Linear(dim, vocab, bias=False)
        self.apply(_small_embeddings)
        for layer in self.layers:
            layer.ffn = ffn(dim)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.tok_embeddings(ids) + self.positions.weight[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.lm_head(self.norm(x))


class Block(nn.Module):
    """Attention, then the FFN (set by TinyLM), each with a residual and a norm. [batch, length, dim] both ways."""

    def __init__(self, dim: int, n_heads: int, placement: str):
        super().__init__()
        self.placement = placement
        self.attn_norm, self.ffn_norm = _norm(dim), _norm(dim)
        self.attn = GivenAttention(dim, n_heads)

    def forward(self, x: Tensor) -> Tensor:
        for sublayer, norm in ((self.attn, self.attn_norm), (self.ffn, self.ffn_norm)):
            x = sublayer(norm(x)) + x if self.placement == "pre" else norm(x + sublayer(x))
        return x


class GivenAttention(nn.Module):
    """Causal multi-head self-attention, bias-free. [batch, length, dim] both ways."""

    def __init__(self, dim: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.qkv_proj = nn.Linear(dim, 3 * dim, bias=False)
        self.o_proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv_proj(x).unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)  # [B, H, T, hd] each
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).flatten(-2))


def _norm(dim: int) -> nn.Module:
    return nn.RMSNorm(dim, eps=1e-6)


def _small_embeddings(module: nn.Module) -> None:
    if isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=module.in_features**-0.5 / 3**0.5)


def parameters(module: nn.Module) -> int:
    """How many numbers a module trains."""
    return sum(p.numel() for p in module.parameters() if p.requires_grad)
