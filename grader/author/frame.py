"""Verify a lesson's frame: the cells that nbgrader and the grader rely on, before anyone gets to see them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from grader.author import cells
from grader.author.source import short
from grader.errors import CourseError
from grader.probe import Exercise

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
H1 = re.compile(r"^# ", re.MULTILINE)


def verify(notebook: NotebookNode, exercises: list[Exercise], path: Path) -> None:
    """Raise CourseError, naming file, cell and field of everything that is wrong with the frame."""
    found = list(problems(notebook, exercises))
    if found:
        raise CourseError("\n".join(f"{short(path)}, {problem}" for problem in found))


def problems(notebook: NotebookNode, exercises: list[Exercise]) -> Iterator[str]:
    """One sentence for each thing that is wrong, beginning with the cell that it is wrong with."""
    by_id = {exercise.id: exercise for exercise in exercises}
    for number, cell in enumerate(notebook.cells, 1):
        for problem in _of_cell(cell, by_id):
            yield f"cell {number} ({name_of(cell)}): {problem}"
    yield from _of_whole(notebook, by_id)


def name_of(cell: NotebookNode) -> str:
    """What a person finds a cell by: its grade_id, or how it begins."""
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
    first = cell.source.strip().split("\n")[0]
    return str(grade_id or f"{cell.cell_type}, {first[:40]!r}")


def _of_cell(cell: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    yield from cells.syntax(cell)
    yield from cells.regions(cell)
    meta = cell.metadata.get("nbgrader")
    if meta is None:
        return
    wrong = list(cells.metadata(meta))
    yield from wrong
    if not wrong:
        yield from _of_kind(cell, exercises)
    if cells.EXPERIMENT in cell.metadata.get("tags", []):
        yield f"tags: grading leaves out cells tagged {cells.EXPERIMENT!r}, so this one cannot have that tag"


def _of_kind(cell: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    meta = cell.metadata.nbgrader
    if meta.grade and meta.solution:
        yield from cells.written(cell)
    elif meta.grade:
        yield from cells.check(cell, exercises)
    elif meta.solution:
        yield from cells.solution(cell, exercises)
    elif meta.grade_id == cells.SETUP:
        yield from cells.setup(cell)
    elif meta.grade_id.startswith(cells.CHECK):
        yield from cells.extra_check(cell, exercises)


def _of_whole(notebook: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    ids = Counter(cell.metadata.nbgrader.get("grade_id") for cell in notebook.cells if "nbgrader" in cell.metadata)
    for grade_id, count in ids.items():
        if count > 1:
            yield f"grade_id: {count} cells are called {grade_id!r}; each needs a name of its own"
    if cells.SETUP not in ids:
        yield f"there is no locked cell with grade_id {cells.SETUP!r}, which imports what the lesson needs"
    for exercise in exercises:
        for needed in (exercise, cells.CHECK + exercise):
            if needed not in ids:
                yield f"exercise {exercise!r}: there is no cell with grade_id {needed!r}"
    yield from _headings(notebook)


def _headings(notebook: NotebookNode) -> Iterator[str]:
    prose = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    count = sum(len(H1.findall(FENCE.sub("", text))) for text in prose)
    if count != 1:
        yield f"a lesson has one heading of level 1 (`# Title`); this one has {count}"
