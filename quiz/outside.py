"""What questions name outside the bank: headings of the lesson, mistakes of exercises. Looked up where that is there.

A class has no answers, and a bank may come before its lesson: then nothing is said.
"""

import difflib
import importlib
import json
import re
from functools import cache
from pathlib import Path

from quiz.bank import Problem
from quiz.rules import Found
from quiz.schema import Bank, Question

LESSONS = Path(__file__).parents[1] / "lessons"
PARTS = ("options", "traps", "swaps", "confusions")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def unknown(bank: Bank, lessons: Path = LESSONS) -> list[Problem]:
    """Every heading and every mistake that a question names and that is not there; file, question and field named."""
    found = headings(lessons / bank.lesson / f"{bank.lesson.partition('_')[2]}.ipynb")
    return [
        Problem(f"{bank.lesson}.yaml", question.id, *problem)
        for question in bank.questions
        for problem in (*_heading(question, found), *_mistakes(question))
    ]


def headings(notebook: Path) -> list[str]:
    """A notebook's headings, without their marks; none where there is no notebook."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return []
    texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return HEADING.findall("\n".join(texts))


def _heading(question: Question, found: list[str]) -> Found:
    if question.heading and found and question.heading not in found:
        yield "heading", f"{question.heading!r} is no heading of the lesson{_near(question.heading, found)}"


def _mistakes(question: Question) -> Found:
    for kind in PARTS:
        for number, part in enumerate(getattr(question, kind, [])):
            if said := part.mistake and _wrong_with(part.mistake):
                yield f"{kind}[{number}].mistake", said


@cache
def _wrong_with(mistake: str) -> str:
    """Why this is no mistake of an exercise; "" where it is one, and where nobody can look."""
    try:
        answers = importlib.import_module("grader.answers")
    except ModuleNotFoundError:
        return ""
    exercise, _, key = mistake.partition("/")
    try:
        known = [one.key for one in answers.of(exercise).mistakes]
    except answers.CourseError as error:
        return str(error)
    return "" if key in known else f"the exercise {exercise!r} has no mistake {key!r}{_near(key, known)}"


def _near(name: str, known: list[str]) -> str:
    found = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""
