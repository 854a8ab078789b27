"""The quiz in one place: how one stands with each lesson, and a round over all lessons by weakness."""

import os
import subprocess
import sys
from datetime import timedelta

import nbformat
import pytest
from nbclient import NotebookClient

from quiz import QuizError, notebook
from quiz.bank import lessons, load_all
from quiz.choosing import by_weakness
from quiz.engine import solution
from quiz.reporting import as_text, of_lessons, section
from quiz.reporting.overview import weakest
from quiz.session import MemoryStore, Session
from tests.quiz.make import NOON
from tests.quiz.test_notebook import ROOT

BANKS = load_all()


def answered(right: dict[str, list[bool]], confidence: str = "fairly") -> list:
    """A log: for each lesson its first questions with options, answered rightly or wrongly, at NOON."""
    store = MemoryStore()
    session = Session(BANKS, store, 1, lambda: NOON)
    for lesson, results in right.items():
        keys = [k for k in session.keys if k.startswith(f"{lesson}/") and session.variant(k).question.type == "single"]
        for key, wanted in zip(keys, results, strict=False):
            variant = session.variant(key)
            chosen = [o.id for o in variant.options if (o.id in solution(variant)) == wanted][:1]
            assert session.answer(key, chosen, confidence).right == wanted
    return store.events()


def row(report: dict, lesson: str) -> dict:
    return next(one for one in report["lessons"] if one["lesson"] == lesson)


def test_a_lesson_that_nobody_has_begun_is_unseen_from_end_to_end():
    report = of_lessons([], BANKS, NOON)
    assert [one["lesson"] for one in report["lessons"]] == lessons()
    assert all((one["due"], one["weak"], one["unseen"]) == (0, 0, one["questions"]) for one in report["lessons"])


def test_what_was_wrong_is_weak_at_once_and_due_the_next_day():
    log = answered({"07_swiglu": [False, True]})
    today, tomorrow = (row(of_lessons(log, BANKS, NOON + timedelta(days=days)), "07_swiglu") for days in (0, 1))
    assert (today["weak"], today["due"], today["unseen"]) == (1, 0, today["questions"] - 2)
    assert (tomorrow["weak"], tomorrow["due"]) == (1, 1)


def test_the_weakest_lesson_has_the_largest_share_wrong():
    log = answered({"01_residual_stream": [True, False], "03_rms_norm": [False, False], "07_swiglu": [True]})
    assert weakest(log, BANKS, NOON) == ["03_rms_norm", "01_residual_stream"]


def test_a_round_takes_a_new_question_of_each_lesson_in_turn():
    turns = lessons() + [bank.lesson for bank in BANKS if len(bank.questions) > 1]
    keys = by_weakness([], len(turns), NOON).keys
    assert [key.partition("/")[0] for key in keys] == turns
    assert len(set(keys)) == len(keys)


def test_a_round_asks_first_what_is_due_and_then_new_ones_of_the_weakest_lesson():
    log = answered({"09_attention": [False, True], "03_rms_norm": [False]}, "certain")
    chosen = by_weakness(log, 10, NOON + timedelta(days=1))
    asked = [key.partition("/")[0] for key in chosen.keys]
    assert sorted(asked[:2]) == ["03_rms_norm", "09_attention"] and asked[2:4] == ["03_rms_norm", "09_attention"]
    assert {event.key for event in log if not event.right} == set(chosen.keys[:2])
    assert chosen.intro.startswith("2 due today") and len(chosen.keys) == 10


def test_a_round_over_everything_leaves_nothing_out():
    everything = {f"{bank.lesson}/{q.id}" for bank in BANKS for q in bank.questions}
    assert set(by_weakness([], 1000, NOON).keys) == everything


@pytest.mark.parametrize("most", [0, -1])
def test_a_round_of_nothing_is_refused(most):
    with pytest.raises(QuizError, match="1 or more"):
        notebook.show_round(most)


def test_text_and_page_hold_the_same_numbers():
    report = of_lessons(answered({"07_swiglu": [False, True]}), BANKS, NOON)
    swiglu, all_questions = row(report, "07_swiglu"), sum(len(bank.questions) for bank in BANKS)
    text, html = as_text(report), section(report)
    (line,) = [line for line in text.splitlines() if line.startswith("07 ")]
    numbers = [swiglu["questions"], 0, 1, swiglu["unseen"]]
    assert list(map(int, line.split()[-4:])) == numbers
    assert "".join(f"<td>{number}</td>" for number in numbers) in html
    assert f"<td>{all_questions}</td><td>0</td><td>1</td><td>{all_questions - 2}</td>" in html
    assert html.count('scope="row"') == len(BANKS) + 1


def test_both_are_inert_while_a_notebook_is_graded():
    code = "import sys; from quiz import quiz; print(quiz.overview(), quiz.round(), 'pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"COURSE_GRADING": "1"}, capture_output=True)
    assert (done.stdout.decode().strip(), done.stderr) == ("None None False", b"")


def test_both_are_shown_in_a_notebook(tmp_path):
    cells = ["from quiz import quiz\nquiz.overview()", "quiz.round(most=3)"]
    made = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    client = NotebookClient(made, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    overview, questions = client.execute(env=os.environ | {"PYTHONPATH": str(ROOT)}).cells
    assert "The quiz by lesson" in overview.outputs[0].data["text/html"]
    widget, form = questions.outputs
    assert "application/vnd.jupyter.widget-view+json" in widget.data
    assert form.data["text/html"].count("<details open") == 3
