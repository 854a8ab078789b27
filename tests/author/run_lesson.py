"""Run by an environment of a student's: run_lesson.py LESSON ANSWERS.json

Opens the installed lesson, pastes the answers into the solution cells, runs it in a real kernel and prints the
points that its check cells show, and whether anything can be imported that a student should not have.
"""

import importlib.util
import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import grader
import lessons


def main(lesson: str, answers: dict[str, str]) -> None:
    path = Path(lessons.__file__).parent / lesson / f"{lesson.partition('_')[2]}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    # Experiments show something and take a while; nothing that is checked depends on them.
    notebook.cells = [cell for cell in notebook.cells if "experiment" not in cell.metadata.get("tags", [])]
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    hidden = {"answers": importlib.util.find_spec("grader.answers") is not None, "reveal": hasattr(grader, "reveal")}
    print(json.dumps({"points": dict(points(notebook)), **hidden}))


def points(notebook):
    for cell in notebook.cells:
        if cell.id.startswith("check_"):
            yield cell.id.removeprefix("check_"), cell.outputs[-1]["data"]["text/plain"]


if __name__ == "__main__":
    main(sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")))
