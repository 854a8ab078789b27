"""The start notebook: `lab` writes and opens it, its one cell shows the start page as things are now."""

import hashlib
import json
import platform
import sys
from datetime import datetime
from pathlib import Path

import lessons as package
from grader.lab import progress, syllabus, workspace
from grader.lab.start_page import StartPage
from quiz import alone
from quiz.store import place

NAME = "start.ipynb"
TITLE = "# Modern transformer internals\n\nYour lessons, in order. A title opens its notebook."
CODE = "from grader import start\n\nstart()"
COLAB = (
    "This is Colab: its links do not open notebooks of this folder, so open a lesson from the list of files or from "
    "where you have the course; and what you do is gone with the machine unless the folder lies on a drive of yours."
)


def start(folder: Path | None = None) -> StartPage:
    """The start page of a workspace, by default of the one that the notebook lies in."""
    home = folder or place(environ={}).parent
    notes = [COLAB] if "google.colab" in sys.modules else []
    found = progress.of_workspace(_lessons(home), home)
    return StartPage(found, workspace.news(home), datetime.now(), (home / alone.NAME).is_file(), notes)


def _lessons(home: Path) -> list[syllabus.Lesson]:
    """Those of the workspace as the course has them, whatever was edited; else those that came with the package."""
    return syllabus.lessons(home / workspace.ORIGINALS) or syllabus.lessons(Path(package.__file__).parent)


def write(folder: Path) -> Path:
    """Writes the notebook with the page in it, so that it shows before anything is run; one that was edited stays.

    Raises OSError where it cannot be written.
    """
    path = folder / NAME
    if not path.exists() or _is_ours(path.read_bytes()):
        page = start(folder)
        path.write_text(json.dumps(_notebook(page), indent=1) + "\n", encoding="utf-8")
        _trust(path)
    return path


def _notebook(page: StartPage) -> dict:
    data = {"text/html": page._repr_html_(), "text/plain": repr(page)}
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    cells = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": TITLE},
        {
            "cell_type": "code",
            "id": "start",
            "metadata": {},
            "source": CODE,
            "execution_count": None,
            "outputs": [output],
        },
    ]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": _language(), "course": {"start": _digest(cells)}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _language() -> dict:
    """As the kernel reports it: what differs JupyterLab would put in, and ask whether to save it."""
    return {
        "name": "python",
        "version": platform.python_version(),
        "mimetype": "text/x-python",
        "codemirror_mode": {"name": "ipython", "version": 3},
        "pygments_lexer": "ipython3",
        "nbconvert_exporter": "python",
        "file_extension": ".py",
    }


def _is_ours(notebook: bytes) -> bool:
    """Whether its cells are still those that were written, by this version of the course or by another one."""
    try:
        return json.loads(notebook)["metadata"]["course"]["start"] == _digest(syllabus.cells_of(notebook))
    except (ValueError, KeyError, TypeError):
        return False


def _digest(cells: list[dict]) -> str:
    return hashlib.sha256("\0".join(map(syllabus.source, cells)).encode()).hexdigest()


def _trust(path: Path) -> None:
    """Or JupyterLab would show the page without its style until the cell is run."""
    import nbformat
    from nbformat.sign import NotebookNotary

    try:
        NotebookNotary().sign(nbformat.read(path, as_version=4))
    except Exception as error:  # the signatures' database, wherever it is: a page without style is no reason to stop
        print(f"The start page will look plain until you run its cell ({error}).")
