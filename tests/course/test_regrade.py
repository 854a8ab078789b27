"""Graded again: everyone, one student or one exercise. What people have given by hand stays, and changes are told."""

import io
import re
import sys
from dataclasses import replace

import pytest

from grader.cli._progress import Progress
from grader.cli.autograde import _next
from grader.course.gradebook import Book
from grader.errors import CourseError
from tests.course.classroom import HALF, LESSON, NAME, RIGHT, Classroom, as_notebook, cells_with
from tests.course.quick import Quick, right, verdict

WRITTEN = {"written_speed": "It depends on what is compared."}


@pytest.fixture
def quick(course, monkeypatch) -> Quick:
    """ada has all right, ben one mistake, both with a written answer; both graded."""
    room = Classroom(course)
    room.hand_in("ada", as_notebook(cells_with(**RIGHT, **WRITTEN)))
    room.hand_in("ben", as_notebook(cells_with(**{**RIGHT, "rms_norm": HALF}, **WRITTEN)))
    made = Quick(course, monkeypatch)
    assert {name: one.score for name, one in made.autograde().items()} == {"ada": 20, "ben": 16}
    return made


def listened(quick: Quick, **chosen) -> Progress:
    progress = Progress(LESSON, shown=False)
    quick.autograde(listener=progress, **chosen)
    return progress


def grade(quick: Quick, student: str, cell: str) -> tuple:
    """auto_score, manual_score, needs_manual_grade, score"""
    with Book(quick.course, LESSON).open() as book:
        row = book.find_grade(cell, "rms_norm", LESSON, student)
        return row.auto_score, row.manual_score, row.needs_manual_grade, row.score


def give(quick: Quick, student: str, cell: str, score: float, comment: str | None = None) -> None:
    """As formgrader does."""
    with Book(quick.course, LESSON).open() as book:
        row = book.find_grade(cell, "rms_norm", LESSON, student)
        row.manual_score, row.needs_manual_grade = score, False
        if comment:
            book.find_comment(cell, "rms_norm", LESSON, student).manual_comment = comment
        book.db.commit()


def comment(quick: Quick, student: str, cell: str) -> str | None:
    with Book(quick.course, LESSON).open() as book:
        return book.find_comment(cell, "rms_norm", LESSON, student).manual_comment


def test_the_first_time_nothing_has_changed(course, monkeypatch):
    Classroom(course).hand_in("ada", as_notebook(cells_with(**RIGHT)))
    assert listened(Quick(course, monkeypatch)).changed() is None


def test_after_a_test_was_mended(quick):
    give(quick, "ben", "written_speed", 4, "Nearly.")
    quick.mend()
    assert listened(quick).changed() == (
        "Grades changed: 1, for 1 of 2 students who were graded before: ben (rms_norm 2 → 6)."
    )
    assert grade(quick, "ben", "check_rms_norm") == (6, None, False, 6)
    assert grade(quick, "ben", "written_speed") == (None, 4, False, 4), "seen by a person, and as it was"
    assert comment(quick, "ben", "written_speed") == "Nearly."
    assert listened(quick).changed() == "Grades changed: none, of 2 students who were graded before."


def test_what_comes_next(quick, monkeypatch):
    """Not feedback, where somebody's written answer has no mark yet: the page would say 0 points for it."""
    monkeypatch.chdir(quick.course.root)
    give(quick, "ada", "written_speed", 4, "Nearly.")
    give(quick, "ben", "written_speed", 4, "Nearly.")
    assert _next(LESSON).startswith(f"\nNext: nbgrader generate_feedback {LESSON} · ")
    Classroom(quick.course).hand_in("ben", as_notebook(cells_with(written_speed="Another answer.")))
    quick.autograde()
    assert _next(LESSON).startswith("\nNext: mark 1 by hand (`jupyter lab`, Nbgrader, Formgrader, Manual Grading) · ")


def test_a_grade_given_by_hand_stays_and_waits_for_another_look(quick):
    give(quick, "ben", "check_rms_norm", 3)
    quick.mend()
    said = listened(quick).changed()
    assert "ben (rms_norm 2 → 6, but 3 given by hand stays)" in said
    assert grade(quick, "ben", "check_rms_norm") == (6, 3, True, 3)


def test_an_answer_that_is_another_one_waits_for_another_look(quick):
    give(quick, "ben", "written_speed", 4)
    Classroom(quick.course).hand_in("ben", as_notebook(cells_with(**RIGHT, written_speed="Another answer.")))
    assert "ben (rms_norm 2 → 6)" in listened(quick).changed()
    assert grade(quick, "ben", "written_speed") == (None, 4, True, 4)


def test_the_same_answer_in_another_file_does_not_wait(quick):
    give(quick, "ben", "written_speed", 4)
    Classroom(quick.course).hand_in("ben", as_notebook(cells_with(**RIGHT, **WRITTEN)))
    quick.autograde()
    assert grade(quick, "ben", "written_speed") == (None, 4, False, 4)


def test_one_exercise(quick):
    """All verdicts that are partly right change, but only one exercise's grades do."""
    before = (quick.course.autograded / "ben" / LESSON / NAME).read_text()
    quick.verdict = lambda name, text: replace(verdict(name, text), score=1)
    quick.code = b"{}"
    found = quick.autograde(exercise="rms_norm")
    assert {name: [v.score for v in one.verdicts] for name, one in found.items()} == {
        "ada": [1, 4, 10],
        "ben": [1, 4, 10],
    }
    assert grade(quick, "ben", "check_rms_norm")[0] == 1
    assert grade(quick, "ben", "check_rms_norm_module")[0] == 4
    after = (quick.course.autograded / "ben" / LESSON / NAME).read_text()
    assert after != before and HALF.splitlines()[-1].strip().replace('"', '\\"') in after
    assert listened(quick, exercise="rms_norm").changed().startswith("Grades changed: none")
    assert "ben (rms_norm_backward 10 → 1, rms_norm_module 4 → 1)" in listened(quick).changed()


def test_one_exercise_of_one_student(quick):
    quick.mend()
    assert "ben (rms_norm 2 → 6)" in listened(quick, exercise="rms_norm", student="ben").changed()


def test_one_exercise_of_those_who_have_no_grade_or_another_file(quick):
    room = Classroom(quick.course)
    room.hand_in("cy", as_notebook(cells_with(**RIGHT)))
    room.hand_in("ben", as_notebook(cells_with(**RIGHT)))
    found = quick.autograde(exercise="rms_norm")
    assert found["ada"].problem is None
    assert "Not graded by this grader yet: `python -m grader autograde 03_rms_norm --student cy`" in found["cy"].problem
    assert "Another file was handed in since" in found["ben"].problem
    assert grade(quick, "ben", "check_rms_norm")[0] == 2


def test_an_exercise_that_is_not_there(quick):
    with pytest.raises(CourseError, match="grades no exercise 'rms'"):
        quick.autograde(exercise="rms")


def test_run_again_and_another_verdict_is_saved(quick):
    """Of the same key: a notebook that had timed out on a busy machine."""
    quick.verdict = right
    assert "ben (rms_norm 2 → 6)" in listened(quick, again=True).changed()
    assert grade(quick, "ben", "check_rms_norm")[0] == 6


def test_what_is_saved_is_not_saved_again(quick):
    path = quick.course.autograded / "ben" / LESSON / NAME
    before = path.stat()
    quick.autograde(again=True)
    assert path.stat().st_mtime_ns == before.st_mtime_ns and path.stat().st_ino == before.st_ino


def test_progress_counts_verdicts(quick):
    assert listened(quick).counts() == "5 passed, 1 partly"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_shows_rate_time_left_and_verdicts(quick, monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    with Progress(LESSON, shown=True) as progress:
        quick.autograde(listener=progress)
    last = sys.stderr.getvalue().split("\r")[-1]
    assert "2/2 [" in last and "notebook" in last and "5 passed, 1 partly]" in last
    assert re.search(r"\[\d\d:\d\d<\d\d:\d\d, +[\d.]+(notebook/s|s/notebook)", last)


def test_no_bar_where_it_is_not_wanted(quick, monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    listened(quick)
    assert sys.stderr.getvalue() == ""
