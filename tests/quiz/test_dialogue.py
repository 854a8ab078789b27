"""What a page is told, message by message: all at once when it is ready, links when they are earned."""

import shutil

import pytest

from quiz import teaching
from quiz.dialogue import replies
from quiz.session import Session
from quiz.store import FileStore, MemoryStore
from tests.quiz.make import NOON, log_of, session
from tests.quiz.page import ROOT
from tests.quiz.six import bank

LESSON = "03_rms_norm"
PICK, TICK, WORD = (f"{LESSON}/{name}" for name in ("pick", "tick", "word"))


@pytest.fixture
def here():
    return session(bank=bank())


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """The folder of a student who is in the lesson."""
    shutil.copytree(ROOT / "lessons" / LESSON, tmp_path / LESSON)
    monkeypatch.chdir(tmp_path / LESSON)
    teaching._exercises.cache_clear()
    return tmp_path


def answer(here, key, value, **more) -> dict:
    (reply,) = replies(here, {"kind": "answer", "question": key, "value": value, **more})
    return reply


def pick(here, name: str) -> list[int]:
    return [[option.id for option in here.variant(PICK).options].index(name)]


def test_a_page_that_is_ready_is_told_everything_in_one_message(here):
    answer(here, TICK, [0])
    answer(here, WORD, "shift")
    (reply,) = replies(here, {"kind": "ready"})
    assert reply["kind"] == "state" and reply["unsaved"] == ""
    assert [one["question"] for one in reply["questions"]] == [TICK, WORD]


@pytest.mark.parametrize(("said", "kept"), [("guess", "guess"), ("very", None), (None, None), ([], None)])
def test_only_the_three_confidences_are_kept(here, said, kept):
    answer(here, WORD, "shift", confidence=said)
    assert [event.confidence for event in log_of(here)] == [kept]


def test_the_lesson_is_named_after_an_answer_and_after_the_last_hint_only(here, lessons):
    hint = {"kind": "hint", "question": PICK}
    assert [replies(here, hint)[0]["taught"] is None for _ in range(2)] == [True, False]
    taught = answer(here, WORD, "scale")["taught"]
    assert taught["shown"] == "03_rms_norm/rms_norm.ipynb" and taught["heading"] == ""
    taught = answer(here, PICK, pick(here, "rms"))["taught"]
    assert (taught["heading"], taught["anchor"]) == ("The mathematics", "The-mathematics")
    assert (lessons / LESSON / "rms_norm.ipynb").as_posix() in taught["paths"]


def test_a_lesson_without_a_notebook_has_no_link_and_no_check(here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reply = answer(here, PICK, pick(here, "length"))
    assert reply["taught"] is None and len(reply["feedback"]) == 1


def test_a_mistake_of_an_exercise_is_sent_to_its_check(here, lessons):
    _, sentence = answer(here, PICK, pick(here, "length"))["feedback"]
    assert "<code>check(&quot;rms_norm&quot;)</code> names it" in sentence
    assert len(answer(here, PICK, pick(here, "centred"))["feedback"]) == 1  # no mistake is named there


def test_what_could_not_be_saved_is_said_until_it_is(tmp_path):
    store = FileStore(tmp_path / "later" / "log.jsonl")
    here = Session([bank()], store, 0, lambda: NOON)
    assert "kept in memory" in answer(here, WORD, "shift")["unsaved"]
    assert "kept in memory" in replies(here, {"kind": "ready"})[0]["unsaved"]
    (tmp_path / "later").mkdir()
    assert answer(here, WORD, "shift")["unsaved"] == ""
    assert len(store.path.read_text().splitlines()) == 2


def test_an_answer_to_an_earlier_form_is_said_to_be_that():
    store = MemoryStore()
    answer(session(bank=bank(), store=store), WORD, "shift")
    changed = bank().model_copy(deep=True)
    changed.questions[-1].prompt = "Another?"
    (reply,) = replies(session(bank=changed, store=store), {"kind": "ready"})
    assert [(one["question"], one["changed"], one["answer"]) for one in reply["questions"]] == [(WORD, True, None)]
