"""Six model families as rows of one table, and the one block that reads a row (lesson 11).

What a family does otherwise than Llama is data, not code: `Family` names it, `FAMILIES` lists it, `GivenBlock`
reads it. Equal to Hugging Face's own decoder layers, which the project's tests prove.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.llama import Attention, DecoderConfig, RMSNorm, SwiGLU, given_rope

EACH_HEAD, FULL_WIDTH = "each head", "full width"


class WideRMSNorm(nn.Module):
    """RMSNorm that scales in fp32 and casts once, by `shift + weight`: OLMo 2's (shift 0) and Gemma's (shift 1)."""

    def __init__(self, dim: int, eps: float = 1e-6, shift: float = 0.0):
        super().__init__()
        self.eps, self.shift = eps, shift
        self.weight = nn.Parameter(torch.full((dim,), 1.0 - shift))

    def forward(self, x: Tensor) -> Tensor:
        wide = x if x.dtype == torch.float64 else x.float()
        unit = wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + self.eps)
        return (unit * (self.shift + self.weight.to(wide.dtype))).to(x.dtype)


@dataclass(frozen=True)
class Family:
    """What a decoder block of a family does; the defaults are Llama's.

    entrance, exit  names of the norms at the entrance and the exit of both branches ("norm": attn_norm and
                    ffn_norm); "" for none
    norm            kind of all its norms: (dim, eps) -> module
    activation      of the FFN's gate
    qk_norm         over which numbers queries and keys are normed: EACH_HEAD, FULL_WIDTH, or "" for not at all
    score_cap       scores are bent to stay within ± this; None for not at all
    window          each token sees this many tokens, itself included; None for all before it
    query_scalar    scores are divided by its root; None for the head's size
    attention       (family, config) -> module called with (x, positions); None for GivenAttention
    """

    entrance: str = "norm"
    exit: str = ""
    norm: Callable[[int, float], nn.Module] = RMSNorm
    activation: Callable[[Tensor], Tensor] = F.silu
    qk_norm: str = ""
    score_cap: float | None = None
    window: int | None = None
    query_scalar: int | None = None
    attention: Callable[["Family", DecoderConfig], nn.Module] | None = None


GEMMA = {
    "exit": "out_norm",
    "norm": partial(WideRMSNorm, shift=1.0),
    "activation": partial(F.gelu, approximate="tanh"),
}
# Caps and windows of the released models (Mistral 7B v0.1, Gemma 2, and Gemma 3's and 2's layers with a window).
FAMILIES = {
    "llama3": Family(),
    "mistral": Family(window=4096),
    "qwen3": Family(qk_norm=EACH_HEAD),
    "olmo2": Family(entrance="", exit="norm", norm=WideRMSNorm, qk_norm=FULL_WIDTH),
    "gemma2": Family(**GEMMA, score_cap=50.0, window=4096),
    "gemma3": Family(**GEMMA, qk_norm=EACH_HEAD, window=1024),
}


def described(family: Family) -> str:
    """The row in words, without what is as in Llama."""
    values = {field.name: getattr(family, field.name) for field in fields(family)}
    other = {name: value for name, value in values.items() if value != getattr(FAMILIES["llama3"], name)}
    return ", ".join(f"{name}: {_word(value)}" for name, value in other.items()) or "as the defaults say"


def _word(value: object) -> str:
    """Functions and classes by their names, with what is fixed of their arguments."""
    if isinstance(value, partial):
        return f"{_word(value.func)}({', '.join(f'{name}={fixed!r}' for name, fixed in value.keywords.items())})"
    return getattr(value, "__name__", repr(value))


class GivenBlock(nn.Module):
    """A decoder block of any family. x: [B, T, dim] both ways; positions: [T]."""

    def __init__(self, family: Family, config: DecoderConfig):
        super().__init__()
        self.family = family
        self.attn = (family.attention or GivenAttention)(family, config)
        self.ffn = GatedFFN(config.dim, config.hidden_dim, family.activation)
        for branch in ("attn", "ffn"):
            for place in filter(None, (family.entrance, family.exit)):
                self.add_module(f"{branch}_{place}", family.norm(config.dim, config.norm_eps))

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        x = shown_step(x, partial(self.attn, positions=positions), *self._norms("attn"))
        return shown_step(x, self.ffn, *self._norms("ffn"))

    def _norms(self, branch: str) -> list[Callable[[Tensor], Tensor]]:
        places = (self.family.entrance, self.family.exit)
        return [getattr(self, f"{branch}_{place}") if place else nn.Identity() for place in places]


def shown_step(x: Tensor, sublayer: Callable, entrance: Callable, leave: Callable) -> Tensor:
    """x + n₂(f(n₁(x))): pre-norm, output norm and sandwich are this, with the identity for a norm that is not there."""
    return x + leave(sublayer(entrance(x)))


class GatedFFN(SwiGLU):
    """SwiGLU's three matrices with any activation on the gate."""

    def __init__(self, dim: int, hidden_dim: int, act: Callable[[Tensor], Tensor]):
        super().__init__(dim, hidden_dim)
        self.act = act

    def forward(self, x: Tensor) -> Tensor:
        strength = self.act(self.gate_proj(x))
        return self.down_proj(strength * self.up_proj(x))


class GivenAttention(Attention):
    """Causal grouped-query attention with what the family adds: QK-norm, a cap, a window."""

    def __init__(self, family: Family, config: DecoderConfig):
        super().__init__(config)
        self.family = family
        if family.qk_norm:
            q_groups, k_groups = (config.n_heads, config.n_kv_heads) if family.qk_norm == FULL_WIDTH else (1, 1)
            self.q_norm = family.norm(q_groups * config.head_dim, config.norm_eps)
            self.k_norm = family.norm(k_groups * config.head_dim, config.norm_eps)

    def queries_and_keys(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """[B, H, T, hd] and [B, KV, T, hd]: normed as the family does, and not yet turned by RoPE."""
        pair = self.q_proj(x), self.k_proj(x)
        if self.family.qk_norm:
            pair = map(_in_groups, (self.q_norm, self.k_norm), pair)
        return tuple(map(self._heads, pair))

    def scores(self, x: Tensor, positions: Tensor) -> Tensor:
        """[B, H, T, T]: before mask and softmax, after the cap."""
        q, k = (given_rope(part, positions, self.rope_theta) for part in self.queries_and_keys(x))
        k = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)
        raw = q @ k.mT * (self.family.query_scalar or self.head_dim) ** -0.5
        return soft_cap(raw, self.family.score_cap) if self.family.score_cap else raw

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        scores, v = self.scores(x, positions), self._heads(self.v_proj(x))
        v = v.repeat_interleave(scores.shape[1] // v.shape[1], dim=1)
        weights = scores.masked_fill(~_visible(len(positions), self.family.window, x.device), -torch.inf).softmax(-1)
        return self.o_proj((weights @ v).transpose(1, 2).flatten(2))


def _in_groups(norm: nn.Module, y: Tensor) -> Tensor:
    """Norms [..., n·hd] in groups as wide as the norm's weight: a head, or all of them."""
    return norm(y.unflatten(-1, (-1, norm.weight.numel()))).flatten(-2)


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    """Slope 1 at zero, never beyond ±cap (Gemma 2)."""
    return cap * torch.tanh(scores / cap)


def _visible(tokens: int, window: int | None, device: torch.device) -> Tensor:
    """[T, T], True where a token (row) may look: not ahead, and not further back than the window."""
    mask = torch.ones(tokens, tokens, dtype=torch.bool, device=device).tril()
    return mask if window is None else mask.triu(1 - window)
