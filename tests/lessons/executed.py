"""Runs a lesson's source from top to bottom in a real kernel."""

from pathlib import Path

import jupytext
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.paths import find_course

COURSE = find_course(Path(__file__).parent)


class WithoutExperiments:
    """A preprocessor, as nbgrader's are: leaves out what the grader leaves out, too."""

    def preprocess(self, notebook, resources):
        notebook.cells = [cell for cell in notebook.cells if "experiment" not in cell.metadata.get("tags", [])]
        return notebook, resources


def executed(lesson: str, folder: Path, *preprocessors) -> NotebookNode:
    """preprocessors: nbgrader's, which make another edition of it first. Raises CellExecutionError."""
    notebook = jupytext.read(COURSE.source(lesson))
    for preprocessor in preprocessors:
        notebook, _ = preprocessor().preprocess(notebook, {})
    NotebookClient(
        notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook
