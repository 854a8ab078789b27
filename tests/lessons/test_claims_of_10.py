"""Lesson 10: what its text says is what its experiments measure; its fallback steps in for what does not work."""

import pytest
import torch
from torch import nn

from grader.exercises.lesson_10_decoder.count_params import LLAMA_3_2_1B, LLAMA_3_8B, SMOLLM2_135M
from lessons.support.claims import read_claims
from lessons.support.decoder import given_block, given_decoder, own_or_given, start_small
from lessons.support.faults import CONFIG, FAULTS, logits_off

UPGRADES, SUBTLE = "three upgrades inside the block", "each layer just adds subtle refinements"
EXPECTED = {
    ("x ← x + Sublayer(Norm(x))", "the decoder and Hugging Face's Llama: logits differ by"): "holds here",
    (UPGRADES, "the same, without RoPE"): "not here: more",
    (UPGRADES, "the same, without the final norm"): "not here: more",
    ("an unbroken highway lane", "change of the stream by silent blocks"): "holds here",
    (SUBTLE, "first block's addition over the stream"): "not here: more",
    ("(~radius 1.0)", "size of the stream before the final norm"): "not here: more",
}


@pytest.mark.slow
def test_the_text_agrees_with_what_was_measured(solved):
    notebook = solved("10_decoder")
    rows = {(row["says"], row["compared"]): row for row in read_claims(notebook)}
    assert {key: rows[key]["verdict"] for key in EXPECTED} == EXPECTED
    assert rows[SUBTLE, "first block's addition over the stream"]["measured"] > 3  # "many times as long"
    printed = "".join(
        o["text"] for cell in notebook.cells for o in cell.get("outputs", []) if o.get("name") == "stdout"
    )
    assert printed.count("logits agree for 5 of 5 seeds") == 2 and printed.count("for 5 of 5\n") == 2
    assert "the same, bit for bit" in printed and "The same tokens: yes." in printed
    shown = "".join(o.get("data", {}).get("text/plain", "") for cell in notebook.cells for o in cell.get("outputs", []))
    assert "it is below the bigram guess" in shown and "every further block helps" in shown


def test_random_weights_show_every_fault_and_fresh_ones_hide_exchanged_norms():
    random, fresh = ({name: logits_off(f, kind) for name, f in FAULTS.items()} for kind in ("random", "fresh"))
    right = random.pop("nothing: float64")[0]
    assert right < 3e-5 < min(off for off, _ in random.values())
    assert fresh["two norms of a block exchanged"] == (0.0, 1.0)
    assert random["two norms of a block exchanged"][0] > 1  # the written answer: "by more than their own size"
    assert random["eps 1e-6 for 1e-5"][1] == 1  # a token is a coarse measure


def test_the_released_models_have_the_parameters_that_are_published():
    counts = {LLAMA_3_8B: 8_030_261_248, SMOLLM2_135M: 134_515_008, LLAMA_3_2_1B: 1_235_814_400}
    for config, wanted in counts.items():
        with torch.device("meta"):
            assert sum(p.numel() for p in given_decoder(config).parameters()) == wanted


def test_a_small_start_is_the_same_for_the_same_seed_and_smaller_where_it_writes_to_the_stream():
    one, two = (start_small(given_decoder(CONFIG), 0).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], two[name]) for name in one)
    writes, reads = one["layers.0.ffn.down_proj.weight"], one["layers.0.ffn.up_proj.weight"]
    assert writes.std() / reads.std() == pytest.approx(6**-0.5, rel=0.1)


class Unsolved(nn.Module):
    def __init__(self, config):
        raise NotImplementedError


class Broken(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = given_block(config)


def without_final_norm(config):
    model = given_decoder(config)
    model.norm.forward = lambda x: x
    return model


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        (Unsolved, "yours is not written yet"),
        (Broken, "yours raises"),
        (without_final_norm, "yours gives other logits (not tied)"),
    ],
)
def test_experiments_fall_back_on_the_given_decoder_and_say_why(own, sentence, capsys):
    assert own_or_given(own) is given_decoder
    assert sentence in capsys.readouterr().out


def test_a_decoder_that_works_is_used(capsys):
    assert own_or_given(given_decoder) is given_decoder
    assert capsys.readouterr().out == "The experiments use your own Decoder.\n"
