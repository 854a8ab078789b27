"""Reads what a student handed in, whatever it is: cells with a type and a source, and nothing else of it."""

import json
from dataclasses import dataclass

import nbformat

EXPERIMENT = "experiment"  # tag of cells that are for the student to try, and cost minutes
MAX_BYTES = 64 * 2**20
KINDS = ("code", "markdown", "raw")


class Unreadable(Exception):
    """Not a notebook that can be graded. The message is a sentence for the student and the instructor."""


@dataclass(frozen=True)
class Cell:
    """One submitted cell. Outputs, attachments and all other metadata are left behind.

    grade_id, cell_id   None where the file has none, or something that is no text
    """

    kind: str
    source: str
    grade_id: str | None
    cell_id: str | None
    experiment: bool


def read_cells(content: bytes) -> list[Cell]:
    """The cells of a submitted notebook file. Raises Unreadable with the reason."""
    notebook = _upgraded(_parsed(content))
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("The file is JSON, but not a notebook: it has no list of cells.")
    return [_cell(cell, number) for number, cell in enumerate(cells, 1)]


def too_large(size: int) -> str:
    """What to say of a file of so many bytes."""
    allowed = f"{size / 2**20:.0f} MiB, more than the allowed {MAX_BYTES // 2**20}"
    return f"The notebook file is {allowed}: clear its outputs, save and submit again."


def _parsed(content: bytes) -> dict:
    if not content.strip():
        raise Unreadable("The notebook file is empty.")
    if len(content) > MAX_BYTES:
        raise Unreadable(too_large(len(content)))
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"The notebook file is not UTF-8 text (byte {error.start}).") from error
    except RecursionError as error:
        raise Unreadable("The notebook file is JSON nested too deeply to be read.") from error
    except ValueError as error:  # JSONDecodeError, and numbers of more digits than Python reads
        raise Unreadable(f"The notebook file is not valid JSON: {error}.") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("nbformat"), int):
        raise Unreadable("The file is JSON, but not a notebook: it does not say its nbformat.")
    return notebook


def _upgraded(notebook: dict) -> dict:
    version = notebook["nbformat"]
    if version == 4:
        return notebook
    if version > 4:
        raise Unreadable(f"The notebook is in format {version}, which is newer than this grader reads (4).")
    try:
        return nbformat.reads(json.dumps(notebook), as_version=4)
    except Exception as error:  # nbformat raises whatever the damaged file makes it stumble over
        raise Unreadable(
            f"The notebook is in the old format {version} and cannot be upgraded ({type(error).__name__}): "
            "open it in JupyterLab, save it and submit again."
        ) from error


def _cell(cell: object, number: int) -> Cell:
    if not isinstance(cell, dict) or cell.get("cell_type") not in KINDS:
        raise Unreadable(f"Cell {number} of the notebook is neither code nor text: the file is damaged.")
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    nbgrader, tags = metadata.get("nbgrader"), metadata.get("tags")
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return Cell(
        kind=cell["cell_type"],
        source=_text(cell.get("source"), number),
        grade_id=grade_id if isinstance(grade_id, str) else None,
        cell_id=cell.get("id") if isinstance(cell.get("id"), str) else None,
        experiment=isinstance(tags, list) and EXPERIMENT in tags,
    )


def _text(source: object, number: int) -> str:
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise Unreadable(f"The source of cell {number} of the notebook is not text: the file is damaged.")
    # JSON can spell half of a surrogate pair, which no UTF-8 file can hold.
    return "".join(lines).encode("utf-8", "replace").decode("utf-8")
