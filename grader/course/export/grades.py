"""The grades of a lesson as the gradebook has them."""

import csv
import io
from dataclasses import dataclass

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment

from grader.errors import CourseError

ROW = ["assignment", "student_id", "last_name", "first_name", "email", "notebook", "exercise", "score", "max_score"]
HEAD = [*ROW, "needs_manual_grade"]


@dataclass(frozen=True)
class Grade:
    """One student's. total: with the penalty for lateness off, as nbgrader exports it."""

    total: float
    max_score: float
    complete: bool


def grades(book: Gradebook, lesson: str) -> dict[str, Grade]:
    """By student, of all who have handed in. Raises CourseError if the gradebook does not know the lesson."""
    return {one.student.id: _grade(one) for one in submissions(book, lesson)}


def submissions(book: Gradebook, lesson: str) -> list[SubmittedAssignment]:
    try:
        book.find_assignment(lesson)
    except MissingEntry as error:
        raise CourseError(
            f"The gradebook has no grades of {lesson}: `python -m grader autograde {lesson}` comes first."
        ) from error
    return sorted(book.assignment_submissions(lesson), key=lambda one: one.student.id)


def _grade(one: SubmittedAssignment) -> Grade:
    total = max(0.0, one.score - (one.late_submission_penalty or 0.0))
    return Grade(total, one.max_score, not one.needs_manual_grade)


def by_exercise(book: Gradebook, lessons: list[str], students: list[str]) -> str:
    """A CSV with a row for each student and graded cell; the penalty for lateness is not in it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for lesson in lessons:
        for one in submissions(book, lesson):
            if not students or one.student.id in students:
                writer.writerows(_rows(lesson, one))
    return text.getvalue()


def _rows(lesson: str, one: SubmittedAssignment) -> list[list[object]]:
    who = one.student
    about = [lesson, who.id, who.last_name or "", who.first_name or "", who.email or ""]
    found = [(notebook.name, grade) for notebook in one.notebooks for grade in notebook.grades]
    return [
        [*about, name, grade.name, grade.score, grade.max_score, "yes" if grade.needs_manual_grade else "no"]
        for name, grade in sorted(found, key=lambda pair: (pair[0], pair[1].name))
    ]
