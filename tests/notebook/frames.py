"""Small released notebooks and what a student makes of them."""

import json

from grader.answers import of

RIGHT = of("rms_norm").source(of("rms_norm").reference)
STUB = "def rms_norm(x, weight, eps):\n    raise NotImplementedError()"


def code(source: str, cell_id: str | None = None, **metadata) -> dict:
    cell = {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}
    return cell | ({"id": cell_id} if cell_id else {})


def text(source: str, cell_id: str | None = None, **metadata) -> dict:
    return {"cell_type": "markdown", "metadata": metadata, "source": source} | ({"id": cell_id} if cell_id else {})


def nbgrader(grade_id: str, **facts) -> dict:
    base = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    return {"nbgrader": base | {"grade_id": grade_id} | facts}


def notebook(cells: list[dict], **metadata) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()


def frame_cells() -> list[dict]:
    """One exercise, one written answer, an experiment, prose, and a plain cell."""
    return [
        text("# Lesson", "title"),
        code("import torch", "setup", **nbgrader("setup", locked=True)),
        text("Some prose.", "prose"),
        code("steps = 3", "plain"),
        code(STUB, "rms_norm", **nbgrader("rms_norm", solution=True)),
        code('check("rms_norm")', "check_rms_norm", **nbgrader("check_rms_norm", grade=True, locked=True, points=6)),
        code("1 / 0  # an experiment", "experiment", tags=["experiment"]),
        text("YOUR ANSWER HERE", "written_why", **nbgrader("written_why", grade=True, solution=True, points=5)),
    ]


def frame() -> bytes:
    return notebook(frame_cells(), kernelspec={"name": "python3", "display_name": "Python 3", "language": "python"})


def filled(**sources: str) -> list[dict]:
    """The frame's cells with these sources by cell id."""
    return [cell | {"source": sources.get(cell["id"], cell["source"])} for cell in frame_cells()]


def seed_for(exercise: str) -> int:
    return 7
