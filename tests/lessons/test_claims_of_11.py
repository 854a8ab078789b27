"""Lesson 11: what its text says about the note's claims, and about the families, is what its code observes."""

import dataclasses

import pytest
import torch

from grader import answers
from grader.student.check import check
from lessons.support import hf_layers
from lessons.support.claims import read_claims
from lessons.support.families import FAMILIES, GivenBlock, described, soft_cap
from lessons.support.family_names import NORMS, ours
from lessons.support.family_table import OBSERVED, observe
from lessons.support.relatives import clamped_swiglu, llama31_frequencies, route

EXPLODE = "well-behaved, so activations don't explode"
OF_11 = {
    ("RMSNorm (scales root-mean-square only)", "families with RMSNorm"): "not here: less",
    ("Pre-Norm", "families with the norm at the entrance, and only there"): "not here: less",
    ("Pre-Norm", "OLMo 2 with its norms at the entrance: share of the result that is wrong"): "not here: more",
    ("SwiGLU", "families with a SiLU gate"): "not here: less",
    (
        "SwiGLU (Llama-3, Qwen, Gemma)",
        "SiLU for Gemma 2's GELU: share of the result that is wrong",
    ): "not here: more",
    ("an unobstructed identity path", "silent sublayers: largest change of the stream"): "holds here",
    (EXPLODE, "norm at the entrance, matrices 256 times as large: growth of the stream"): "not here: more",
    (EXPLODE, "norm at the exit, matrices 256 times as large: growth of the stream"): "holds here",
}


@pytest.mark.slow
def test_lesson_11(solved):
    notebook = solved("11_model_families")
    rows = read_claims(notebook)
    assert {(row["says"], row["compared"]): row["verdict"] for row in rows} == OF_11
    assert next(row["measured"] for row in rows if "OLMo 2" in row["compared"]) > 50  # the written answer says so
    text = "\n".join(o["text"] for cell in notebook.cells for o in cell.get("outputs", []) if "text" in o)
    assert all(f"{name:8} (yours)" in text for name in ("llama3", "qwen3", "olmo2"))


def test_the_table_says_what_the_text_says():
    table = {name: observe(*how) for name, how in OBSERVED.items()}
    assert {name for name, row in table.items() if not row["norm"].startswith("RMSNorm")} == {"OLMo"}
    assert {name for name, row in table.items() if "no gate" in row["ffn"]} == {"nanochat"}
    assert {name for name, row in table.items() if row["place"] == "both sides"} == {"Gemma 2", "Gemma 3", "GLM-4"}
    assert {name for name, row in table.items() if row["place"] == "exit"} == {"OLMo 2"}
    assert {name: row["qk_norm"] for name, row in table.items() if row["qk_norm"] != "–"} == {
        "Qwen3": "each head, before RoPE",
        "Gemma 3": "each head, before RoPE",
        "OLMo 2": "full width, before RoPE",
        "DeepSeek-V3": "on latents",
        "nanochat": "each head, after RoPE",
    }


def test_the_experiments_own_block_is_no_answer():
    verdict = check("family_block", 0, {"family_block": lambda f, config: GivenBlock(FAMILIES[f], config)})
    assert verdict.score == 0 and "shown_step" in verdict.checks[0].message


def test_every_family_costs_its_own_points_only():
    """Weights that do not fit in one family leave the points of another."""
    right = answers.of("family_block").reference

    def no_olmo(family, config):
        return right("llama3" if family == "olmo2" else family, config)

    verdict = check("family_block", 0, {"family_block": no_olmo})
    assert {c.name: c.passed for c in verdict.checks}.items() >= {"llama3": True, "qwen3": True, "olmo2": False}.items()
    assert "`attn.q_norm.weight` is missing" in next(c.message for c in verdict.checks if c.name == "olmo2")


def test_one_name_stands_for_two_things():
    weights = {"post_attention_layernorm.weight": torch.ones(3), "self_attn.q_proj.weight": torch.ones(3, 3)}
    assert set(ours("llama3", weights)) == {"ffn_norm.weight", "attn.q_proj.weight"}
    assert set(ours("olmo2", weights)) == {"attn_norm.weight", "attn.q_proj.weight"}
    with pytest.raises(KeyError):
        ours("llama3", {"pre_feedforward_layernorm.weight": torch.ones(3)})
    assert set(FAMILIES) <= set(NORMS)


def test_rows_are_told_in_words():
    assert described(FAMILIES["llama3"]) == "as the defaults say"
    assert described(FAMILIES["qwen3"]) == "qk_norm: 'each head'"
    assert "gelu(approximate='tanh')" in described(FAMILIES["gemma2"])
    assert all(dataclasses.is_dataclass(family) for family in FAMILIES.values())


def test_without_the_library_one_sentence_says_so(monkeypatch):
    monkeypatch.setattr(hf_layers.importlib.util, "find_spec", lambda name: None)
    assert hf_layers.missing().count(".") == 1 and "not installed" in hf_layers.missing()
    monkeypatch.undo()
    assert hf_layers.missing() == ""


def test_relatives_have_the_limits_that_the_text_names():
    z = torch.linspace(-600, 600, 2401)
    everywhere = clamped_swiglu(*torch.meshgrid(z, z, indexing="ij"))
    assert everywhere.max().round() == 56 and everywhere.min().round() == -42
    assert soft_cap(torch.tensor(1e4), 50.0) <= 50
    weights, experts = route(torch.randn(9, 5), torch.randn(8, 5), 2)
    assert torch.allclose(weights.sum(-1), torch.ones(9)) and (experts[:, 0] != experts[:, 1]).all()
    plain = 500000.0 ** (-torch.arange(64) / 64)
    slowed = plain / llama31_frequencies(plain)
    assert slowed[0] == 1 and slowed[-1] == 8 and (slowed.diff() >= 0).all()
