"""Answers of different students that are the same after normalising: for the instructor to look at, no proof."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from grader.answers import of
from grader.author.source import read_source
from grader.course.normal import Form, form
from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.notebook.frame import grade_id, is_solution, load
from grader.notebook.graded import Graded
from grader.paths import Course

SHORT = 16  # parts of a form: below, people who do not know each other write the same
WORDS = (
    "Answers that are the same after normalising: comments, spacing, docstrings, annotations and the names a student "
    "chose are ignored; untouched cells and short answers are left out. That is no proof of anything: two people can "
    "write the same, most easily where there is one natural way. It says where to look."
)


@dataclass(frozen=True)
class Group:
    """verdict: as all of them got it ("6/6 passed"). lines: of the first one's code. own: it is the course's answer."""

    exercise: str
    students: tuple[str, ...]
    verdict: str
    lines: int
    own: bool

    def to_json(self) -> dict:
        return vars(self) | {"students": list(self.students)}


def alike(course: Course, lesson: str, graded: list[Graded]) -> list[Group]:
    """Groups of two and more, the longest answers first: the longer, the less likely by chance."""
    names, groups = course.notebooks(lesson), []
    for name in names:
        shown = f"{name}/" if len(names) > 1 else ""
        groups += _in_notebook(course, lesson, name, shown, graded)
    ordered = sorted(groups, key=lambda item: (-item[0], item[1].exercise, item[1].students))
    return [group for _, group in ordered]


def _in_notebook(
    course: Course, lesson: str, name: str, shown: str, graded: list[Graded]
) -> Iterator[tuple[int, Group]]:
    """With the size of each. shown: what stands before the names of this notebook's exercises."""
    stubs = {answer: form(source).text for answer, source in _answers(load(course.release(lesson, name).read_bytes()))}
    found: dict[tuple[str, Form], list[tuple[Graded, str]]] = {}
    for one in graded:
        for answer, source in _answers(_notebook(course.autograded / one.student / lesson / f"{name}.ipynb")):
            shape = form(source)
            if shape.size >= SHORT and shape.text != stubs.get(answer):
                found.setdefault((answer, shape), []).append((one, source))
    own = {answer: set(_own_forms(course.source(lesson, name), answer)) for answer in stubs}
    for (answer, shape), some in found.items():
        if len(some) > 1:
            yield shape.size, _group(shown + answer, some, shape.text in own.get(answer, ()))


def _group(exercise: str, some: list[tuple[Graded, str]], own: bool) -> Group:
    students, source = tuple(one.student for one, _ in some), some[0][1]
    verdicts = [v for one, _ in some for v in one.verdicts if v.exercise == exercise]
    said = sorted({f"{v.score:g}/{v.points:g} {v.mistake or v.status}" for v in verdicts})
    lines = sum(bool(line.strip()) for line in source.splitlines())
    return Group(exercise, students, ", ".join(said), lines, own)


def _notebook(path: Path) -> dict:
    try:
        return json.loads(read_regular(path))
    except (NotReadable, ValueError):
        return {"cells": []}


def _answers(notebook: dict) -> Iterator[tuple[str, str]]:
    """Name and code of each cell that students fill with code: in a lesson, the exercises."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and is_solution(cell):
            source = cell["source"]
            yield grade_id(cell), source if isinstance(source, str) else "".join(source)


def _own_forms(path: Path, answer: str) -> Iterator[str]:
    """Of the instructor's own notebook, and of the right answers known to the tests."""
    cells = read_source(path).cells if path.suffix == ".py" else nbformat.read(path, as_version=4).cells
    yield from (form(cell.source).text for cell in cells if grade_id(cell) == answer)
    try:
        known = of(answer)
    except (CourseError, ImportError):  # not one of this course's exercises
        return
    for implementation in (known.reference, *known.variants.values()):
        yield form(known.source(implementation)).text
