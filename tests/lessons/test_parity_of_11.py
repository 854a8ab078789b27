"""Lesson 11: its table's six families, its reference and its relatives are Hugging Face's own, number by number."""

from dataclasses import replace

import pytest
import torch

from grader import answers
from lessons.support.families import FAMILIES, Family, GivenBlock
from lessons.support.hf_layers import SMALL, HuggingFaceLayer, deviations, loaded
from lessons.support.hf_relatives import pairs
from lessons.support.latent import LatentAttention, Latents, hugging_face_options
from lessons.support.llama import DecoderConfig

SEEDS = range(5)
CONFIGS = {
    "small": SMALL,
    "one key head": replace(SMALL, dim=18, n_heads=3, n_kv_heads=1, head_dim=4, hidden_dim=28, norm_eps=1e-2),
    "all heads": replace(SMALL, dim=32, n_kv_heads=4, head_dim=6, hidden_dim=20, rope_theta=500.0),
}
TOKENS = {"small": (2, 7), "one key head": (3, 5), "all heads": (1, 11)}
LATENTS = Latents()
DEEPSEEK = Family(attention=lambda family, config: LatentAttention(config, LATENTS))
over_shapes = pytest.mark.parametrize("shape", CONFIGS)


def biting(family: Family) -> Family:
    """Windows, caps and scales small enough to be felt by a few tokens."""
    return replace(
        family,
        window=family.window and 3,
        score_cap=family.score_cap and 2.0,
        query_scalar=11 if family.exit == "out_norm" else None,
    )


def agrees(layer: HuggingFaceLayer, block, config: DecoderConfig, shape: str, seed: int) -> None:
    batch, tokens = TOKENS[shape]
    torch.manual_seed(100 + seed)
    x = 2 * torch.randn(batch, tokens, config.dim) + 0.5
    value, gradient = deviations(layer, loaded(block, layer.weights), x, torch.arange(tokens) + seed)
    assert value <= 1 and gradient <= 1, (value, gradient)


@over_shapes
@pytest.mark.parametrize("name", FAMILIES)
def test_the_shown_block_is_hugging_faces_layer(name, shape):
    config, family = CONFIGS[shape], biting(FAMILIES[name])
    for seed in SEEDS:
        layer = HuggingFaceLayer(name, config, seed, family)
        agrees(layer, GivenBlock(family, config), config, shape, seed)


@over_shapes
@pytest.mark.parametrize("name", ["llama3", "qwen3", "olmo2"])
def test_the_graded_reference_is_hugging_faces_layer(name, shape):
    config = CONFIGS[shape]
    for seed in SEEDS:
        layer = HuggingFaceLayer(name, config, seed)
        agrees(layer, answers.of("family_block").reference(name, config), config, shape, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_deepseeks_dense_layer_is_a_row_of_the_table(seed):
    layer = HuggingFaceLayer("deepseek_v3", SMALL, seed, DEEPSEEK, **hugging_face_options(SMALL, LATENTS))
    agrees(layer, GivenBlock(DEEPSEEK, SMALL), SMALL, "small", seed)


@pytest.mark.parametrize("name", FAMILIES)
def test_norms_round_as_hugging_faces_do(name):
    """In bfloat16, bit for bit: Llama's order of cast and scale in one line of families, one cast in the other."""
    layer = HuggingFaceLayer(name)
    theirs = next(module for part, module in layer.layer.named_children() if "norm" in part).bfloat16()
    mine = FAMILIES[name].norm(SMALL.dim, SMALL.norm_eps).bfloat16()
    mine.load_state_dict(theirs.state_dict())
    x = torch.randn(64, SMALL.dim).bfloat16()
    assert torch.equal(mine(x), theirs(x))


def test_one_wrong_trait_is_far_outside_the_tolerance():
    """Parity proves something only if it fails for each trait that is not the family's own."""
    wrong = {
        "mistral": {"window": None},
        "olmo2": {"entrance": "norm", "exit": ""},
        "gemma2": {"activation": torch.nn.functional.silu},
        "gemma3": {"query_scalar": 8},
    }
    for name, change in wrong.items():
        family = biting(FAMILIES[name])
        layer = HuggingFaceLayer(name, SMALL, 0, family)
        block = loaded(GivenBlock(replace(family, **change), SMALL), layer.weights)
        assert min(deviations(layer, block, torch.randn(2, 7, SMALL.dim), torch.arange(7))) > 100, name


@pytest.mark.parametrize("seed", SEEDS)
def test_relatives_are_hugging_faces(seed):
    for name, (mine, theirs) in pairs(seed).items():
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-6, msg=lambda text, name=name: f"{name}: {text}")
