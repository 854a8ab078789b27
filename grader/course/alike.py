"""Answers of different students that are the same after normalising: for the instructor to look at, no proof."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from grader.answers import of
from grader.author.source import read_source
from grader.course.normal import Form, form
from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.notebook.frame import exercise_ids, grade_id, is_solution, load
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
    """Groups of two and more, the longest answers first: the longer, the less likely by chance.

    Of the exercises of the assignment's first notebook.
    """
    frame = load(course.release(lesson).read_bytes())
    wanted = exercise_ids(frame)
    stubs = {name: form(source).text for name, source in _answers(frame, wanted)}
    found: dict[tuple[str, Form], list[tuple[Graded, str]]] = {}
    for one in graded:
        for name, source in _answers(_notebook(course, lesson, one.student), wanted):
            shape = form(source)
            if shape.size >= SHORT and shape.text != stubs.get(name):
                found.setdefault((name, shape), []).append((one, source))
    own = {name: set(_own_forms(course, lesson, name)) for name in wanted}
    groups = [(shape.size, _group(name, shape, some, own)) for (name, shape), some in found.items() if len(some) > 1]
    ordered = sorted(groups, key=lambda item: (-item[0], item[1].exercise, item[1].students))
    return [group for _, group in ordered]


def _group(name: str, shape: Form, some: list[tuple[Graded, str]], own: dict[str, set[str]]) -> Group:
    students, source = tuple(one.student for one, _ in some), some[0][1]
    verdicts = [v for one, _ in some for v in one.verdicts if v.exercise == name]
    said = sorted({f"{v.score}/{v.points} {v.mistake or v.status}" for v in verdicts})
    lines = sum(bool(line.strip()) for line in source.splitlines())
    return Group(name, students, ", ".join(said), lines, shape.text in own[name])


def _notebook(course: Course, lesson: str, student: str) -> dict:
    try:
        return json.loads(read_regular(course.autograded / student / lesson / f"{course.notebooks(lesson)[0]}.ipynb"))
    except (NotReadable, ValueError):
        return {"cells": []}


def _answers(notebook: dict, wanted: list[str]) -> Iterator[tuple[str, str]]:
    """Exercise and code, of each exercise's solution cell."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and is_solution(cell) and grade_id(cell) in wanted:
            source = cell["source"]
            yield grade_id(cell), source if isinstance(source, str) else "".join(source)


def _own_forms(course: Course, lesson: str, name: str) -> Iterator[str]:
    """Of the lesson's solution and of the right answers known to the tests."""
    if (path := course.source(lesson)).suffix == ".py":
        yield from (form(cell.source).text for cell in read_source(path).cells if grade_id(cell) == name)
    try:
        known = of(name)
    except (CourseError, ImportError):  # an exercise that this course does not judge itself
        return
    for implementation in (known.reference, *known.variants.values()):
        yield form(known.source(implementation)).text
