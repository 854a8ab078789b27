"""Lesson 06: what its text says about the note's claims is what its runs measure, with room for other seeds' luck."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow

NO_NEED, NEEDS = "pre-norm completely eliminates the need for warm-up", "post-norm needs warm-up"
EXPECTED = {
    (NO_NEED, "pre-norm without it survives, at 0.002 and 0.006"): "holds here",
    (NO_NEED, "pre-norm: saved by it at 0.04"): "not here: more",
    (NEEDS, "post-norm: saved by it at 0.002"): "not here: less",
    (NEEDS, "post-norm: saved by it at 0.006"): "holds here",
    (NEEDS, "post-norm without it survives at 0.006, small start"): "not here: more",
    (
        "warm-up is there to avoid early gradient explosion",
        "Adam's first step, gradients 1000 × larger",
    ): "not here: less",
}


def test_the_text_agrees_with_what_was_measured(solved):
    rows = read_claims(solved("06_warmup"))
    assert {(row["says"], row["compared"]): row["verdict"] for row in rows} == EXPECTED
    measured = {row["compared"]: row["measured"] for row in rows}
    assert measured["pre-norm: saved by it at 0.04"] > 0.15  # "clearly lower", in the written answer
    assert measured["post-norm: saved by it at 0.006"] > 0.2
    assert measured["Adam's first step, gradients 1000 × larger"] == pytest.approx(1, rel=0.01)
