"""Formulas are arithmetic, and only that."""

import pytest

from quiz.errors import QuizError
from quiz.formula import evaluate, fill, names, show

ATTACKS = ["__import__('os').getcwd()", "().__class__", "open('x')", "9**9**9**9", "'a' * 10**9", "[1, 2]", "a.real"]


@pytest.mark.parametrize("formula", [*ATTACKS, "1/0", "sqrt(0 - 1)", "b", "a +", "1 == 1", "exp(1000)"])
def test_anything_else_is_refused_in_words(formula):
    with pytest.raises(QuizError, match="has no value"):
        evaluate(formula, {"a": 2})


def test_arithmetic_works():
    assert evaluate("(2 * a + 1) * sqrt(b)", {"a": 3, "b": 16}) == 28
    assert names("(2 * layers + 1) * sqrt(dim)") == {"layers", "sqrt", "dim"}


def test_placeholders_are_filled_in_and_tex_is_left_alone():
    assert fill(r"$\frac{x}{{{ n }}}$ and {{ n * 1000 }}", {"n": 12}) == r"$\frac{x}{12}$ and 12,000"


@pytest.mark.parametrize(("value", "text"), [(266240, "266,240"), (8192, "8192"), (6 / 7, "0.857143"), (2.0, "2")])
def test_numbers_are_shown_as_people_write_them(value, text):
    assert show(value) == text
