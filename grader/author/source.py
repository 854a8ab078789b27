"""Read a lesson's source, a Python file in jupytext's percent format, into a notebook that never varies."""

import json
import re
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from grader.errors import CourseError

# Written into every notebook whatever kernel the author's Lab happened to name: the bytes must not depend on
# a machine.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# Of a cell's metadata only these say something about the lesson; the rest is what an editor remembers.
CELL_KEYS = ("nbgrader", "tags")
HEADER = "# ---\n# jupyter:\n"
NOT_IN_ID = re.compile(r"[^a-zA-Z0-9_-]")


def parse(path: Path) -> NotebookNode:
    """The file as jupytext reads it, its layout remembered. Raises CourseError if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        notebook = jupytext.reads(text, fmt="py:percent")
    except (UnicodeDecodeError, ValueError, TypeError) as error:
        raise CourseError(f"{short(path)} is no lesson in jupytext's percent format: {error}") from error
    if not text.startswith(HEADER):
        raise CourseError(
            f"{short(path)}, line 1: the lines from `# ---` to `# ---` are missing, by which Lab knows a notebook: "
            "copy them from another lesson."
        )
    for number, cell in enumerate(notebook.cells, 1):
        if "incorrectly_encoded_metadata" in cell.metadata:
            text = cell.metadata["incorrectly_encoded_metadata"]
            raise CourseError(f"{short(path)}, cell {number}: what follows `# %%` is not valid: {text}")
    return notebook


def read_source(path: Path) -> NotebookNode:
    """The lesson as an nbformat 4.5 notebook: fixed metadata, fixed cell ids, no outputs."""
    return plain(parse(path))


def plain(notebook: NotebookNode) -> NotebookNode:
    """`notebook` without anything that an editor, a kernel or a machine put into it."""
    cells = [_plain_cell(cell, number) for number, cell in enumerate(notebook.cells)]
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def kept(cell: NotebookNode) -> dict:
    """The part of a cell's metadata that belongs to the lesson, in one order of keys."""
    found = {key: cell.metadata[key] for key in CELL_KEYS if cell.metadata.get(key)}
    return json.loads(json.dumps(found, sort_keys=True))


def cell_id(cell: NotebookNode, position: int) -> str:
    """A valid notebook cell id that is the same in every build: from the grade_id, else from the position.

    Students' copies are matched by it. The frame check refuses grade_ids that would not be valid ids.
    """
    grade_id = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
    return NOT_IN_ID.sub("-", grade_id)[:64] or f"cell-{position:03d}"


def short(path: Path) -> str:
    """A lesson's file as a person names it: solutions/03_rms_norm/rms_norm.py."""
    return "/".join(path.parts[-3:])


def _plain_cell(cell: NotebookNode, position: int) -> dict:
    new = {"cell_type": cell.cell_type, "id": cell_id(cell, position), "metadata": kept(cell)}
    new["source"] = cell.source
    if cell.cell_type == "code":
        new |= {"execution_count": None, "outputs": []}
    return new
