"""Banks 09 to 12: every number is recomputed, every spelling marked, every mistake that there is named rightly.

Whatever else these banks claim is tried in the files of their subjects: `test_content_attention.py` and so on.
"""

import pytest

from grader import answers
from grader.exercises import ids
from quiz.bank import load
from quiz.engine import grade, vary
from quiz.engine.numeric import close, with_values
from quiz.schema import Numeric, Short
from tests.quiz.recomputed import KEYS

BANKS = {lesson: load(lesson) for lesson in KEYS}
EVERY = [(lesson, q) for lesson, bank in BANKS.items() for q in bank.questions]
NUMERIC = [(lesson, q) for lesson, q in EVERY if isinstance(q, Numeric)]
SHORT = [q for _, q in EVERY if isinstance(q, Short)]
PARTS = ("options", "traps", "swaps", "confusions")


def test_every_numeric_question_is_recomputed():
    asked = {lesson: {q.id for other, q in NUMERIC if other == lesson} for lesson in KEYS}
    assert asked == {lesson: set(keys) for lesson, keys in KEYS.items()}


@pytest.mark.parametrize(("lesson", "question"), NUMERIC, ids=[q.id for _, q in NUMERIC])
def test_the_key_is_that_of_real_modules(lesson, question):
    for values in question.variants():
        key = with_values(question, values).secrets["answer"]
        assert close(KEYS[lesson][question.id](**values), key, question.tolerance), values


@pytest.mark.parametrize("question", SHORT, ids=lambda q: q.id)
def test_all_spellings_are_marked_as_meant(question):
    variant = vary(question, 0)
    assert all(grade(variant, text).right for text in question.accept)
    for trap in question.traps:
        assert {grade(variant, text).misconceptions for text in trap.accept} == {(trap.id,)}


@pytest.mark.parametrize("question", [q for _, q in EVERY], ids=lambda q: q.id)
def test_a_mistake_of_an_exercise_that_exists_is_one_of_its_list(question):
    named = [p.mistake for name in PARTS for p in getattr(question, name, []) if getattr(p, "mistake", None)]
    for exercise, mistake in (name.split("/") for name in named):
        if exercise in ids():  # the others come with their lessons
            assert mistake in {m.key for m in answers.of(exercise).mistakes}


@pytest.mark.parametrize("bank", BANKS.values(), ids=lambda bank: bank.lesson)
def test_the_three_shown_in_the_lesson_are_of_different_types(bank):
    assert len({q.type for q in bank.questions[:3]}) == 3
    assert len(bank.questions) >= 8 and sum(q.type == "numeric" for q in bank.questions) >= 2
