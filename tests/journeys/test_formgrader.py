"""Two teaching assistants mark the written answers of one class at the same time, in JupyterLab's formgrader."""

import csv
import os

import pytest

from grader.course.demo_class import filled
from grader.paths import short_name
from tests.browser import lab
from tests.course.classroom import LESSON, RIGHT
from tests.journeys import formgrader
from tests.journeys.classroom import ACTIVATED, POINTS, WRITTEN, WRITTEN_POINTS, school

NAME = short_name(LESSON)
STUDENTS = ("ada", "ben", "carl", "dora")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


def test_two_assistants_at_once_and_nothing_is_lost(tmp_path):
    teacher = school(tmp_path)
    release = teacher.course.release(LESSON).read_bytes()
    for student in STUDENTS:
        folder = teacher.course.submitted / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(filled(release, RIGHT, f"The answer of {student}."))
    teacher.run("grader", "autograde", LESSON)
    assert _exported(teacher) == dict.fromkeys(STUDENTS, POINTS)
    with lab.lab_server(teacher.course.root, env=ACTIVATED) as url, lab.chromium() as first:
        second = first.context.browser.new_context().new_page()
        given = _mark_by_turns(url, first, second)
    assert len(given) == len(STUDENTS)
    # Under way two each had both forms open; what the gradebook has is what each of them typed.
    assert _marks(teacher) == given
    assert _exported(teacher) == {student: POINTS + score for student, (score, _) in given.items()}


def _mark_by_turns(url: str, *pages) -> dict[str, tuple[int, str]]:
    """Each assistant takes every second submission; all type before anything typed is known to be saved."""
    frames = []
    for page in pages:
        page.goto(url)
        frames.append(formgrader.open_formgrader(page))
    given = {}
    for numbers in ((1, 2), (3, 4)):
        typed = {}
        for frame, number in zip(frames, numbers, strict=True):
            formgrader.open_submissions(frame, LESSON, NAME)
            formgrader.open_submission(frame, number)
            student = _whose(frame)
            typed[student] = (number % (WRITTEN_POINTS + 1), f"Comment {number} for {student}")
        for frame, (score, comment) in zip(frames, typed.values(), strict=True):
            formgrader.type_score(frame, WRITTEN, score, comment)
        for frame in frames:
            formgrader.wait_until_saved(frame)
        given |= typed
    if folder := os.environ.get("COURSE_PICTURES"):
        pages[0].screenshot(path=f"{folder}/formgrader.png")
    return given


def _whose(frame) -> str:
    """Formgrader hides names until asked; the answer tells here."""
    text = frame.locator(".nbgrader_cell", has_text="The answer of").inner_text()
    return next(student for student in STUDENTS if f"The answer of {student}." in text)


def _marks(teacher) -> dict[str, tuple[float, str]]:
    with teacher.gradebook() as book:
        return {
            student: (
                book.find_grade(WRITTEN, NAME, LESSON, student).manual_score,
                book.find_comment(WRITTEN, NAME, LESSON, student).manual_comment,
            )
            for student in STUDENTS
        }


def _exported(teacher) -> dict[str, float]:
    """The totals of nbgrader's own export."""
    teacher.run("nbgrader", "export", "--to", "grades.csv")
    with (teacher.course.root / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
