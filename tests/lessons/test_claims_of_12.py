"""Lesson 12: what its text says about the note's claims, as far as no clock decides."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow


def test_lesson_12(solved):
    rows = {(row["says"], row["compared"]): row for row in read_claims(solved("12_speed"))}
    centring = rows["centring costs extra GPU memory reads/writes", "built-in LayerNorm: bytes above the least"]
    assert centring["verdict"] == "not here: less"
    share = rows["better accuracy per FLOP: a FLOP is what is paid", "SwiGLU's pointwise part: share of the time"]
    assert 0 < share["claimed"] < 0.5  # the text: hardly any FLOPs. The time is shown, not judged
    assert sum(says == "RMSNorm is ~15-30 % faster" for says, _ in rows) == 5
