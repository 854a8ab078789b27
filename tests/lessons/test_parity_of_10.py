"""Lesson 10: its decoders are Hugging Face's Llama, logits and greedy text, and read the same folders."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import jupytext
import pytest
import torch
from transformers import AutoConfig, LlamaForCausalLM

from grader import answers
from grader.paths import find_course
from lessons.support.decoder import copy_weights, given_decoder
from lessons.support.hf_names import our_name, their_name, to_ours, to_theirs
from lessons.support.hugging_face import missing_transformers, our_config, random_llama, read_folder
from lessons.support.kv_cache import greedy, sampled
from lessons.support.llama import DecoderConfig
from lessons.support.threads import one_thread

SOURCE = find_course(Path(__file__).parent).source("10_decoder")
SHAPES = [  # fewer key-value heads than query heads, a head_dim of its own, eps and theta that are nobody's default
    DecoderConfig(61, 24, 3, 6, 2, 10, 40, norm_eps=1e-2, rope_theta=500.0),
    DecoderConfig(37, 20, 2, 4, 1, 6, 28, norm_eps=1e-3, rope_theta=50.0),
    DecoderConfig(97, 16, 4, 8, 4, 2, 36, norm_eps=3e-6, rope_theta=1e6),
]
DECODERS = {"given": given_decoder, "reference": answers.of("decoder").reference}
SEEDS = range(5)


@pytest.fixture(autouse=True)
def small_models_on_one_thread():
    with one_thread():
        yield


@pytest.mark.parametrize("make", DECODERS.values(), ids=DECODERS)
@pytest.mark.parametrize("tied", [False, True], ids=["untied", "tied"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda c: f"dim {c.dim}")
def test_logits_and_greedy_text_are_those_of_transformers(make, shape, tied):
    config = replace(shape, tie_embeddings=tied)
    for seed in SEEDS:
        theirs = random_llama(config, seed)
        ids = torch.randint(config.vocab_size, (3, 11), generator=torch.Generator().manual_seed(seed))
        mine = copy_weights(make(config), to_ours(theirs.state_dict())).eval()
        with torch.no_grad():
            wanted = theirs(ids).logits
            torch.testing.assert_close(mine(ids), wanted, rtol=3e-5, atol=3e-5 * wanted.square().mean().sqrt().item())
        text = theirs.generate(ids, max_new_tokens=12, do_sample=False)
        assert torch.equal(greedy(mine, ids, 12)[0], text)
        assert torch.equal(greedy(mine, ids, 12, cached=True)[0], text)
        assert sum(p.numel() for p in mine.parameters()) == sum(p.numel() for p in theirs.parameters())


def test_what_is_compared_is_random_throughout():
    theirs = random_llama(SHAPES[0], 0)
    assert all(weight.std() > 0.05 for weight in theirs.parameters())


@pytest.mark.parametrize("tied", [False, True])
def test_the_map_of_names_leads_there_and_back(tied):
    config = replace(SHAPES[0], tie_embeddings=tied)
    ours, theirs = given_decoder(config).state_dict(), random_llama(config, 0).state_dict()
    assert {their_name(name) for name in ours} == set(theirs)
    assert [our_name(their_name(name)) for name in ours] == list(ours)
    assert to_theirs(to_ours(theirs)).keys() == theirs.keys()
    assert not to_ours({"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(2)})


def test_weights_that_do_not_fit_are_named():
    state = given_decoder(SHAPES[0]).state_dict()
    del state["layers.1.ffn_norm.weight"]
    with pytest.raises(ValueError, match=r"Missing: \['layers.1.ffn_norm.weight'\]"):
        copy_weights(given_decoder(SHAPES[0]), state)


def save(folder, config):
    """A Llama as Hugging Face saves it, with a tokenizer of single bytes."""
    theirs = random_llama(config, 0)
    theirs.save_pretrained(folder)
    vocab = {"Ġ": 0} | {chr(code): code - 32 for code in range(33, 32 + config.vocab_size)}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    tokenizer = {"version": "1.0", "added_tokens": [], "normalizer": None, "truncation": None, "padding": None}
    tokenizer |= {"pre_tokenizer": byte_level, "post_processor": None, "decoder": byte_level}
    tokenizer["model"] = {"type": "BPE", "vocab": vocab, "merges": []}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    return theirs


@pytest.mark.parametrize("tied", [False, True])
def test_a_folder_of_hugging_face_is_read(tmp_path, tied):
    config = replace(SHAPES[0], vocab_size=95, tie_embeddings=tied)
    theirs, ids = save(tmp_path, config), torch.arange(24).view(2, 12)
    found, weights = read_folder(tmp_path)
    mine = copy_weights(given_decoder(found), to_ours(weights))
    assert found == config and ("lm_head.weight" in weights) != tied
    assert torch.equal(greedy(mine, ids, 8)[0], theirs.generate(ids, max_new_tokens=8, do_sample=False))


def test_the_lessons_optional_cell_gives_the_same_text(tmp_path, capsys):
    save(tmp_path, replace(SHAPES[0], vocab_size=95, tie_embeddings=True))
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in jupytext.read(SOURCE).cells}
    (optional,) = [c.source for c in jupytext.read(SOURCE).cells if 'real_folder = ""' in c.source]
    names = {}
    exec(cells["setup"] + "\nModel = given_decoder\n" + optional, names)
    assert capsys.readouterr().out == "No folder is named: left out.\n"
    exec(optional.replace('real_folder = ""', f"real_folder = {str(tmp_path)!r}"), names)
    out = capsys.readouterr()
    assert "The same 20 tokens as transformers: yes." in out.out and "The residual stream is" in out.out
    assert out.err == ""


def test_a_folder_without_a_model_and_another_kind_of_model_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        read_folder(tmp_path)
    other = AutoConfig.for_model("qwen3")
    with pytest.raises(ValueError, match="model of type 'qwen3'"):
        our_config(other)
    scaled = random_llama(SHAPES[0], 0).config
    scaled.rope_parameters = {"rope_type": "llama3", "rope_theta": 5e5}
    with pytest.raises(ValueError, match="RoPE of type 'llama3'"):
        our_config(scaled)


def test_without_transformers_there_is_a_sentence(monkeypatch):
    assert missing_transformers() == ""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install transformers" in missing_transformers()


def test_a_cache_is_taken_away_again_and_samples_are_repeatable():
    model, ids = (
        copy_weights(given_decoder(SHAPES[1]), to_ours(random_llama(SHAPES[1], 0).state_dict())),
        torch.ones(1, 5),
    )
    draw = partial(sampled, model, ids.long(), 9, 0.8)
    assert torch.equal(draw(0), draw(0)) and not torch.equal(draw(0), draw(1))
    assert all("forward" not in vars(module) for module in model.modules())


def test_the_reference_is_a_llama_of_transformers_type():
    assert isinstance(random_llama(SHAPES[0], 0), LlamaForCausalLM)
