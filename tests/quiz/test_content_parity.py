"""What bank 10 claims of porting weights and of comparing with a reference, tried on Hugging Face's decoders."""

from functools import partial

import pytest
import torch
from torch import nn
from transformers import LlamaForCausalLM
from transformers.models.llama import modeling_llama

from quiz.bank import load
from tests.quiz.hugging_face import ids, model, streams

QUESTIONS = {q.id: q for q in load("10_decoder").questions}


def interleaved(q, k, cos, sin, unsqueeze_dim=1):
    """RoPE that turns neighbours, with half-split's angles."""
    half = cos.shape[-1] // 2
    turn = torch.complex(cos[..., :half], sin[..., :half]).unsqueeze(unsqueeze_dim)
    return tuple(torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * turn).flatten(-2) for x in (q, k))


def tiled(x, n_rep):
    return x.repeat(1, n_rep, 1, 1)


def with_fault(name: str, monkeypatch) -> LlamaForCausalLM:
    faulty = model("llama")
    if name == "final_norm":
        faulty.model.norm = nn.Identity()
    elif name == "head":
        nn.init.normal_(faulty.lm_head.weight, std=0.02)
    elif name == "rope":
        monkeypatch.setattr(modeling_llama, "apply_rotary_pos_emb", interleaved)
    else:
        faulty.model.layers[-1].post_attention_layernorm = nn.Identity()
    return faulty


@pytest.mark.parametrize("option", QUESTIONS["logits_disagree"].options, ids=lambda o: o.id)
def test_only_the_missing_final_norm_fits_the_observations(option, monkeypatch):
    right, once, ten_times = (streams(model("llama"), ids(), scale) for scale in (1, 1, 10))
    assert torch.allclose(ten_times.logits, once.logits, rtol=1e-3, atol=1e-5)  # "theirs stay the same"
    faulty = with_fault(option.id, monkeypatch)
    mine, mine_ten_times = streams(faulty, ids()), streams(faulty, ids(), 10)
    assert not torch.allclose(mine.logits, right.logits, rtol=1e-2)
    fits = torch.allclose(mine.blocks, right.blocks, rtol=1e-5, atol=1e-6)
    fits &= torch.allclose(mine_ten_times.logits, 10 * mine.logits, rtol=1e-4, atol=1e-6)
    assert fits == option.correct


def inputs_and_outputs(made) -> dict[str, tuple]:
    seen = {}

    def keep(name, module, args, kwargs, out):
        first = args[0] if args else kwargs.get("hidden_states")
        seen[name] = (first, out[0] if isinstance(out, tuple) else out)

    for name, module in made.named_modules():
        module.register_forward_hook(partial(keep, name), with_kwargs=True)
    with torch.no_grad():
        made(ids())
    return seen


def test_names_mean_what_is_said():
    seen = inputs_and_outputs(model("llama", num_hidden_layers=1))
    at = "model.layers.0."
    x, attended = seen[at + "input_layernorm"][0], seen[at + "self_attn"][1]
    assert x is seen["model.embed_tokens"][1] and seen[at + "self_attn"][0] is seen[at + "input_layernorm"][1]
    assert torch.equal(seen[at + "post_attention_layernorm"][0], x + attended)
    assert seen[at + "mlp"][0] is seen[at + "post_attention_layernorm"][1]
    assert torch.equal(seen["lm_head"][0], seen["model.norm"][1]) and attended is seen[at + "self_attn.o_proj"][1]


@pytest.mark.parametrize("family", ["olmo2", "gemma2"])
def test_the_same_name_means_something_else_elsewhere(family):
    seen, at = inputs_and_outputs(model(family, num_hidden_layers=1)), "model.layers.0."
    assert seen[at + "post_attention_layernorm"][0] is seen[at + "self_attn"][1]


def finds(fault: str, monkeypatch, tokens=16, unit_norms=False, kv_heads=2) -> bool:
    """Whether comparing with the reference, in this way, finds a mistake."""
    logits = []
    for faulty in (False, True):
        made = model("llama", num_key_value_heads=kv_heads)
        for name, weight in made.named_parameters():
            if unit_norms and "norm" in name:
                nn.init.ones_(weight)
        with monkeypatch.context() as patch, torch.no_grad():
            if faulty and fault == "norms_swapped":
                for layer in made.model.layers:
                    norms = layer.post_attention_layernorm, layer.input_layernorm
                    layer.input_layernorm, layer.post_attention_layernorm = norms
            elif faulty:
                wrong = {"rope": ("apply_rotary_pos_emb", interleaved), "heads": ("repeat_kv", tiled)}
                patch.setattr(modeling_llama, *wrong[fault])
            logits.append(made(ids(tokens)).logits)
    return not torch.allclose(*logits, rtol=3e-5, atol=3e-5 * logits[0].square().mean().sqrt().item())


def test_blind_choices_are_blind_and_the_others_see(monkeypatch):
    sees = partial(finds, monkeypatch=monkeypatch)
    blind = {
        "unit_norms": not sees("norms_swapped", unit_norms=True),
        "one_token": not sees("rope", tokens=1),
        "equal_heads": not sees("heads", kv_heads=4),
    }
    all_found = all(sees(fault) for fault in ("norms_swapped", "rope", "heads"))  # random, float32, 16 tokens
    blind |= dict.fromkeys(("random_weights", "float32", "short_text"), not all_found)
    assert blind == {o.id: o.correct for o in QUESTIONS["a_test_that_sees_nothing"].options}


def test_two_right_forms_fail_a_relative_tolerance():
    torch.manual_seed(0)
    x, layer = torch.randn(512, 256), nn.Linear(256, 512, bias=False)
    with torch.no_grad():
        theirs = (x.double() @ layer.weight.double().T).float()
        mine = sum(x[:, i, None] * layer.weight[:, i] for i in range(256))  # in order, on any machine
    rms = theirs.square().mean().sqrt()
    off = (mine - theirs).abs() > 1e-5 * theirs.abs()
    assert 1e-3 < off.float().mean() < 5e-2 and theirs[off].abs().max() < 0.3 * rms
    assert (mine - theirs).abs().max() < 9e-6 * rms
    torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-5 * rms.item())
    assert ((mine - theirs).abs() / theirs.abs()).max() > 5e-3  # what rtol alone would have to be
