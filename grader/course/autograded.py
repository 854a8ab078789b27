"""The autograded notebook of a student: which results it holds, and how one exercise's verdict is replaced in it.

Its metadata name the result it was made from (`result`), and for exercises that were graded again alone, theirs
(`results`). See `grader.course.results`.
"""

import copy
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.notebook.frame import CHECK, exercise_ids, grade_id, is_check
from grader.notebook.plain import plain_tests


def gradable(frame: dict) -> list[str]:
    """What of a frame can be graded again by itself: its exercises and its plain tests."""
    return [*exercise_ids(frame), *plain_tests(frame)]


def read_autograded(path: Path) -> NotebookNode | None:
    """None if there is none, or one that cannot be read."""
    try:
        notebook = nbformat.read(path, as_version=4)
        return notebook if isinstance(notebook.metadata, dict) else None
    except (OSError, ValueError, AttributeError):
        return None


def result_of(notebook: NotebookNode, exercise: str | None = None) -> str | None:
    """The key of the result that the notebook, or one exercise in it, was made from; None if nbgrader made it."""
    alone = notebook.metadata.get("results", {})
    return alone.get(exercise, notebook.metadata.get("result"))


def holds(old: NotebookNode, new: NotebookNode, key: str, exercise: str | None = None) -> bool:
    """Whether the old notebook, or one exercise in it, is what this new result would make it.

    Of the same key, a result that was run again can be another one: time and memory are not in the key.
    """
    if exercise is not None:
        return result_of(old, exercise) == key and _check(old, exercise) == _check(new, exercise)
    others = set(old.metadata.get("results", {}).values())
    return result_of(old) == key and others <= {key} and old.cells == new.cells


def with_one_exercise(old: NotebookNode, new: NotebookNode, exercise: str, key: str) -> NotebookNode:
    """The old notebook with the new one's verdict on one exercise."""
    merged = copy.deepcopy(old)
    verdict = _check(new, exercise)
    merged.cells = [verdict if _is_check_of(cell, exercise) else cell for cell in merged.cells]
    merged.metadata["results"] = {**old.metadata.get("results", {}), exercise: key}
    if new.metadata.get("run", {}).get("sandboxed") is False and "run" in merged.metadata:
        merged.metadata["run"]["sandboxed"] = False
    return merged


def only(notebook: NotebookNode, exercise: str | None) -> NotebookNode:
    """What of the notebook is to be saved: all of it, or the check of one exercise."""
    if exercise is None:
        return notebook
    return nbformat.from_dict({**notebook, "cells": [_check(notebook, exercise)]})


def _check(notebook: NotebookNode, exercise: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if _is_check_of(cell, exercise))


def _is_check_of(cell: NotebookNode, exercise: str) -> bool:
    return is_check(cell) and grade_id(cell) in (exercise, CHECK + exercise)
