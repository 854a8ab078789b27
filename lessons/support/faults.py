"""Faults to put into a right decoder, one at a time, and how far its logits move. For lesson 10."""

from collections.abc import Callable
from copy import deepcopy

import torch
from torch import nn

from lessons.support.decoder import given_decoder, make_random, start_small
from lessons.support.llama import DecoderConfig

CONFIG = DecoderConfig(61, 24, 3, n_heads=6, n_kv_heads=2, head_dim=10, hidden_dim=40, norm_eps=1e-5, rope_theta=500000)


def _no_final_norm(model: nn.Module) -> None:
    model.norm = nn.Identity()


def _exchanged_norms(model: nn.Module) -> None:
    block = model.layers[1]
    block.attn_norm, block.ffn_norm = block.ffn_norm, block.attn_norm


def _exchanged_blocks(model: nn.Module) -> None:
    model.layers[0], model.layers[1] = model.layers[1], model.layers[0]


def _theta(theta: float) -> Callable[[nn.Module], None]:
    def change(model: nn.Module) -> None:
        for block in model.layers:
            block.attn.rope_theta = theta

    return change


def _no_rope(model: nn.Module) -> None:
    """All tokens at position 0: nothing is turned."""
    for block in model.layers:
        block.attn.register_forward_pre_hook(lambda _, args: (args[0], torch.zeros_like(args[1])))


def _other_eps(model: nn.Module) -> None:
    for module in model.modules():
        if hasattr(module, "eps"):
            module.eps = 1e-6


def _next_kv_head(model: nn.Module) -> None:
    """Query head h reads head h % KV, not h // (H // KV): the order of the query heads is another."""
    order = torch.arange(CONFIG.n_heads).view(-1, CONFIG.n_kv_heads).T.flatten()
    rows = (order[:, None] * CONFIG.head_dim + torch.arange(CONFIG.head_dim)).flatten()
    for block in model.layers:
        block.attn.q_proj.weight.data = block.attn.q_proj.weight[rows].detach()
        block.attn.o_proj.weight.data = block.attn.o_proj.weight[:, rows].detach()


def _float64(model: nn.Module) -> None:
    model.double()


FAULTS: dict[str, Callable[[nn.Module], None]] = {
    "final norm left out": _no_final_norm,
    "no RoPE": _no_rope,
    "two blocks exchanged": _exchanged_blocks,
    "key-value heads dealt out in turn": _next_kv_head,
    "two norms of a block exchanged": _exchanged_norms,
    "theta 10,000 for 500,000": _theta(10_000.0),
    "eps 1e-6 for 1e-5": _other_eps,
    "nothing: float64": _float64,
}


@torch.no_grad()
def logits_off(fault: Callable[[nn.Module], None], kind: str) -> tuple[float, float]:
    """The largest change of a logit over the logits' root mean square, and the share of likeliest tokens unchanged.

    kind   "random": every weight random; "fresh": as training starts, small matrices and norms of ones
    """
    right = {"random": make_random, "fresh": start_small}[kind](given_decoder(CONFIG), 0).eval()
    wrong = deepcopy(right)
    fault(wrong)
    ids = torch.randint(CONFIG.vocab_size, (4, 32), generator=torch.Generator().manual_seed(0))
    wanted, got = right(ids), wrong(ids).float()
    change = (got - wanted).abs().max() / wanted.square().mean().sqrt()
    return change.item(), (got.argmax(-1) == wanted.argmax(-1)).float().mean().item()
