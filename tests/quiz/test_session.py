"""What a session remembers is its log, and nothing but its log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.dialogue import replies
from quiz.engine import Unreadable, solution
from quiz.errors import QuizError
from quiz.event import Event, form_of
from quiz.session import MemoryStore, State, seed_of
from tests.quiz.make import LESSON, NOON, log_of, session, untimed

FORMULA, HOLDS, PARAMETERS = (f"{LESSON}/{name}" for name in ("which_formula", "what_always_holds", "norm_parameters"))
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["answer", "hint", "reveal"]),
        st.sampled_from([FORMULA, HOLDS, PARAMETERS, "unknown"]),
        st.one_of(st.lists(st.integers(-2, 6), max_size=3), st.text(max_size=5), st.just("266,240"), st.none()),
    ),
    max_size=12,
)


@untimed
@given(ACTIONS, st.integers(0, 9))
def test_replaying_the_log_gives_the_same_state_whatever_was_sent(actions, seed):
    first = session(seed)
    for kind, question, value in actions:
        (reply,) = replies(first, {"kind": kind, "question": question, "value": value})
        assert reply["kind"] in ("progress", "notice") and reply["question"] == question
    second = session(seed, store=MemoryStore(log_of(first)))
    assert replies(second, {"kind": "ready"}) == replies(first, {"kind": "ready"})
    assert all(second.state(name) == first.state(name) for name in first.keys)


def test_an_answer_is_logged_with_time_seed_and_option_ids():
    here = session(7)
    here.answer(FORMULA, ["no_eps"], "certain")
    (event,) = log_of(here)
    seed, form = seed_of(7, FORMULA, 0), form_of(here.variant(FORMULA).question)
    marks = {"answer": ("no_eps",), "right": False, "confidence": "certain", "misconceptions": ("no_eps",)}
    assert event == Event(NOON, LESSON, "which_formula", 0, seed, "answered", form, id=event.id, **marks)
    assert len(event.id) == 32 and event.key == FORMULA


def test_an_unreadable_answer_is_not_logged():
    here = session()
    with pytest.raises(Unreadable):
        here.answer(PARAMETERS, "a lot")
    assert log_of(here) == []


def test_hints_come_one_at_a_time_and_end():
    here = session()
    for _ in range(9):
        here.hint(FORMULA)
    assert here.state(FORMULA).hints == 3 == len(log_of(here))


def test_the_solution_is_not_shown_before_an_attempt():
    here = session()
    with pytest.raises(QuizError, match="Answer first"):
        here.reveal(FORMULA)
    assert here.state(FORMULA) == State()


def test_the_last_answer_counts():
    here = session()
    here.answer(FORMULA, ["no_eps"])
    here.answer(FORMULA, solution(here.variant(FORMULA)))
    assert here.state(FORMULA).grade.right


@pytest.mark.parametrize("message", [{}, {"kind": "hack"}, "text", None, {"kind": ["ready"]}])
def test_a_message_that_makes_no_sense_gets_a_notice(message):
    (reply,) = replies(session(), message)
    assert reply["kind"] == "notice" and "run the cell again" in reply["text"]
