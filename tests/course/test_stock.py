"""The same scores as stock `nbgrader autograde`, with its default preprocessors, on the same notebooks."""

import subprocess
import sys

import pytest

from grader.author.source import read_source
from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.stock import use_nbgraders_own
from grader.paths import Course
from tests.course.classroom import LESSON, LIMITS, Classroom, as_notebook, built, cells_with, half, new_course


def without_experiments(cells: list[dict]) -> bytes:
    """As a student can save them: nbclient, and so stock nbgrader, passes over cells with this tag."""
    for cell in cells:
        if "experiment" in cell["metadata"].get("tags", []):
            cell["metadata"]["tags"].append("skip-execution")
    return as_notebook(cells)


def solution_cells(course: Course) -> list[dict]:
    """The instructor's own notebook, answers and all, under the released notebook's metadata."""
    source = read_source(course.source(LESSON)).cells
    named = {cell.metadata["nbgrader"]["grade_id"]: cell.source for cell in source if "nbgrader" in cell.metadata}
    checks = {name: 'check("' + name.removeprefix("check_") + '")' for name in named if name.startswith("check_")}
    return cells_with(**{**named, **checks})


def hand_in(course: Course) -> None:
    room = Classroom(course)
    room.hand_in("blank", without_experiments(cells_with()))
    room.hand_in("half", without_experiments(half()))
    room.hand_in("solution", without_experiments(solution_cells(course)))


def scores(course: Course) -> dict:
    """Per student and graded cell: score and whether a person has to look; comments made by nbgrader."""
    with Book(course, LESSON).open() as book:
        found = {}
        for submission in book.assignment_submissions(LESSON):
            (notebook,) = submission.notebooks
            grades = {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades}
            comments = {comment.name: comment.auto_comment for comment in notebook.comments}
            found[submission.student.id] = grades, comments
        return found


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> tuple[dict, dict]:
    """Scores by stock nbgrader and by ours."""
    stock, ours = (new_course(tmp_path_factory.mktemp(name)) for name in ("stock", "ours"))
    use_nbgraders_own(stock)
    for course in (stock, ours):
        hand_in(course)
    Book(stock, LESSON).announce()
    run_stock(stock)
    autograde(ours, LESSON, Settings(workers=2, limits=LIMITS))
    return scores(stock), scores(ours)


def run_stock(course: Course) -> None:
    """nbgrader gives a notebook up whose output is more than four seconds late, as on a busy machine."""
    command = [sys.executable, "-m", "nbgrader", "autograde", LESSON, "--Execute.iopub_timeout=120"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
def test_equal(both):
    stock, ours = both
    # Without the third solution cell stock nbgrader has no comment on it; the frame puts the stub back.
    assert stock["half"][1].pop("rms_norm_backward") is None
    assert ours["half"][1].pop("rms_norm_backward") == "No response."
    assert ours == stock


@pytest.mark.slow
def test_full_partial_none(both):
    _, ours = both
    points = {"check_rms_norm": 6, "check_rms_norm_module": 4, "check_rms_norm_backward": 10}
    grades = {name: {cell: score for cell, (score, _) in found[0].items()} for name, found in ours.items()}
    assert grades["solution"] == points | {"written_speed": None}
    assert grades["blank"] == dict.fromkeys(points, 0) | {"written_speed": 0}
    assert grades["half"] == {
        "check_rms_norm": 2,
        "check_rms_norm_module": 4,
        "check_rms_norm_backward": 0,
        "written_speed": None,
    }


@pytest.mark.slow
def test_no_response(both):
    for found in both:
        assert found["blank"][1]["written_speed"] == "No response."
        assert found["half"][1]["written_speed"] is None


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_stock_runs_the_whole_solution(tmp_path):
    """Experiments and all: full marks from stock nbgrader."""
    course = new_course(tmp_path)
    use_nbgraders_own(course)
    Classroom(course).hand_in("solution", as_notebook(solution_cells(course)))
    Classroom(course).hand_in("blank", built())
    Book(course, LESSON).announce()
    run_stock(course)
    found = scores(course)
    total = {name: sum(score or 0 for score, _ in grades.values()) for name, (grades, _) in found.items()}
    assert total == {"solution": 20, "blank": 0}
