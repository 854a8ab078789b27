"""Before a question is answered nothing about its answer is in the widget's state, the notebook or a message."""

import dataclasses
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz import static
from quiz.bank import load_all
from quiz.dialogue import replies
from quiz.engine import grade, solution
from quiz.exchange import from_page, to_page
from quiz.render import block
from quiz.session import Session
from quiz.store import MemoryStore
from quiz.view import public
from quiz.widget import QuizWidget
from tests.quiz.giveaway import secrets_of
from tests.quiz.make import NOON, session, untimed
from tests.quiz.six import bank as six

STATIC_NAMES = {"_esm", "_css"}  # the page's own code and style: the same for every quiz
BANKS = [*load_all(), six()]
EVERY = [(bank, question) for bank in BANKS for question in bank.questions]
NAMES = [f"{bank.lesson}-{question.id}" for bank, question in EVERY]
WORDS = ("correct", "misconception", "feedback", "explanation", "solution", "formula", "accept", "target", "mistake")
WRONG = {"numeric": "1e-99", "short": "no such word"}


def told_before(here) -> str:
    """All that reaches a notebook or a page before any answer."""
    widget = QuizWidget(here)
    state = {name: value for name, value in widget.get_state().items() if name not in STATIC_NAMES}
    bundle, _ = widget._repr_mimebundle_()
    form = static.form(widget.title, widget.questions)
    told = json.dumps([state, bundle, form, replies(here, {"kind": "ready"})], ensure_ascii=False)
    return re.sub("[0-9a-f]{32}", "", told)  # random names of models may hold any digits


def wrong_answer(variant) -> object:
    """A wrong answer, as a page sends it, that is no trap and as little right as can be."""
    if variant.question.type in WRONG:
        return WRONG[variant.question.type]
    right = to_page(variant, solution(variant))
    if variant.question.type == "order":
        return [*right[1:], right[0]]
    if variant.question.type == "match":
        return [(place + 1) % len(variant.options) for place in right]
    return [next(i for i in range(len(variant.options)) if i not in right)]


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.title)
@settings(untimed, max_examples=5)
@given(person=st.integers(0, 2**32))
def test_nothing_gives_an_answer_away_before_it(bank, person):
    here = session(person, bank)
    told = told_before(here)
    for variant in map(here.variant, here.keys):
        assert [secret for secret in secrets_of(variant) if secret in told] == []
    assert [word for word in WORDS if f'"{word}"' in told] == []


@pytest.mark.parametrize(("bank", "question"), EVERY, ids=NAMES)
def test_what_is_public_does_not_depend_on_the_key(bank, question):
    variant = session(bank=bank).variant(f"{bank.lesson}/{question.id}")
    other = dataclasses.replace(variant, secrets={"answer": 123456.789} if variant.secrets else {})
    assert public("key", other) == public("key", variant)


@pytest.mark.parametrize(("bank", "question"), EVERY, ids=NAMES)
def test_the_search_would_find_a_secret(bank, question):
    here = session(bank=bank)
    variant = here.variant(f"{bank.lesson}/{question.id}")
    for leak in (question.hints[0], question.explanation, question.source):
        said = json.dumps(block(variant.after(leak)), ensure_ascii=False)
        assert any(secret in said for secret in secrets_of(variant))


@pytest.mark.parametrize(("bank", "question"), EVERY, ids=NAMES)
def test_a_wrong_answer_is_told_its_own_feedback_only(bank, question):
    here, key = session(3, bank), f"{bank.lesson}/{question.id}"
    variant = here.variant(key)
    (reply,) = replies(here, {"kind": "answer", "question": key, "value": wrong_answer(variant), "confidence": "guess"})
    assert reply["right"] is False and not {"solution", "explanation"} & set(reply)
    said = json.dumps(reply, ensure_ascii=False)
    parts = [p for name in ("options", "traps", "swaps", "confusions") for p in getattr(question, name, [])]
    met = here.state(key).grade.misconceptions
    unsaid = [part.feedback for part in parts if part.feedback and part.id not in met]
    assert [text for text in unsaid if json.dumps(block(variant.before(text)), ensure_ascii=False) in said] == []


@pytest.mark.parametrize(("bank", "question"), EVERY, ids=NAMES)
def test_after_an_attempt_the_solution_can_be_asked_for_and_is_right(bank, question):
    here, key = session(5, bank), f"{bank.lesson}/{question.id}"
    variant = here.variant(key)
    replies(here, {"kind": "answer", "question": key, "value": wrong_answer(variant)})
    (reply,) = replies(here, {"kind": "reveal", "question": key})
    shown = reply["solution"]
    answer = shown if isinstance(shown, str) else from_page(variant, shown)
    assert grade(variant, answer).right and reply["explanation"].startswith("<p>")


@untimed
@given(st.sampled_from(range(len(EVERY))), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_an_answer_comes_back_from_the_page_as_it_went(index, person, random):
    bank, question = EVERY[index]
    here = Session([bank], MemoryStore(), person, lambda: NOON)
    variant = here.variant(f"{bank.lesson}/{question.id}")
    answer = solution(variant)
    if isinstance(answer, list):
        random.shuffle(answer)
    back = from_page(variant, to_page(variant, answer))
    assert back == answer if question.type in ("order", "numeric", "short") else set(back) == set(answer)
