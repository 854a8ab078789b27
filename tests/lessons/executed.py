"""Runs a lesson's source from top to bottom in a real kernel."""

from pathlib import Path

import jupytext
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.paths import find_course

COURSE = find_course(Path(__file__).parent)


def executed(lesson: str, folder: Path, *preprocessors) -> NotebookNode:
    """preprocessors: nbgrader's, which make another edition of it first. Raises CellExecutionError."""
    notebook = jupytext.read(COURSE.source(lesson))
    for preprocessor in preprocessors:
        notebook, _ = preprocessor().preprocess(notebook, {})
    NotebookClient(
        notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook
