"""Lesson 02: what its text says about the note's claims is what its experiments measure."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow

EXPECTED = {
    "largest mean of a row of y": "holds here",
    "variance of a row of y": "holds here",
    "share it removes on the trained stream": "holds here",
    "share it removes behind the ReLU": "not here: more",
    "loss when switched off on the stream": "holds here",
    "loss when switched off behind the ReLU": "not here: more",
    "loss when trained without it": "holds here",
}


def test_the_text_agrees_with_what_was_measured(solved):
    rows = read_claims(solved("02_layer_norm"))
    assert {row["compared"]: row["verdict"] for row in rows} == EXPECTED
    measured = {row["compared"]: row["measured"] for row in rows}
    assert 15 < measured["share it removes behind the ReLU"] < 40  # "about a quarter"
    assert abs(measured["loss when switched off on the stream"]) < 0.01  # "nothing happens"
