"""Lesson 01: what its text says about the note's claims is what its experiments measure."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow

VANISH, EXPLODE = "without a shortcut gradients vanish", "the identity path avoids gradient explosion"
SUBTLE = "each layer just adds subtle refinements"
EXPECTED = {
    (VANISH, "gradient at x₀ without x +, gain 0.5"): "holds here",
    (VANISH, "gradient at x₀ without x +, gain 1"): "not here: more",
    (VANISH, "gradient at x₀ without x +, gain 2"): "not here: more",
    ("an unbroken lane straight to layer 1", "gradient at x₀ with x +, at its weakest gain"): "holds here",
    (EXPLODE, "gradient at x₀ with x +, gain 0.5"): "holds here",
    (EXPLODE, "gradient at x₀ with x +, gain 2"): "not here: more",
    ("∂x_L/∂x₀ = I + Σ ∂f_l/∂x₀", "difference to the product, at the worst of all gains and seeds"): "holds here",
    (SUBTLE, "first branch, with 1/√inputs"): "not here: more",
    (SUBTLE, "first branch, with 1/√inputs, scaled"): "holds here",
}


def test_the_text_agrees_with_what_was_measured(solved):
    rows = read_claims(solved("01_residual_stream"))
    assert {(row["says"], row["compared"]): row["verdict"] for row in rows} == EXPECTED
    measured = {row["compared"]: row["measured"] for row in rows}
    assert measured["gradient at x₀ without x +, gain 0.5"] < 1e-4  # "thoroughly"
    assert measured["gradient at x₀ without x +, gain 2"] > 1000  # in percent: exploded by the lesson's own bar
    assert measured["gradient at x₀ with x +, gain 2"] > 50  # "more than a hundredfold", with room for the seeds
