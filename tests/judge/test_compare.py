"""When two outputs are the same: within tolerances and, where rounding is the subject, nearly all bit for bit."""

import torch

from grader.judge.compare import difference, equal, unequal_share
from grader.probe import Case

TOLERANT = Case("c", "a case", {}, rtol=1.6e-2, atol=8e-3)
STRICT = Case("c", "a case", {}, rtol=1.6e-2, atol=8e-3, unequal=0.01)
EXACT = torch.linspace(1, 2, 1000, dtype=torch.float64)


def off_by_one_unit(share: float) -> torch.Tensor:
    """The exact answer in bfloat16, the first numbers of it one unit in the last place too large."""
    rounded = EXACT.bfloat16()
    rounded[: int(share * 1000)] *= 1.0078125
    return rounded


def test_without_a_share_only_the_tolerances_count():
    assert difference(off_by_one_unit(0.5), EXACT, TOLERANT) is None
    assert equal(off_by_one_unit(0.5), EXACT, TOLERANT)


def test_a_share_counts_numbers_that_are_not_the_rounded_answer():
    assert unequal_share(off_by_one_unit(0.0), EXACT) == 0
    assert unequal_share(off_by_one_unit(0.35), EXACT) == 0.35
    assert difference(off_by_one_unit(0.01), EXACT, STRICT) is None
    found = difference(off_by_one_unit(0.35), EXACT, STRICT)
    assert found.startswith("35% of the numbers are not the exact answer rounded to bfloat16 once")
    assert not equal(off_by_one_unit(0.35), EXACT, STRICT)


def test_diagnosis_compares_two_records_by_the_same_rule():
    assert equal(off_by_one_unit(0.35), off_by_one_unit(0.355), STRICT)
    assert not equal(off_by_one_unit(0.35), off_by_one_unit(0.5), STRICT)


def test_nan_and_empty():
    nan = torch.full((3,), torch.nan)
    assert unequal_share(nan, nan.double()) == 0 and unequal_share(torch.ones(0), torch.ones(0)) == 0
    assert difference(torch.ones(0), torch.ones(0), STRICT) is None


def test_a_gross_error_is_reported_as_one():
    assert difference(EXACT.bfloat16() * 2, EXACT, STRICT).startswith(
        "expected 1.997 at [996], got 4 (2.003 times that)"
    )
