"""Before a question is answered nothing about its answer is in the widget's state, the notebook or a message."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.dialogue import replies
from quiz.engine import grade
from quiz.formula import show
from quiz.render import block
from quiz.schema import Numeric
from quiz.widget import QuizWidget
from tests.quiz.make import LESSON, first_three, session, untimed

SEEDS = st.integers(0, 2**32)
STATIC_NAMES = {"_esm", "_css"}  # the page's own code and style: the same for every quiz
QUESTIONS = first_three().questions


def told_before(here) -> str:
    """All that reaches a notebook or a page before any answer."""
    widget = QuizWidget(here)
    state = {name: value for name, value in widget.get_state().items() if name not in STATIC_NAMES}
    bundle, _ = widget._repr_mimebundle_()
    told = json.dumps([state, bundle, replies(here, {"kind": "ready"})], ensure_ascii=False)
    return re.sub("[0-9a-f]{32}", "", told)  # random names of models may hold any digits


def secrets_of(variant) -> list[str]:
    """What gives a question away: texts shown after the answer, names of options, the number itself."""
    question = variant.question
    parts = [*getattr(question, "options", []), *getattr(question, "traps", [])]
    told = [t for p in parts for t in (p.feedback, p.misconception, p.mistake) if t]
    ids = [p.id for p in parts if p.id not in question.prompt]
    numbers = [show(variant.secrets["answer"]), str(variant.secrets["answer"])] if variant.secrets else []
    long = [question.explanation, question.source, *question.hints, *told]
    return [*numbers, *(f'"{i}"' for i in ids), *(piece for text in long for piece in pieces(variant, text))]


def pieces(variant, text: str) -> list[str]:
    """The text as written and as shown, each cut to its first words, so that no mark-up hides it."""
    return [part for part in (text[:30], json.dumps(block(variant.after(text)), ensure_ascii=False)[1:31]) if part]


@settings(untimed, max_examples=15)
@given(SEEDS)
def test_nothing_gives_an_answer_away_before_it(seed):
    here = session(seed)
    told = told_before(here)
    for variant in map(here.variant, here.keys):
        assert [secret for secret in secrets_of(variant) if secret in told] == []
    for word in ("correct", "misconception", "feedback", "explanation", "solution", "formula"):
        assert f'"{word}"' not in told


def test_the_search_would_find_a_secret():
    here = session()
    variant = here.variant(f"{LESSON}/norm_parameters")
    assert str(variant.secrets["answer"]) in secrets_of(variant)
    for leak in (variant.question.hints[0], variant.question.traps[1].feedback, variant.question.explanation):
        assert any(secret in json.dumps(block(variant.after(leak))) for secret in secrets_of(variant))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_a_wrong_answer_is_told_its_own_feedback_only(question):
    here, key = session(3), f"{LESSON}/{question.id}"
    variant = here.variant(key)
    wrong = "1" if isinstance(question, Numeric) else [next(i for i, o in enumerate(variant.options) if not o.correct)]
    (reply,) = replies(here, {"kind": "answer", "question": key, "value": wrong})
    assert reply["right"] is False and not {"solution", "explanation"} & set(reply)
    said = json.dumps(reply, ensure_ascii=False)
    unsaid = [o.feedback for i, o in enumerate(variant.options) if o.feedback and i not in wrong]
    assert not any(block(text)[:40] in said for text in unsaid)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_after_an_attempt_the_solution_can_be_asked_for_and_is_right(question):
    here, key = session(5), f"{LESSON}/{question.id}"
    variant = here.variant(key)
    value = "1" if isinstance(question, Numeric) else [0]
    replies(here, {"kind": "answer", "question": key, "value": value})
    (reply,) = replies(here, {"kind": "reveal", "question": key})
    shown = reply["solution"]
    answer = shown if isinstance(shown, str) else [variant.options[i].id for i in shown]
    assert grade(variant, answer).right and reply["explanation"].startswith("<p>")
