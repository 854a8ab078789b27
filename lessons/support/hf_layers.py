"""Small random models of Hugging Face's, run one layer at a time. The library is imported only when one is made."""

import importlib
import importlib.util

import torch
from torch import Tensor, nn

from lessons.support.families import FAMILIES, Family
from lessons.support.family_names import ours
from lessons.support.llama import DecoderConfig

MODEL_TYPES = {"llama3": "llama", "gemma3": "gemma3_text"}  # the others are called alike
SMALL = DecoderConfig(vocab_size=8, dim=24, n_layers=1, n_heads=4, n_kv_heads=2, head_dim=8, hidden_dim=40)


def missing() -> str:
    """Why no Hugging Face layer can be run here, in a sentence; "" where one can."""
    if importlib.util.find_spec("transformers"):
        return ""
    return "Hugging Face's `transformers` is not installed here, so nothing is compared with it in this cell."


def small_model(model_type: str, config: DecoderConfig = SMALL, **options) -> nn.Module:
    """A random model of one layer with these sizes. `options`: fields of Hugging Face's own config."""
    library = importlib.import_module("transformers")  # looked for, never needed: a class is not asked for it
    theta = {"rope_type": "default", "rope_theta": config.rope_theta}
    sizes = {
        "vocab_size": config.vocab_size,
        "hidden_size": config.dim,
        "intermediate_size": config.hidden_dim,
        "num_hidden_layers": 1,
        "num_attention_heads": config.n_heads,
        "num_key_value_heads": config.n_kv_heads,
        "head_dim": config.head_dim,
        "rms_norm_eps": config.norm_eps,
        "rope_parameters": theta,
        "attn_implementation": "eager",
        **dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id"), 0),
    }
    if model_type == "gemma3_text":
        sizes["rope_parameters"] = {"sliding_attention": theta, "full_attention": theta}
    return library.AutoModel.from_config(library.AutoConfig.for_model(model_type, **sizes | options)).eval()


def family_options(name: str, family: Family, config: DecoderConfig) -> dict:
    """Caps, windows and scales of a family under the names of Hugging Face's configs."""
    if name == "mistral":
        return {"sliding_window": family.window}
    if not name.startswith("gemma"):
        return {}
    return {
        "sliding_window": family.window,
        "layer_types": ["sliding_attention" if family.window else "full_attention"],
        "attn_logit_softcapping": family.score_cap,
        "query_pre_attn_scalar": family.query_scalar or config.head_dim,
    }


class HuggingFaceLayer:
    """Hugging Face's decoder layer of a family, with random weights drawn from `seed`; called as ours is.

    weights  its parameters under this course's names
    """

    def __init__(
        self, name: str, config: DecoderConfig = SMALL, seed: int = 0, family: Family | None = None, **options
    ):
        torch.manual_seed(seed)
        options |= family_options(name, family or FAMILIES.get(name, Family()), config)
        self.model = small_model(MODEL_TYPES.get(name, name), config, **options)
        self.layer = self.model.layers[0]
        randomise(self.layer)
        self.weights = ours(name, self.layer.state_dict())

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        """What the layer makes of x: [B, T, dim], inside its model, so that mask and RoPE are the model's own."""
        found = []
        hook = self.layer.register_forward_hook(lambda module, inputs, out: found.append(out))
        self.model(inputs_embeds=x, position_ids=positions[None].expand(len(x), -1), use_cache=False)
        hook.remove()
        return found[0]


def randomise(layer: nn.Module) -> None:
    """Norms' weights spread around their initial values, as after training; matrices that keep sizes."""
    with torch.no_grad():
        for parameter in layer.parameters():
            spread = 0.3 if parameter.ndim == 1 else parameter.shape[-1] ** -0.5
            start = parameter.mean().round() if parameter.ndim == 1 else 0.0
            parameter.copy_(start + spread * torch.randn_like(parameter))


def deviations(layer: HuggingFaceLayer, block: nn.Module, x: Tensor, positions: Tensor) -> tuple[float, float]:
    """How far a block is from the layer, of the result and of x's gradient: in tolerances, so 1 is the limit.

    The tolerance is 1e-5 of the right number plus 1e-5 of all numbers' root mean square.
    """
    x = x.clone().requires_grad_()
    weight = torch.randn(x.shape, generator=torch.Generator().manual_seed(1))
    pairs = []
    for run in (layer, block):
        y = run(x, positions)
        pairs.append((y.detach(), torch.autograd.grad(y, x, weight)[0]))
    return tuple(_in_tolerances(mine, right) for right, mine in zip(*pairs, strict=True))


def _in_tolerances(mine: Tensor, right: Tensor) -> float:
    return ((mine - right).abs() / (1e-5 * right.abs() + 1e-5 * right.square().mean().sqrt())).max().item()


def loaded(block: nn.Module, weights: dict[str, Tensor]) -> nn.Module:
    """The block with these weights, every name matched."""
    block.load_state_dict(weights)
    return block
