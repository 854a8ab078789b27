"""The structure of model families, read off Hugging Face's own layers: nothing here says how a family is built.

A layer of one's own size is made, its sublayers are replaced by a known function, and what comes out is compared
with the forms it might have.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lessons.support.hf_layers import SMALL, small_model

# Name -> Hugging Face's model type, and options where its small model needs some.
OBSERVED = {
    "Llama 3": ("llama", {}),
    "Mistral": ("mistral", {}),
    "Qwen2.5": ("qwen2", {}),
    "Qwen3": ("qwen3", {}),
    "Gemma": ("gemma", {}),
    "Gemma 2": ("gemma2", {}),
    "Gemma 3": ("gemma3_text", {}),
    "OLMo": ("olmo", {}),
    "OLMo 2": ("olmo2", {}),
    "DeepSeek-V3": ("deepseek_v3", {}),
    "GLM-4": ("glm4", {}),
    "gpt-oss": ("gpt_oss", {"num_local_experts": 4}),
    "nanochat": ("nanochat", {}),
}
PLACES = {"pre": "entrance", "output": "exit", "sandwich": "both sides", "post": "on the stream"}


def observe(model_type: str, options: dict) -> dict[str, str]:
    """What a family's layer does: norm, place, qk_norm, ffn; each in a word or two."""
    torch.manual_seed(0)
    model = small_model(model_type, **options)
    layer = model.layers[0]
    norms = [module for name, module in layer.named_children() if "norm" in name]
    found = {"norm": _kind(norms[0]), "qk_norm": _qk_norm(model, layer.self_attn), "ffn": _ffn(layer.mlp)}
    return found | {"place": _place(layer, norms[0])}


def _kind(norm: nn.Module) -> str:
    x = torch.randn(3, SMALL.dim)
    kind = "LayerNorm" if torch.allclose(norm(x + 9), norm(x), atol=1e-3) else "RMSNorm"
    weights = list(norm.parameters())
    if not weights:
        return f"{kind}, no weights"
    return f"{kind}, 1 + weight" if not weights[0].any() else kind


def _sublayer(x: Tensor) -> Tensor:
    """Neither linear nor blind for the size of what it reads."""
    return torch.tanh(3 * x) + 0.5 * x.roll(1, -1)


class _Stub(nn.Module):
    def __init__(self, function, pair: bool):
        super().__init__()
        self.function, self.pair = function, pair

    def forward(self, x=None, *args, hidden_states=None, **kwargs):
        out = self.function(hidden_states if x is None else x)
        return (out, None) if self.pair else out


def _place(layer: nn.Module, n: nn.Module) -> str:
    """Attention becomes `_sublayer`, the FFN is silent; which form has the result? Norms have their initial weights."""
    pair = "Oss" in type(layer.mlp).__name__
    layer.self_attn, layer.mlp = _Stub(_sublayer, True), _Stub(torch.zeros_like, pair)
    x, f = 3 * torch.randn(1, 5, SMALL.dim) + 1, _sublayer
    with torch.no_grad():
        y = layer(x, position_embeddings=None)
        forms = {"pre": x + f(n(x)), "output": x + n(f(x)), "sandwich": x + n(f(n(x))), "post": n(x + f(x))}
    (form,) = (form for form, value in forms.items() if torch.allclose(y, value, rtol=1e-4, atol=1e-4))
    return PLACES[form]


def _qk_norm(model: nn.Module, attention: nn.Module) -> str:
    if hasattr(attention, "kv_a_layernorm"):
        return "on latents"
    if not hasattr(attention, "q_norm"):
        return "–"
    seen = {}
    hooks = [
        attention.q_proj.register_forward_hook(lambda module, inputs, out: seen.update(projected=out)),
        attention.q_norm.register_forward_hook(lambda module, inputs, out: seen.update(read=inputs[0])),
    ]
    with torch.no_grad():
        model(inputs_embeds=torch.randn(1, 5, SMALL.dim), use_cache=False)
    for hook in hooks:
        hook.remove()
    group = "each head" if seen["read"].shape[-1] == SMALL.head_dim else "full width"
    untouched = torch.equal(seen["read"].flatten().sort().values, seen["projected"].flatten().sort().values)
    return f"{group}, {'before' if untouched else 'after'} RoPE"


def _ffn(mlp: nn.Module) -> str:
    """The number of matrices from the parameters' count, the activation from its value at −1."""
    if hasattr(mlp, "experts"):
        return "experts, clamped gate"
    matrices = round(sum(p.numel() for p in mlp.parameters()) / (SMALL.dim * SMALL.hidden_dim))
    act = next(getattr(mlp, name) for name in ("act_fn", "activation_fn") if hasattr(mlp, name))
    z = torch.tensor([-1.0, 2.0])
    known = {"SiLU": F.silu(z), "GELU": F.gelu(z, approximate="tanh"), "ReLU²": F.relu(z).square()}
    (name,) = (name for name, value in known.items() if torch.allclose(act(z), value, atol=1e-4))
    return f"{name} gate" if matrices == 3 else f"{name}, no gate"
