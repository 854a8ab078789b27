"""Llamas of Hugging Face's `transformers` to compare with: random ones, and real ones from a folder on disk.

`transformers` is imported by the functions that need it, and by nothing else in the course's lessons. Nothing is
downloaded: a folder has to be there already.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from torch import Tensor, nn

from lessons.support.decoder import make_random
from lessons.support.llama import DecoderConfig


def missing_transformers() -> str:
    """Why there is nothing to compare with, as a sentence; "" where `transformers` is installed."""
    from importlib.util import find_spec

    if find_spec("transformers"):
        return ""
    return "transformers is not installed, so this is left out. Remedy: `pip install transformers`, then run it again."


def random_llama(config: DecoderConfig, seed: int) -> nn.Module:
    """Hugging Face's own Llama with these sizes. Every weight is random, none at its default."""
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {
        "vocab_size": config.vocab_size,
        "hidden_size": config.dim,
        "intermediate_size": config.hidden_dim,
        "num_hidden_layers": config.n_layers,
        "num_attention_heads": config.n_heads,
        "num_key_value_heads": config.n_kv_heads,
        "head_dim": config.head_dim,
    }
    theirs = LlamaConfig(
        **sizes,
        rms_norm_eps=config.norm_eps,
        rope_parameters={"rope_type": "default", "rope_theta": config.rope_theta},
        tie_word_embeddings=config.tie_embeddings,
        **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),  # no token ends the text
    )
    return make_random(LlamaForCausalLM(theirs), seed)


def our_config(theirs) -> DecoderConfig:
    """A DecoderConfig from a LlamaConfig. Raises ValueError for what this course's decoder does not have."""
    if theirs.model_type != "llama":
        raise ValueError(f"This is a model of type {theirs.model_type!r}; the decoder of lesson 10 is a Llama.")
    rope = theirs.rope_parameters
    other = {
        f"RoPE of type {rope['rope_type']!r}": rope["rope_type"] != "default",
        f"activation {theirs.hidden_act!r}": theirs.hidden_act != "silu",
        "biases": theirs.attention_bias or theirs.mlp_bias,
    }
    if found := [what for what, there in other.items() if there]:
        raise ValueError(f"This Llama has {' and '.join(found)}; the decoder of lesson 10 has not.")
    return DecoderConfig(
        theirs.vocab_size,
        theirs.hidden_size,
        theirs.num_hidden_layers,
        theirs.num_attention_heads,
        theirs.num_key_value_heads,
        theirs.head_dim,
        theirs.intermediate_size,
        theirs.rms_norm_eps,
        rope["rope_theta"],
        theirs.tie_word_embeddings,
    )


def read_folder(folder: str | Path) -> tuple[DecoderConfig, dict[str, Tensor]]:
    """Config and weights (float32, under Hugging Face's names) of a Llama in a folder: config.json, *.safetensors.

    Raises FileNotFoundError where one of them is not there, ValueError for another kind of model.
    """
    from safetensors.torch import load_file
    from transformers import AutoConfig

    path = Path(folder).expanduser()
    files = sorted(path.glob("*.safetensors"))
    if not (path / "config.json").is_file() or not files:
        raise FileNotFoundError(f"{path} should hold config.json and at least one .safetensors file.")
    config = our_config(AutoConfig.from_pretrained(path, local_files_only=True))
    return config, {name: tensor.float() for file in files for name, tensor in load_file(file).items()}


def folder_of(folder: str | Path) -> tuple[object, nn.Module]:
    """What `transformers` makes of the same folder: (tokenizer, model in float32)."""
    import torch
    from transformers import AutoTokenizer, LlamaForCausalLM

    path = Path(folder).expanduser()
    with _quiet():
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
        return tokenizer, LlamaForCausalLM.from_pretrained(path, dtype=torch.float32, local_files_only=True).eval()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the library's own progress bars: a notebook paints them red."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
