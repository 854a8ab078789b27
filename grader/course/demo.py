"""The instructor's whole job on a generated class: release, autograde, feedback, export, report."""

import csv
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.course.demo_class import Member, members
from grader.course.gradebook import Book
from grader.course.report import graded_class, in_words
from grader.course.submissions import TIMESTAMP
from grader.errors import CourseError
from grader.notebook.graded import Graded
from grader.paths import CONFIG, Course, short_name

DUE, ON_TIME, LATE = (f"2026-01-31 {hour}:00:00 UTC" for hour in (12, 11, 13))
# Short, so that the endless loop is soon over; long enough for a busy machine to import torch.
LIMITS = ("--cell-seconds", "20", "--notebook-seconds", "120")


@dataclass(frozen=True)
class Outcome:
    """What came out for one member: the gradebook's score and lateness, the verdicts, the feedback page."""

    member: Member
    score: float | None
    late: bool
    graded: Graded | None
    page: Path

    @property
    def as_made(self) -> bool:
        """Whether that is what the member was made with."""
        if self.graded is None or not self.page.is_file():
            return False
        named = tuple(verdict.mistake for verdict in self.graded.verdicts if verdict.mistake)
        made = (self.member.expected, self.member.late, self.member.mistakes)
        return (self.score, self.late, named) == made

    def row(self) -> list[object]:
        said = in_words(self.graded) if self.graded else "no verdict"
        said = f"{said}, late" if self.late else said
        score = "none" if self.score is None else f"{self.score:g}"
        words = said if len(said) <= 80 else said[:79] + "…"
        return [self.member.name, self.member.about, self.member.expected, score, "" if self.as_made else "✗", words]


HEAD = ["student", "handed in", "expected", "score", "", "verdict"]


def demo(course: Course, lesson: str, folder: Path, tell: Callable[[str], None]) -> list[Outcome]:
    """Makes a course with a class in `folder`, grades it with the commands an instructor gives, compares.

    tell   called with each command before it is run

    Raises CourseError, with what it printed, if a command fails.
    """
    made = new_course(course, lesson, folder)
    commands = _Commands(made, tell)
    commands.run("grader", "build", lesson)
    handed_in = members(lesson, made.release(lesson).read_bytes())
    for member in handed_in:
        _hand_in(made, lesson, member)
    with Book(made, lesson).open() as book:
        book.update_or_create_assignment(lesson, duedate=DUE)
    commands.run("grader", "autograde", lesson, *LIMITS)
    commands.run("nbgrader", "generate_feedback", lesson)
    commands.run("nbgrader", "export", "--to", "grades.csv")
    commands.run("grader", "report", lesson, "--csv", "report.csv", "--html", "report.html")
    return _outcomes(made, lesson, handed_in)


def new_course(course: Course, lesson: str, folder: Path) -> Course:
    """A course with this one lesson, and nothing else of the real one."""
    if folder.exists() and any(folder.iterdir()):
        raise CourseError(f"{folder} is not empty: name a new folder.")
    made = Course(folder)
    (made.solutions / lesson).mkdir(parents=True)
    shutil.copy(course.root / CONFIG, folder)
    shutil.copy(course.source(lesson), made.solutions / lesson)
    return made


def _hand_in(course: Course, lesson: str, member: Member) -> None:
    folder = course.submitted / member.name / lesson
    folder.mkdir(parents=True)
    (folder / f"{short_name(lesson)}.ipynb").write_bytes(member.content)
    (folder / TIMESTAMP).write_text(LATE if member.late else ON_TIME)


class _Commands:
    def __init__(self, course: Course, tell: Callable[[str], None]):
        self.course, self.tell = course, tell

    def run(self, module: str, *arguments: str) -> None:
        self.tell(" ".join(("python -m grader" if module == "grader" else module, *arguments)))
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=self.course.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise CourseError(f"{module} {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}")


def _outcomes(course: Course, lesson: str, handed_in: list[Member]) -> list[Outcome]:
    with (course.root / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    graded = {one.student: one for one in graded_class(course, lesson)}
    return [_outcome(course, lesson, member, rows.get(member.name), graded.get(member.name)) for member in handed_in]


def _outcome(course: Course, lesson: str, member: Member, row: dict | None, graded: Graded | None) -> Outcome:
    page = course.root / "feedback" / member.name / lesson / f"{short_name(lesson)}.html"
    if row is None:
        return Outcome(member, None, False, graded, page)
    return Outcome(member, float(row["raw_score"]), row["timestamp"] > row["duedate"], graded, page)
