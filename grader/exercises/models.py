"""Small models from plain data, and how they are built. They hold parameters and compute nothing."""

import torch
from torch import nn


class ScaleNorm(nn.Module):
    """A norm that is none of PyTorch's own, as every model of the field has one."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.full((width,), 1.0))


KINDS = {
    "linear": lambda n_in, n_out: nn.Linear(n_in, n_out),
    "matrix": lambda n_in, n_out: nn.Linear(n_in, n_out, bias=False),
    "embedding": nn.Embedding,
    "layer_norm": nn.LayerNorm,
    "own_norm": ScaleNorm,
    "parameter": lambda *shape: nn.Parameter(torch.ones(shape)),
}

# Each model: what a student reads, then rows [name with dots, kind, sizes]; "same" as a kind repeats what stands
# under another name, and "frozen" takes it out of training. Names are chosen to mislead who goes by them.
MODELS = {
    "mlp": (
        "a model of two linear layers with biases and a LayerNorm",
        [["up", "linear", 6, 16], ["norm", "layer_norm", 16], ["down", "linear", 16, 5]],
    ),
    "blocks": (
        "two nested transformer blocks whose norms are a class of their own",
        [
            [f"layers.{i}.{name}", kind, *sizes]
            for i in range(2)
            for name, kind, *sizes in (
                ["ln_1", "own_norm", 6],
                ["attn.qkv_proj", "matrix", 6, 18],
                ["attn.o_proj", "matrix", 6, 6],
                ["ln_2", "layer_norm", 6],
                ["ffn.up_proj", "linear", 6, 24],
                ["ffn.down_proj", "linear", 24, 6],
            )
        ],
    ),
    "bare": (
        "a model with parameters of its own beside embedding, norm and head",
        [
            ["tok_embeddings", "embedding", 11, 6],
            ["positions", "parameter", 7, 6],
            ["scale", "parameter", 6],
            ["ln", "layer_norm", 6],
            ["head", "matrix", 6, 11],
        ],
    ),
    "names": (
        "a model whose names mislead",
        [
            ["norm_mixer", "matrix", 6, 8],
            ["bias_table", "parameter", 4, 4],
            ["weight_of_each_head", "parameter", 4],
            ["score", "linear", 8, 1],
            ["out_scale", "own_norm", 8],
        ],
    ),
    "tied": (
        "a model whose head is its embedding",
        [
            ["tok_embeddings", "embedding", 11, 6],
            ["ffn", "linear", 6, 6],
            ["norm", "own_norm", 6],
            ["lm_head", "matrix", 6, 11],
            ["lm_head.weight", "same", "tok_embeddings.weight"],
        ],
    ),
    "shared": (
        "a model that uses one block, norm and all, under two names",
        [
            ["first.norm", "layer_norm", 6],
            ["first.proj", "linear", 6, 6],
            ["second", "same", "first"],
            ["head", "matrix", 6, 5],
        ],
    ),
    "frozen": (
        "a model whose embedding and first norm are frozen (looked at: the others)",
        [
            ["tok_embeddings", "embedding", 11, 6],
            ["norm_1", "own_norm", 6],
            ["ffn", "linear", 6, 6],
            ["norm_2", "own_norm", 6],
            ["tok_embeddings", "frozen"],
            ["norm_1", "frozen"],
        ],
    ),
}


def build(rows: list[list]) -> nn.Module:
    """The model that the rows describe; containers for the parts of dotted names are made on the way."""
    model = nn.Module()
    for name, kind, *sizes in rows:
        *path, last = name.split(".")
        if kind == "frozen":
            model.get_submodule(name).requires_grad_(False)
            continue
        parent = model
        for part in path:
            if part not in dict(parent.named_children()):
                parent.add_module(part, nn.Module())
            parent = parent.get_submodule(part)
        setattr(parent, last, _find(model, *sizes) if kind == "same" else KINDS[kind](*sizes))
    return model


def _find(model: nn.Module, name: str) -> nn.Module | nn.Parameter:
    *path, last = name.split(".")
    return getattr(model.get_submodule(".".join(path)), last)
