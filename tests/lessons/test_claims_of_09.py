"""Lesson 09: what its text says is what its experiments measure; its module's check names the place of a fault."""

import pytest

from grader import answers
from grader.student.check import check
from lessons.support.claims import read_claims

EXPECTED = {
    "Attention mixes information across tokens": "holds here",
    "the FFN processes each token independently": "holds here",
    "[1], not the note: no reading ahead": "holds here",
    "[2], not the note: distance alone counts": "holds here",
    "[2], not the note: decay with distance": "not here: more",
    "[4], not the note: H/KV times less to keep": "holds here",
}
# The first check that each of these fails; one of many faults in each place.
PLACES = {
    "o_proj_of_kv_width": "output",
    "biases_on_qkv": "parameters",
    "output_unused": "shape",
    "residual": "output",
    "heads_tiled": "kv heads",
    "values_tiled": "kv heads",
    "rope_on_values": "v unturned",
    "one_too_far": "mask",
    "mask_after_softmax": "mask",
    "values_cut_by_reshape": "heads",
    "joined_by_reshape": "heads",
    "no_scale": "scale",
    "scaled_by_derived_size": "scale",
    "scaled_without_root": "scale",
    "keys_tiled": "scores",
    "first_kv_head": "kv heads",
    "no_rope": "rope",
    "rope_before_cutting": "rope",
    "masked_by_position": "mask",
    "softmax_over_queries": "mask",
    "repeated_along_sequence": "heads",
    "interleaved": "rope",
    "rope_on_queries": "rope",
    "counts_itself": "rope",
    "theta_hard_coded": "rope",
    "positions_in_half": "whole",
    "frequencies_in_a_buffer": "whole",
    "weights_detached": "gradients",
}


@pytest.mark.parametrize(("key", "place"), PLACES.items())
def test_the_first_check_that_fails_names_the_place(key, place):
    (mistake,) = [m for m in answers.of("attention_module").mistakes if m.key == key]
    for seed in range(3):
        verdict = check("attention_module", seed, {"Attention": mistake.implementation})
        assert next(result.name for result in verdict.checks if not result.passed) == place


@pytest.mark.slow
def test_the_text_agrees_with_what_was_measured(solved):
    rows = read_claims(solved("09_attention"))
    assert {row["says"]: row["verdict"] for row in rows} == EXPECTED


@pytest.mark.slow
def test_a_leak_makes_the_loss_small_and_the_model_worthless(solved):
    printed = "".join(o.get("text", "") for cell in solved("09_attention").cells for o in cell.get("outputs", []))
    lines = {name.strip(): rest for name, _, rest in (line.partition(":") for line in printed.splitlines())}
    honest = float(lines["trained with the right mask"])
    assert float(lines["trained with the leak, measured with it"]) < 0.3 * honest
    assert float(lines["trained with the leak, the leak closed"]) > 1.5 * honest  # "far above", in the written answer
    assert float(lines["trained with the leak, the leak closed"]) > float(lines["guessing among 96 characters"])
    assert "your exercise 4     0.0000  does not leak" in printed
    assert "The score is largest at distance 50." in printed
