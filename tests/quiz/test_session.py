"""What a session remembers is its log, and nothing but its log."""

import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.dialogue import replies
from quiz.engine import Unreadable, solution
from quiz.errors import QuizError
from quiz.event import Event, form_of, from_json
from quiz.rounds import seed_of
from quiz.session import MemoryStore, Session, State
from quiz.store import FileStore, StoreError
from tests.quiz.make import ANSWERS, LESSON, NOON, WHOLE, log_of, session, untimed, whole

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
def test_replaying_the_log_gives_the_same_state_whatever_was_sent(actions, person):
    first = session(person)
    for kind, question, value in actions:
        (reply,) = replies(first, {"kind": kind, "question": question, "value": value})
        assert reply["kind"] in ("progress", "notice") and reply["question"] == question
    second = session(person, store=MemoryStore(log_of(first)))
    assert replies(second, {"kind": "ready"}) == replies(first, {"kind": "ready"})
    assert all(second.state(name) == first.state(name) for name in first.keys)


PLAYS = st.lists(
    st.tuples(
        st.sampled_from(sorted(ANSWERS)),
        st.one_of(
            st.sampled_from(["hint", "reveal"]),
            st.tuples(st.integers(0, 1), st.sampled_from([None, "guess", "fairly", "certain"])),
        ),
        st.integers(-60, 300),  # hours until the next one: the clock may go back
    ),
    max_size=10,
)


@settings(untimed, max_examples=25)
@given(PLAYS, st.integers(0, 3))
def test_a_log_read_from_its_file_gives_the_same_state_over_days_and_rounds(plays, person):
    """All six types, with a new session, as after a restart, for each thing done."""
    with tempfile.TemporaryDirectory() as folder:
        store, now = FileStore(Path(folder) / "log.jsonl"), NOON
        for name, what, hours in plays:
            here = session(person, whole(), store, now)
            play(here, f"{WHOLE}/{name}", what)
            again = session(person, whole(), FileStore(store.path), now)
            assert {k: (again.variant(k), again.state(k)) for k in again.keys} == {
                k: (here.variant(k), here.state(k)) for k in here.keys
            }
            assert [from_json(event.to_json()) for event in store.events()] == log_of(here) == log_of(again)
            now += timedelta(hours=hours)


def play(here: Session, key: str, what) -> None:
    with suppress(QuizError):  # revealed too early
        if isinstance(what, tuple):
            here.answer(key, ANSWERS[key.partition("/")[2]][what[0]], what[1])
        else:
            getattr(here, what)(key)


def test_an_answer_is_logged_with_all_that_a_report_needs():
    here = session(7)
    here.answer(FORMULA, ["no_eps"], "certain")
    (event,) = log_of(here)
    seed, form = seed_of(7, FORMULA, 0), form_of(here.variant(FORMULA).question)
    marks = {"answer": ("no_eps",), "right": False, "confidence": "certain", "misconceptions": ("no_eps",)}
    assert event == Event(NOON, LESSON, "which_formula", 0, seed, "answered", form, id=event.id, **marks)
    assert len(event.id) == 32 and event.key == FORMULA
    assert here.state(FORMULA).confidence == "certain"


@pytest.mark.parametrize(("answer", "message"), [("a lot", "Type one number"), ("1" * 5000, "too long")])
def test_an_unreadable_answer_is_not_logged(answer, message):
    here = session()
    with pytest.raises(Unreadable, match=message):
        here.answer(PARAMETERS, answer)
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


def test_a_session_asks_what_it_is_told_to_in_that_order():
    here = session(bank=whole(), keys=[f"{WHOLE}/word", f"{WHOLE}/one"], title="Two")
    assert (here.keys, here.title) == ((f"{WHOLE}/word", f"{WHOLE}/one"), "Two")
    assert session(bank=whole()).title == whole().title
    with pytest.raises(QuizError, match="no question '99_whole/some'"):
        here.state(f"{WHOLE}/some")
    with pytest.raises(QuizError, match=r"no question 'x/y', 'z'"):
        session(keys=["x/y", "z"])


def test_questions_of_several_banks_do_not_mix():
    other = whole().model_copy(update={"lesson": "98_other"})
    here = Session([whole(), other], MemoryStore(), 0, lambda: NOON)
    here.answer("98_other/word", "hidden state")
    assert here.state("98_other/word").grade and here.state("99_whole/word") == State()
    assert len(here.keys) == 12


def test_two_sessions_on_one_store_see_each_other():
    store = MemoryStore()
    first, second = session(store=store), session(store=store)
    first.answer(FORMULA, ["no_eps"])
    second.hint(FORMULA)
    assert first.state(FORMULA) == second.state(FORMULA) and first.state(FORMULA).hints == 1


def test_the_seed_of_the_log_counts_when_the_machine_has_changed():
    """Somebody takes their log to another machine: what they answered is shown as they saw it."""
    first = session(1)
    first.answer(PARAMETERS, "1")
    elsewhere = session(2, store=MemoryStore(log_of(first)))
    assert elsewhere.variant(PARAMETERS) == first.variant(PARAMETERS)
    assert elsewhere.state(PARAMETERS) == first.state(PARAMETERS)


# Of the log that is there, what does a session made now say?
KEY = f"{WHOLE}/number"
DAY = timedelta(days=1)


def test_what_was_missed_comes_back_the_next_day_as_another_variant():
    seeds, store = set(), MemoryStore()
    for day in range(6):
        here = session(3, whole(), store, NOON + day * DAY)
        assert here.state(KEY) == State()
        here.answer(KEY, "1")
        seeds.add(log_of(here)[-1].seed)
        later = session(3, whole(), store, NOON + day * DAY + timedelta(hours=3))
        assert later.variant(KEY) == here.variant(KEY) and later.state(KEY) == here.state(KEY) != State()
    assert [e.round for e in store.events()] == list(range(6)) and len(seeds) == 6


def test_a_session_that_is_open_keeps_its_variant_when_the_question_falls_due():
    store, now = MemoryStore(), [NOON]
    here = Session([whole()], store, 3, lambda: now[0])
    here.answer(KEY, "1")
    now[0] += 9 * DAY
    assert here.state(KEY).grade
    here.answer(KEY, "2")
    assert [e.round for e in store.events()] == [0, 0]


def test_what_was_right_and_certain_stays_away_and_shown():
    store = MemoryStore()
    here = session(3, whole(), store)
    here.answer(KEY, solution(here.variant(KEY)), "certain")
    assert session(3, whole(), store, NOON + 2 * DAY).state(KEY).grade.right
    assert session(3, whole(), store, NOON + 60 * DAY).state(KEY) == State()


def changed(name: str, **changes):
    """The bank with one question edited."""
    bank = whole()
    edited = [q.model_validate(q.model_dump() | changes) if q.id == name else q for q in bank.questions]
    return bank.model_copy(update={"questions": edited})


OTHER_OPTIONS = [o.model_dump() for o in whole().questions[0].options]
OTHER_OPTIONS[1]["text"] += "!"
CHANGES = {
    "prompt": ("one", {"prompt": "Which line is it?"}),
    "setting": ("one", {"setting": "Rows of {{ d }}."}),
    "option": ("one", {"options": OTHER_OPTIONS}),
    "key": ("number", {"formula": "2 * layers * dim + dim + 1"}),
    "values": ("number", {"params": {"layers": [2, 13], "dim": [512, 4096]}}),
    "order": ("steps", {"steps": [s.model_dump() for s in reversed(whole().questions[3].steps)], "swaps": [
        {"first": "square", "then": "root", "misconception": "m", "feedback": "f"}]}),
    "target": ("pairs", {"items": [i.model_dump() | {"target": "rms"} for i in whole().questions[4].items],
                         "confusions": [{"item": "gpt", "target": t, "misconception": "m", "feedback": "f"}
                                        for t in ("layer", "batch")]}),
    "accepted": ("word", {"accept": ["the stream"]}),
}  # fmt: skip


@pytest.mark.parametrize(("name", "changes"), CHANGES.values(), ids=CHANGES)
def test_an_answer_to_a_question_that_has_changed_is_not_shown_and_not_lost(name, changes):
    store, key = MemoryStore(), f"{WHOLE}/{name}"
    session(1, whole(), store).answer(key, ANSWERS[name][1])
    here = session(1, changed(name, **changes), store)
    assert here.state(key) == State(changed=True)
    here.hint(key)
    assert here.state(key) == State(hints=1, changed=True)
    here.answer(key, solution(here.variant(key)))
    assert here.state(key).grade.right and not here.state(key).changed
    assert [e.round for e in store.events()] == [0, 1, 1]
    back = session(1, whole(), store)  # the author takes the change back
    assert back.state(key) == State(changed=True)


NO_OTHER_QUESTION = {
    "hints": ["Other.", "Words."],
    "explanation": "It was. It is. It will be.",
    "source": "Another book.",
    "heading": "Elsewhere",
    "difficulty": "hard",
    "prompt": "Which line\n  is RMSNorm's?",
    "options": [o.model_dump() | {"pinned": True, "feedback": "Other."} for o in whole().questions[0].options],
}


@pytest.mark.parametrize("field", NO_OTHER_QUESTION)
def test_better_hints_or_words_after_the_answer_are_no_other_question(field):
    store, key = MemoryStore(), f"{WHOLE}/one"
    session(1, whole(), store).answer(key, ["l2"])
    here = session(1, changed("one", **{field: NO_OTHER_QUESTION[field]}), store)
    assert here.state(key).answer == ("l2",) and not here.state(key).changed


def test_a_question_that_is_removed_breaks_nothing_and_can_come_back():
    store, key, bank = MemoryStore(), f"{WHOLE}/one", whole()
    session(1, bank, store).answer(key, ["l2"])
    without = bank.model_copy(update={"questions": bank.questions[1:]})
    here = session(1, without, store)
    assert key not in here.keys and all(here.state(k) == State() for k in here.keys)
    here.answer(f"{WHOLE}/some", ["scale"])
    assert len(store.events()) == 2
    assert session(1, bank, store).state(key).answer == ("l2",)


@pytest.mark.parametrize("answer", ["", "many", (), ("no", "such"), ("right", "l2"), "x" * 10**6])
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_logged_answer_never_raises(name, answer):
    """A log that somebody wrote by hand, or that a later version understands."""
    here = session(1, whole())
    key = f"{WHOLE}/{name}"
    form = form_of(here.variant(key).question)
    log = MemoryStore([Event(NOON, WHOLE, name, 0, seed_of(1, key, 0), "answered", form, answer, True, id="a" * 32)])
    state = session(1, whole(), log).state(key)
    assert state.grade is None or state.answer == answer
    session(1, whole(), log, NOON + 99 * DAY).state(key)


class Full(MemoryStore):
    """Takes nothing for a while, but keeps it in memory."""

    full = True

    def append(self, event):
        super().append(event)
        if self.full:
            raise StoreError("The disk is full.")


def test_an_answer_that_cannot_be_stored_is_marked_and_the_reason_told():
    store = Full()
    here = session(store=store)
    assert here.unsaved is None
    assert not here.answer(FORMULA, ["no_eps"]).right
    assert here.unsaved == "The disk is full." and here.state(FORMULA).grade
    store.full = False
    here.hint(FORMULA)
    assert here.unsaved is None


@pytest.mark.parametrize("message", [{}, {"kind": "hack"}, "text", None, {"kind": ["ready"]}])
def test_a_message_that_makes_no_sense_gets_a_notice(message):
    (reply,) = replies(session(), message)
    assert reply["kind"] == "notice" and "run the cell again" in reply["text"]
