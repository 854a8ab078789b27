"""The instructor's answers: a table with a row for each file that is asked about."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from grader.course.collect.plan import LEAVE, Question
from grader.course.sheet import read_sheet
from grader.errors import CourseError
from grader.files import write_atomically

HEAD = ["file", "student", "why", "could be"]


def read_answers(path: Path, students: Iterable[str]) -> dict[str, str]:
    """A file of the download, as it was listed -> a student's id, or LEAVE. Rows without an answer are still open.

    Raises CourseError for an id that is nobody's.
    """
    sheet, known = read_sheet(path), {student.casefold(): student for student in students}
    file, student = sheet.column("file"), sheet.column("student")
    if file is None or student is None:
        raise CourseError(f"{path} needs the headings file and student.")
    answers = {row[file].strip(): row[student].strip() for row in sheet.rows if row[student].strip()}
    wrong = [answer for answer in answers.values() if answer != LEAVE and answer.casefold() not in known]
    if wrong:
        raise CourseError(f"{path}: {', '.join(sorted(set(wrong)))} is nobody's id in the roster or the gradebook.")
    return {name: known.get(answer.casefold(), answer) for name, answer in answers.items()}


def write_questions(path: Path, questions: Iterable[Question], answers: dict[str, str]) -> None:
    """All answers so far, and a row for each file that is still open."""
    rows = {name: [name, answer, "", ""] for name, answer in answers.items()}
    for question in questions:
        for found in question.files:
            name = found.item.shown
            rows.setdefault(name, [name, "", question.why, " ".join(question.people)])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEAD, *rows.values()])
    try:
        write_atomically(path, text.getvalue().encode("utf-8-sig"))
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}). Name another file.") from error
