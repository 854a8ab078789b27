"""Lesson 09's given parts do what its text says: masks that leak, layouts of RoPE, sizes of real models' caches."""

import pytest
import torch
from transformers import FalconConfig, LlamaConfig
from transformers.models.llama.modeling_llama import LlamaModel, apply_rotary_pos_emb

from grader import answers
from lessons.support import attention as given
from lessons.support.llama import Attention, DecoderConfig, given_rope
from lessons.support.tiny_lm import TinyLM

MASKS = {"right": given.right_mask, "none": given.no_mask, "far": given.one_too_far, "late": given.mask_after_softmax}


def test_the_leak_test_finds_every_leak_and_no_other():
    maps = {name: given.leak_map(given.self_attention(mask)) for name, mask in MASKS.items()}
    crosses = {name: int((moved.tril(-1) > 0).sum()) for name, moved in maps.items()}
    assert crosses == {"right": 0, "none": 28, "far": 7, "late": 28}
    assert given.leak(maps["right"]) == 0 and (maps["right"].triu() > 0).sum() == 36


@pytest.mark.parametrize("seed", range(5))
def test_the_given_layer_does_not_leak(seed):
    torch.manual_seed(seed)
    sizes = {"dim": 8, "n_heads": 4, "n_kv_heads": 2, "head_dim": 4}
    layer = Attention(DecoderConfig(vocab_size=9, n_layers=1, hidden_dim=16, **sizes))
    assert given.leak(given.leak_map(lambda x: layer(x[None], torch.arange(8))[0], seed=seed)) == 0


def test_another_mask_leaves_the_models_weights_alone():
    model = TinyLM(11, dim=12, n_layers=2, n_heads=3, context=6, ffn=torch.nn.Identity)
    ids = torch.randint(11, (2, 6))
    before, names = model(ids), set(model.state_dict())
    after = given.set_mask(model, given.right_mask)(ids)
    assert torch.allclose(before, after, atol=1e-5) and set(model.state_dict()) == names
    assert not torch.allclose(before, given.set_mask(model, given.one_too_far)(ids), atol=1e-3)


def test_the_layouts_agree_once_the_numbers_are_reordered():
    x, positions = torch.randn(2, 3, 5, 8), torch.tensor([0, 3, 4, 9, 30])
    order = given.neighbours_to_halves(8)
    assert order.tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    turned = given.interleaved_rope(x, positions)
    assert torch.allclose(turned[..., order], given_rope(x[..., order], positions), atol=1e-5)
    assert not torch.allclose(turned, given_rope(x, positions), atol=0.1)


def test_the_given_rope_is_hugging_faces():
    x, positions = torch.randn(1, 2, 4, 8), torch.tensor([1, 5, 6, 40])
    angles = torch.outer(positions.float(), 10000.0 ** -(torch.arange(0, 8, 2) / 8)).repeat(1, 2)
    turned, _ = apply_rotary_pos_emb(x, x, angles.cos()[None], angles.sin()[None])
    assert torch.allclose(turned, given_rope(x, positions), atol=1e-5)


def test_sizes_of_caches_are_those_of_the_models():
    llama, falcon = LlamaConfig(), FalconConfig()  # whose defaults are Llama-2-7B and Falcon-7B
    assert given.PUBLISHED["Llama-2-7B"] == given.CachedModel(
        llama.num_hidden_layers, llama.num_attention_heads, llama.num_key_value_heads, llama.head_dim
    )
    assert falcon.multi_query and given.PUBLISHED["Falcon-7B"] == given.CachedModel(
        falcon.num_hidden_layers, falcon.num_attention_heads, 1, falcon.head_dim
    )
    assert given.PUBLISHED["Llama-3-8B"].bytes(8192) == 2**30  # 1 GiB, in the written answer
    assert [model.kind for model in given.PUBLISHED.values()] == ["MHA", "GQA", "GQA", "GQA", "MQA", "MQA"]


@pytest.mark.parametrize("name", answers.of("attention_module").variants)
def test_right_modules_are_hugging_faces_layer(name):
    """Their own weights, under the same names, at positions with gaps."""
    torch.manual_seed(0)
    sizes = {"num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 8, "num_hidden_layers": 1}
    config = LlamaConfig(hidden_size=12, intermediate_size=16, vocab_size=11, **sizes)
    theirs, x, positions = LlamaModel(config).eval(), torch.randn(2, 5, 12), torch.tensor([2, 3, 7, 20, 21])
    layer, later = theirs.layers[0].self_attn, torch.full((5, 5), -torch.inf).triu(1)[None, None]
    wanted, _ = layer(x, position_embeddings=theirs.rotary_emb(x, positions[None]), attention_mask=later)
    own = DecoderConfig(11, 12, n_layers=1, n_heads=6, n_kv_heads=3, head_dim=8, hidden_dim=16)
    mine = answers.of("attention_module").variants[name](own)
    mine.load_state_dict(layer.state_dict())
    assert torch.allclose(mine(x, positions), wanted, rtol=1e-5, atol=1e-5 * wanted.square().mean().sqrt().item())
