"""Shuffling changes places, never a grade; the same seed is the same question; marking is exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.engine import Unreadable, grade, solution, vary
from quiz.engine.numeric import close, parse
from quiz.formula import show
from quiz.schema import Tolerance
from tests.quiz.make import choice, match, numeric, order, short, untimed, whole

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


@st.composite
def orders(draw):
    question = order(draw(st.integers(3, 6)))
    return question, draw(st.permutations([s.id for s in question.steps]))


@st.composite
def matches(draw):
    question = match(draw(st.integers(2, 5)), draw(st.integers(2, 5)))
    targets = st.sampled_from([t.id for t in question.targets])
    pairs = [f"{i.id}={draw(targets)}" for i in question.items]
    return question, draw(st.permutations(pairs))


# Of every type, each without more than one value a parameter: another value is another question.
ONE_OF_SIX = st.one_of(
    answered(),
    st.tuples(st.just(choice([True, False, False], type="single")), st.sampled_from([["o0"], ["o1"], ["o2"]])),
    st.tuples(st.just(numeric(params={"a": [3], "b": [11]})), st.integers(0, 40).map(str)),
    orders(),
    matches(),
    st.tuples(st.just(short()), st.sampled_from(["mean", "The Mean.", "sum", "median", "AVERAGE"])),
)


@untimed
@given(ONE_OF_SIX, SEEDS, SEEDS)
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
@given(st.one_of(choices(), ONE_OF_SIX.map(lambda case: case[0]), st.sampled_from(whole().questions)), SEEDS)
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


@untimed
@given(orders(), SEEDS)
def test_an_order_is_right_when_each_step_is_in_its_place_and_is_never_shown_right(case, seed):
    question, answer = case
    variant = vary(question, seed)
    assert [s.id for s in variant.options] != solution(variant)
    assert sorted(s.id for s in variant.options) == sorted(solution(variant))
    result = grade(variant, answer)
    assert result.right == (answer == solution(variant))
    assert ("s1_before_s0" in result.misconceptions) == (answer.index("s1") < answer.index("s0"))


@untimed
@given(matches(), SEEDS)
def test_a_match_is_right_when_each_item_has_its_target(case, seed):
    question, answer = case
    variant = vary(question, seed)
    result = grade(variant, answer)
    assert result.right == (set(answer) == set(solution(variant)))
    assert set(result.misconceptions) == {c.id for c in question.confusions} & (set(answer) - set(solution(variant)))


# `order` and `match` want everything placed once; what is not of the question says nothing.
SAYS_NOTHING = {
    "a step is missing": (order(3), ["s0", "s1"], "Give every step a place: 1 left"),
    "a step twice": (order(3), ["s0", "s1", "s1"], "Each step has one place"),
    "no such step": (order(3), ["s0", "s1", "s9"], "no step s9"),
    "an item is missing": (match(), ["i0=t0"], "Match every line: 2 left"),
    "an item twice": (match(), ["i0=t0", "i0=t1", "i1=t1", "i2=t2"], "Each item has one match"),
    "no such target": (match(), ["i0=t9", "i1=t1", "i2=t2"], "no such item or match"),
    "no text": (short(), "  ", "Type an answer first"),
    "misspelt": (short(), "avarage", "Nearly: look at the spelling"),
    "no such option": (choice([True, False, False]), ["o9"], "no option o9"),
}


@pytest.mark.parametrize(("question", "answer", "message"), SAYS_NOTHING.values(), ids=SAYS_NOTHING)
def test_what_says_nothing_is_asked_for_again(question, answer, message):
    with pytest.raises(Unreadable, match=message):
        grade(vary(question, 0), answer)


@pytest.mark.parametrize("typed", ["the mean", "Mean", " MEAN. ", "`mean`", "A mean", "“mean”"])
def test_words_are_compared_without_what_does_not_matter(typed):
    assert grade(vary(short(), 0), typed).right


def test_a_word_of_a_trap_gets_its_feedback():
    caught = grade(vary(short(), 0), "Sum")
    assert (caught.right, caught.feedback, caught.misconceptions) == (False, ("Not the sum.",), ("sum",))


@pytest.mark.parametrize(("answer", "message"), [([], "Choose an answer"), (["o0", "o1"], "one answer only")])
def test_an_answer_that_says_nothing_is_asked_for_again(answer, message):
    with pytest.raises(Unreadable, match=message):
        grade(vary(choice([True, False, False], type="single"), 0), answer)


def test_multi_says_how_many_and_not_which():
    variant = vary(choice([True, True, False]), 0)
    assert grade(variant, ["o0", "o2"]).verdict == "Not yet: 1 ticked wrongly, 1 missing."
    assert grade(variant, ["o0"]).verdict == "Not yet: 1 missing."
    assert grade(variant, ["o0"]).feedback == ()
