"""Shuffling changes places, never a grade; the same seed is the same question; marking is exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.engine import Unreadable, grade, solution, vary
from quiz.engine.numeric import close, parse
from quiz.formula import show
from quiz.schema import Tolerance
from tests.quiz.make import choice, numeric, untimed

SEEDS = st.integers(0, 2**32)


@st.composite
def choices(draw):
    right = draw(st.lists(st.booleans(), min_size=3, max_size=8).filter(lambda flags: len(set(flags)) == 2))
    pinned = draw(st.lists(st.booleans(), min_size=len(right), max_size=len(right)))
    return choice(right, pinned)


@st.composite
def answered(draw):
    question = draw(choices())
    ids = [o.id for o in question.options]
    return question, draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))


@untimed
@given(answered(), SEEDS, SEEDS)
def test_shuffling_never_changes_a_grade(case, one, other):
    question, answer = case
    first, second = grade(vary(question, one), answer), grade(vary(question, other), answer)
    assert (first.right, first.verdict) == (second.right, second.verdict)
    assert sorted(first.feedback) == sorted(second.feedback)
    assert set(first.misconceptions) == set(second.misconceptions)


@untimed
@given(answered(), SEEDS)
def test_right_means_exactly_the_right_options(case, seed):
    question, answer = case
    right = {o.id for o in question.options if o.correct}
    result = grade(vary(question, seed), answer)
    assert result.right == (set(answer) == right)
    assert set(result.misconceptions) == set(answer) - right


@untimed
@given(choices(), SEEDS)
def test_a_variant_holds_every_option_once_and_pinned_ones_stay(question, seed):
    shown = vary(question, seed).options
    assert sorted(o.id for o in shown) == sorted(o.id for o in question.options)
    assert all(shown[i] is o for i, o in enumerate(question.options) if o.pinned)


@untimed
@given(st.one_of(choices(), st.just(numeric())), SEEDS)
def test_the_same_seed_gives_the_same_variant_and_its_solution_is_right(question, seed):
    variant = vary(question, seed)
    assert variant == vary(question, seed)
    assert grade(variant, solution(variant)).right


def test_the_right_option_takes_every_place_about_as_often():
    question = choice([True, False, False, False], type="single")
    places = [[o.id for o in vary(question, seed).options].index("o0") for seed in range(1000)]
    assert all(200 < places.count(place) < 300 for place in range(4))


def test_seeds_draw_all_values():
    assert {tuple(vary(numeric(), seed).values.values()) for seed in range(200)} == {
        (a, b) for a in (3, 5, 7) for b in (11, 13)
    }


@untimed
@given(st.integers(-(10**12), 10**12))
def test_numbers_are_read_as_people_write_them(number):
    for written in (str(number), f"{number:,}", f" {number:_} ", f"{number:,}".replace(",", " "), f"{number}.0"):
        assert parse(written) == number
    assert parse(show(number)) == number


@pytest.mark.parametrize("text", ["", "many", "nan", "inf", "1,5", "0,500", "1,23,4", "2 * 3", "__import__('os')"])
def test_what_is_not_a_number_is_asked_for_again(text):
    with pytest.raises(Unreadable, match="Type one number"):
        parse(text)


@untimed
@given(st.floats(1e-3, 1e6), st.floats(0, 0.1), st.floats(0, 1), st.floats(-2, 2))
def test_tolerance_is_the_larger_of_the_two(key, rel, absolute, part):
    allowed = max(rel * key, absolute)
    value = key + part * allowed
    if abs(abs(part) - 1) > 1e-6 and allowed > 1e-6:
        assert close(value, key, Tolerance(rel=rel, abs=absolute)) == (abs(part) < 1)


def test_a_number_near_a_trap_gets_the_traps_feedback():
    variant = vary(numeric(), 1)
    a, b = variant.values["a"], variant.values["b"]
    caught = grade(variant, str(a + b))
    assert (caught.right, caught.feedback, caught.misconceptions) == (False, (f"You added {a}.",), ("sum",))
    assert grade(variant, str(a * b + 1)).verdict == f"Not yet: {a * b + 1} is too large."
    assert grade(variant, str(a * b + 0.4)).right


@pytest.mark.parametrize(("answer", "message"), [([], "Choose an answer"), (["o0", "o1"], "one answer only")])
def test_an_answer_that_says_nothing_is_asked_for_again(answer, message):
    with pytest.raises(Unreadable, match=message):
        grade(vary(choice([True, False, False], type="single"), 0), answer)


def test_multi_says_how_many_and_not_which():
    variant = vary(choice([True, True, False]), 0)
    assert grade(variant, ["o0", "o2"]).verdict == "Not yet: 1 ticked wrongly, 1 missing."
    assert grade(variant, ["o0"]).verdict == "Not yet: 1 missing."
    assert grade(variant, ["o0"]).feedback == ()
