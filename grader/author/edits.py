"""Edits made to a generated source notebook, in formgrader or Lab: never lost, and brought back to the .py.

The notebook carries a hash of the lesson it was generated from: an edit can be told from an old copy.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from grader.author.frame import name_of
from grader.author.source import CELL_KEYS, cell_id, kept, parse, plain, read_source, short
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course

STAMP = "made_from"


def content_hash(notebook: NotebookNode) -> str:
    """What the lesson says: kinds, sources, nbgrader's metadata and tags of its cells, in order."""
    return hashlib.sha256(json.dumps(_contents(notebook)).encode()).hexdigest()


def stamp(notebook: NotebookNode) -> NotebookNode:
    """Write into the notebook what it was generated from."""
    notebook.metadata["grader"] = {STAMP: content_hash(notebook)}
    return notebook


def generated(source: Path) -> Path:
    """Where the generated notebook of a .py lies."""
    return source.with_suffix(".ipynb")


def was_generated(notebook: Path) -> bool:
    """Whether `build` made this notebook, and nobody by hand."""
    return _stamp_of(_read(notebook)) is not None


def is_edited(source: Path) -> bool:
    """Whether the generated notebook says something that neither `build` wrote nor the .py says."""
    if not generated(source).exists():
        return False
    notebook = _read(generated(source))
    now = content_hash(notebook)
    return now not in (_stamp_of(notebook), content_hash(read_source(source)))


def refuse_if_edited(source: Path, lesson: str) -> None:
    """Raise CourseError if building would overwrite someone's edits."""
    if is_edited(source):
        notebook = generated(source)
        raise CourseError(
            f"{short(notebook)} was edited since it was generated, in {_changed(source)}; building would lose that. "
            f"To take the edits into {source.name}: `python -m grader build --take-edits {lesson}`. "
            f"To drop them: delete {notebook.name} and build again."
        )


def take_edits(course: Course, lesson: str) -> bool:
    """Write the .py from its edited notebook, unchanged cells byte for byte; whether there were edits.


    Raises CourseError, and writes nothing, if the .py has changed as well or cannot hold what was edited.
    """
    source = course.source(lesson)
    if not is_edited(source):
        return False
    notebook, old = _read(generated(source)), parse(source)
    if content_hash(old) != _stamp_of(notebook):
        raise CourseError(
            f"{short(source)} has changed too since {generated(source).name} was generated from it, in other ways. "
            f"Put {_changed(source)} into the .py by hand, then delete {generated(source).name} and build."
        )
    text = jupytext.writes(_merged(old, notebook), fmt="py:percent")
    _verify(text, notebook, source)
    write_atomically(source, text.encode())
    return True


def _merged(old: NotebookNode, edited: NotebookNode) -> NotebookNode:
    """The edited cells with the layout (blank lines and such) that jupytext remembers of the old ones."""
    by_id = {cell_id(cell, number): cell for number, cell in enumerate(old.cells)}
    cells = []
    for cell in edited.cells:
        before = by_id.get(cell.get("id"))
        same_kind = before is not None and before.cell_type == cell.cell_type
        layout = _layout(before) if same_kind else {}
        cells.append(nbformat.from_dict({**cell, "metadata": kept(cell) | layout}))
    return nbformat.from_dict({**old, "cells": cells})


def _layout(cell: NotebookNode) -> dict:
    return {key: value for key, value in cell.metadata.items() if key not in CELL_KEYS}


def _verify(text: str, notebook: NotebookNode, source: Path) -> None:
    """The percent format cannot hold everything, such as a line of code that looks like a cell marker."""
    back = plain(jupytext.reads(text, fmt="py:percent"))
    if content_hash(back) != content_hash(notebook):
        cells = ", ".join(_differing(back, notebook))
        raise CourseError(f"{short(source)} cannot hold what was edited in {cells}; put it into the .py by hand.")


def _changed(source: Path) -> str:
    """The edited cells, in words."""
    return ", ".join(_differing(read_source(source), _read(generated(source)))) or "the order of its cells"


def _differing(old: NotebookNode, new: NotebookNode) -> Iterator[str]:
    before = [json.dumps(content) for content in _contents(old)]
    after = [json.dumps(content) for content in _contents(new)]
    for number, (cell, content) in enumerate(zip(new.cells, after, strict=True), 1):
        if content not in before:
            yield f"cell {number} ({name_of(cell)})"
    for cell, content in zip(old.cells, before, strict=True):
        if content not in after and name_of(cell) not in map(name_of, new.cells):
            yield f"a cell that was deleted ({name_of(cell)})"


def _contents(notebook: NotebookNode) -> list:
    return [[cell.cell_type, cell.source.rstrip("\n"), kept(cell)] for cell in notebook.cells]


def _stamp_of(notebook: NotebookNode) -> str | None:
    return notebook.metadata.get("grader", {}).get(STAMP)


def _read(path: Path) -> NotebookNode:
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, KeyError, AttributeError) as error:
        raise CourseError(f"{short(path)} is no readable notebook ({error}). Delete it and build again.") from error
