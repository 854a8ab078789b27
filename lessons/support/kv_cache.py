"""A key-value cache for a decoder that knows nothing of it, and the two ways to continue a text that it is made for."""

import contextlib
import time
from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.llama import Attention, given_rope


class _Cached:
    """Takes an Attention's place: reads the new tokens only, and keeps their keys and values for the next call.

    A decoder that is handed one token believes to be at position 0, so the number of tokens seen is added here.
    """

    def __init__(self, attn: Attention):
        self.attn, self.k, self.v = attn, None, None

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        seen = 0 if self.k is None else self.k.shape[2]
        attn = self.attn
        q, k, v = (attn._heads(proj(x)) for proj in (attn.q_proj, attn.k_proj, attn.v_proj))
        q, k = (given_rope(part, positions + seen, attn.rope_theta) for part in (q, k))
        self.k = k if self.k is None else torch.cat((self.k, k), dim=2)
        self.v = v if self.v is None else torch.cat((self.v, v), dim=2)
        new, total = q.shape[2], self.k.shape[2]
        # New token i stands at place seen + i: it may read all that was seen, and the new ones up to itself.
        allowed = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(seen)
        out = F.scaled_dot_product_attention(q, self.k, self.v, attn_mask=allowed, enable_gqa=True)
        return attn.o_proj(out.transpose(1, 2).flatten(2))


@contextlib.contextmanager
def kv_cache(model: nn.Module) -> Iterator[None]:
    """Inside, each call of the model continues the text of the calls before: hand it the new tokens only."""
    parts = [module for module in model.modules() if isinstance(module, Attention)]
    if not parts:
        raise TypeError("There is no Attention of lessons.support.llama in this model: nothing to cache.")
    for attn in parts:
        attn.forward = _Cached(attn)
    try:
        yield
    finally:
        for attn in parts:
            del attn.forward


@torch.no_grad()
def greedy(model: nn.Module, ids: Tensor, tokens: int, cached: bool = False) -> tuple[Tensor, list[float]]:
    """Continues ids [B, T] by the likeliest token, `tokens` times: all ids [B, T + tokens], and seconds a token."""
    seconds, new = [], ids
    with kv_cache(model) if cached else contextlib.nullcontext():
        for _ in range(tokens):
            start = time.perf_counter()
            best = model(new if cached else ids)[:, -1:].argmax(-1)
            ids, new = torch.cat((ids, best), dim=1), best
            if ids.is_cuda:
                torch.cuda.synchronize()
            seconds.append(time.perf_counter() - start)
    return ids, seconds


@torch.no_grad()
def sampled(model: nn.Module, ids: Tensor, tokens: int, temperature: float, seed: int) -> Tensor:
    """Continues ids [1, T] by tokens drawn from softmax(logits / temperature), with a cache: the new ids [tokens]."""
    draw, new, drawn = torch.Generator().manual_seed(seed), ids, []
    with kv_cache(model):
        for _ in range(tokens):
            shares = (model(new)[0, -1] / temperature).softmax(-1).cpu()
            drawn.append(torch.multinomial(shares, 1, generator=draw))
            new = drawn[-1][None].to(ids.device)
    return torch.cat(drawn)
