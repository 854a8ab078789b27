"""Hugging Face's names for a Llama's tensors, and ours: the one place where the map stands.

model.layers.3.self_attn.q_proj.weight    layers.3.attn.q_proj.weight
"""

from torch import Tensor

OURS = {
    "embed_tokens": "tok_embeddings",
    "input_layernorm": "attn_norm",
    "self_attn": "attn",
    "post_attention_layernorm": "ffn_norm",  # it comes after attention, and norms what the FFN reads
    "mlp": "ffn",
}
THEIRS = {ours: theirs for theirs, ours in OURS.items()}


def our_name(name: str) -> str:
    """`model.norm.weight` -> `norm.weight`."""
    return ".".join(OURS.get(part, part) for part in name.removeprefix("model.").split("."))


def their_name(name: str) -> str:
    """`norm.weight` -> `model.norm.weight`. The head alone stands outside of `model`."""
    inside = "" if name.startswith("lm_head.") else "model."
    return inside + ".".join(THEIRS.get(part, part) for part in name.split("."))


def to_ours(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """A state dict of Hugging Face's under our names. RoPE's frequencies, in some old files, are no weights."""
    return {our_name(name): tensor for name, tensor in state.items() if not name.endswith("rotary_emb.inv_freq")}


def to_theirs(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """A state dict of ours under Hugging Face's names."""
    return {their_name(name): tensor for name, tensor in state.items()}
