"""The frame with the student's work in it: all that is executed and judged of a submission."""

import re
from collections.abc import Callable

from grader.notebook.demands import demand_gradable
from grader.notebook.frame import (
    GRADING,
    HIDDEN,
    dump,
    exercise_of,
    fresh,
    grade_id,
    is_check,
    is_experiment,
    is_locked,
    is_solution,
    load,
    page,
)
from grader.notebook.matching import match, unmoved
from grader.notebook.reading import Cell, read_cells

PROBE = 'from grader.exercises.emit import emit\n\nemit("{exercise}", {seed})'
# Leaves no name behind in the notebook.
FILES = '__import__("grader.probe.files").probe.files.put({files!r})'
FILES_ID = "assignment-files"


def rebuild(frame: bytes, submitted: bytes, lesson: str, seed_for: Callable[[str], int], hidden: bool = True) -> bytes:
    """The notebook to execute: the released one with the student's cells, checks turned into probe calls.

    seed_for   exercise id -> the seed of its inputs for this submission
    hidden     whether plain tests are run with their hidden parts, or as they were released

    Whatever the student did to cells that are not theirs (setup, checks, points, kernel) is gone. A solution
    cell that is missing stays the stub. Raises Unreadable if `submitted` is no notebook, and CourseError if
    the frame has a graded cell that cannot be graded.
    """
    released = load(frame)
    demand_gradable(released, lesson)
    cells = read_cells(submitted)
    found = match(released["cells"], cells)
    filled = [_filled(cell, cells, found.get(i), seed_for, hidden) for i, cell in enumerate(released["cells"])]
    ordered = _in_place(filled, found, _added(released["cells"], cells, found))
    kept = [*_files(released), *(cell for cell in ordered if not is_experiment(cell))]
    return dump(page(released) | {"cells": _with_ids(kept), "nbformat": 4, "nbformat_minor": 5})


def _files(released: dict) -> list[dict]:
    """A locked cell, before all others, that makes the assignment's files where the notebook runs."""
    files = released["metadata"].get(GRADING, {}).get("files")
    mark = {"grade_id": FILES_ID, "grade": False, "locked": True, "solution": False, "task": False, "schema_version": 3}
    cell = _new_cell("code", FILES.format(files=files), {"nbgrader": mark})
    return [cell | {"id": FILES_ID}] if files else []


def _filled(cell: dict, cells: list[Cell], place: int | None, seed_for: Callable[[str], int], hidden: bool) -> dict:
    """A cell of the frame with what the student wrote in it, if that counts."""
    new = fresh(cell)
    if (exercise := exercise_of(cell)) is not None:
        new["source"] = PROBE.format(exercise=exercise, seed=int(seed_for(exercise)))
    elif is_check(cell) and hidden:
        new["source"] = cell["metadata"].get(HIDDEN, cell["source"])
    elif place is not None and not is_locked(cell):
        theirs = cells[place]
        # Only a plain cell may become another kind: nbgrader needs to find its own ones as they were.
        kind = cell["cell_type"] if is_solution(cell) else theirs.kind
        changed = theirs.source != cell["source"] or kind != cell["cell_type"]
        if changed:
            new = _new_cell(kind, theirs.source, cell["metadata"]) | {"id": cell["id"]}
    return new


def _new_cell(kind: str, source: str, metadata: dict) -> dict:
    if kind == "markdown":
        # Pictures are left behind, and a page that asks for one that is not there cannot be rendered.
        source = re.sub(r"\battachment:", "left-out:", source)
    new = {"cell_type": kind, "metadata": metadata, "source": source}
    return new | {"execution_count": None, "outputs": []} if kind == "code" else new


def _added(frame: list[dict], cells: list[Cell], found: dict[int, int]) -> dict[int, list[dict]]:
    """What is not the frame's, by the frame position it stands after (-1: before all of them)."""
    ours, anchors = set(found.values()), unmoved(found)
    locked = {(grade_id(cell), cell["source"]) for cell in frame if is_locked(cell)}
    added: dict[int, list[dict]] = {}
    after = -1
    for place, cell in enumerate(cells):
        after = anchors.get(place, after)
        # A copy of an experiment is as slow as the experiment; one of a locked cell adds nothing.
        if place not in ours and not cell.experiment and (cell.grade_id, cell.source) not in locked:
            added.setdefault(after, []).append(_new_cell(cell.kind, cell.source, {}))
    return added


def _in_place(filled: list[dict], found: dict[int, int], added: dict[int, list[dict]]) -> list[dict]:
    """All cells in order. Where cells of the frame are missing, stubs come before what the student added
    there and checks after it: a student who replaced a cell by one of their own is judged by that."""
    ordered: list[dict] = []
    theirs, late = added.get(-1, []), []
    for position, cell in enumerate(filled):
        if position in found:
            ordered += [*theirs, *late, cell]
            theirs, late = added.get(position, []), []
        else:
            waits = is_check(cell) or (late and cell["cell_type"] != "code")
            (late if waits else ordered).append(cell)
    return [*ordered, *theirs, *late]


def _with_ids(cells: list[dict]) -> list[dict]:
    taken, number = {cell["id"] for cell in cells if "id" in cell}, 0
    for cell in cells:
        while "id" not in cell:
            number += 1
            if (new := f"added-{number}") not in taken:
                cell["id"] = new
    return cells
