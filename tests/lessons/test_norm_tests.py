"""Lesson 13's wrong norms and the tests that look for them; and what the lesson says of its table."""

import pytest

from lessons.support import norm_tests
from lessons.support.claims import HEADINGS, Claim, ClaimTable


def test_a_right_norm_is_found_by_no_test():
    assert not any(norm_tests.found_by(norm_tests.right).values())


@pytest.mark.parametrize("fault", norm_tests.FAULTS)
def test_every_wrong_norm_is_found_by_some_test(fault):
    assert any(norm_tests.found_by(norm_tests.FAULTS[fault]).values())


def test_what_the_lesson_tells_of_the_tests():
    found = {fault: norm_tests.found_by(norm) for fault, norm in norm_tests.FAULTS.items()}
    tests = list(norm_tests.found_by(norm_tests.right))
    assert len(found) == len(tests) == 9
    first = [fault for fault, by in found.items() if by[tests[0]]]
    assert first == ["mean subtracted", "length, not root mean square"]
    assert len({tuple(by.values()) for by in found.values()}) >= 7, "the tests tell most of the versions apart, too"


def test_a_table_of_claims_may_be_somebody_elses():
    claim = Claim("It is so", "seen", 1, 1)
    assert "It is said" in ClaimTable(claim, who="It is said")._repr_html_()
    assert HEADINGS[0] in ClaimTable(claim)._repr_html_()
