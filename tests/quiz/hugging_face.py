"""Real models, to check what questions say about them: Hugging Face's own code, small, or large on `meta`."""

from types import SimpleNamespace

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

SMALL = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,  # not hidden_size / num_attention_heads
    "pad_token_id": 0,
    "tie_word_embeddings": False,
    "attn_implementation": "eager",
}


def model(family: str, meta: bool = False, **sizes) -> PreTrainedModel:
    """A random model of a family (`llama`, `qwen3`, `gemma2`, …): a stream of size about 1, weights of norms random."""
    config = AutoConfig.for_model(family, **{**SMALL, **sizes})
    torch.manual_seed(0)
    with torch.device("meta" if meta else "cpu"):
        made = AutoModelForCausalLM.from_config(config)
    for name, weight in [] if meta else made.named_parameters():
        if "norm" in name:
            nn.init.normal_(weight, 0.0 if "gemma" in family else 1.0, 0.3)
        elif weight.ndim > 1:
            nn.init.normal_(weight, std=1.0 if "embed" in name else weight.shape[-1] ** -0.5)
    return made.eval()


def parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def llama_3_8b(vocab: int = 128256) -> PreTrainedModel:
    """Without memory, and with another vocabulary if wanted. Sizes: arXiv 2407.21783, table 3."""
    heads = {"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128}
    sizes = {"vocab_size": vocab, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32}
    return model("llama", meta=True, **sizes, **heads).bfloat16()


def ids(tokens: int = 16) -> torch.Tensor:
    return torch.randint(1, 64, (1, tokens), generator=torch.Generator().manual_seed(1))


def streams(made: PreTrainedModel, tokens: torch.Tensor, scale: float = 1.0) -> SimpleNamespace:
    """The stream after each block, and the logits, when the last block's stream is multiplied by `scale`."""
    layers, after = made.model.layers, []

    def keep(module, args, out):
        after.append(out)
        return out * scale if module is layers[-1] else out

    hooks = [layer.register_forward_hook(keep) for layer in layers]
    with torch.no_grad():
        logits = made(tokens).logits
    for hook in hooks:
        hook.remove()
    return SimpleNamespace(blocks=torch.stack(after), logits=logits)
