"""Configs and random weights of small decoders, as plain data, for the exercises on blocks and whole models."""

import torch

from grader.exercises.inputs import Inputs
from lessons.support.llama import DecoderConfig

HEAD, EMBEDDING = "lm_head.weight", "tok_embeddings.weight"


def block_shapes(config: DecoderConfig) -> dict[str, tuple[int, ...]]:
    """The weights of one block by name, as [out, in]."""
    d, queries, keys = config.dim, config.n_heads * config.head_dim, config.n_kv_heads * config.head_dim
    return {
        "attn_norm.weight": (d,),
        "attn.q_proj.weight": (queries, d),
        "attn.k_proj.weight": (keys, d),
        "attn.v_proj.weight": (keys, d),
        "attn.o_proj.weight": (d, queries),
        "ffn_norm.weight": (d,),
        "ffn.gate_proj.weight": (config.hidden_dim, d),
        "ffn.up_proj.weight": (config.hidden_dim, d),
        "ffn.down_proj.weight": (d, config.hidden_dim),
    }


def decoder_shapes(config: DecoderConfig) -> dict[str, tuple[int, ...]]:
    """The weights of a decoder by name. The head's is among them even where the config ties it."""
    blocks = {
        f"layers.{i}.{name}": shape for i in range(config.n_layers) for name, shape in block_shapes(config).items()
    }
    ends = (config.vocab_size, config.dim)
    return {EMBEDDING: ends, **blocks, "norm.weight": (config.dim,), HEAD: ends}


def draw_weights(draw: Inputs, shapes: dict[str, tuple[int, ...]], silent: tuple[str, ...] = ()) -> dict:
    """Random weights, norms away from 1. Those whose names end like one of `silent` are zero: a branch adds nothing."""
    made = {name: draw.weight(*s) if len(s) == 1 else draw.normal(*s) / s[-1] ** 0.5 for name, s in shapes.items()}
    return {name: torch.zeros_like(w) if name.endswith(silent) else w for name, w in made.items()}
