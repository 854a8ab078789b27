"""The one map from Hugging Face's names of a decoder layer's parts to this course's, for each family.

Hugging Face's `post_attention_layernorm` stands for two different things: before the FFN in Llama's line, behind
attention in OLMo's and Gemma's. Shapes agree, so only the map knows.
"""

from torch import Tensor

PARTS = {"self_attn": "attn", "mlp": "ffn"}  # inside of them the names are the same
BEFORE = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
BEHIND = {"post_attention_layernorm": "attn_norm", "post_feedforward_layernorm": "ffn_norm"}
BOTH = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "attn_out_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "ffn_out_norm",
}
NORMS = {
    "llama3": BEFORE,
    "mistral": BEFORE,
    "qwen3": BEFORE,
    "deepseek_v3": BEFORE,
    "olmo2": BEHIND,
    "gemma2": BOTH,
    "gemma3": BOTH,
}


def ours(family: str, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """A Hugging Face layer's state dict under this course's names. KeyError for a name that no map knows."""
    names = PARTS | NORMS[family]
    split = {name: name.partition(".") for name in weights}
    return {f"{names[first]}.{rest}": weights[name] for name, (first, _, rest) in split.items()}
