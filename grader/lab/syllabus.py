"""The lessons as their notebooks tell them: title, minutes, core or elective, exercises. Discovered, never listed."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from grader.paths import FOLDERS, NUMBERED, number_of, short_name

CORE, ELECTIVE = "Core path", "Elective"
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_KIND = re.compile(rf"^\*\*({CORE}|{ELECTIVE}) · (\d+) minutes\b", re.MULTILINE)
_CHECK = "check_"


@dataclass(frozen=True)
class Lesson:
    """One lesson. `kind` is CORE, ELECTIVE, or "" where its notebook does not say; then `minutes` is 0."""

    name: str  # "03_rms_norm"
    title: str
    kind: str
    minutes: int
    notebook: str  # its path below the folder of the lessons, or below a workspace
    exercises: tuple[str, ...] = ()  # graded ones, in order
    extra: tuple[str, ...] = ()  # extra credit

    @property
    def number(self) -> str:
        """As people say it: "3", "10b"."""
        return number_of(self.name).lstrip("0")


def lessons(folder: Path) -> list[Lesson]:
    """The lessons whose released notebooks lie in `folder`, in order. One that cannot be read has only its name."""
    return [_lesson(path, folder) for path in sorted(folder.glob(f"{FOLDERS}/*.ipynb")) if _is_lesson(path)]


def _is_lesson(path: Path) -> bool:
    return path.stem == short_name(path.parent.name) and bool(NUMBERED.fullmatch(path.parent.name))


def _lesson(path: Path, folder: Path) -> Lesson:
    name, notebook = path.parent.name, path.relative_to(folder).as_posix()
    cells = cells_of(path.read_bytes())
    text = next((source(cell) for cell in cells if cell.get("cell_type") == "markdown"), "")
    title, kind = _TITLE.search(text), _KIND.search(text)
    graded, extra = _exercises(cells)
    return Lesson(
        name,
        title[1] if title else short_name(name).replace("_", " "),
        kind[1] if kind else "",
        int(kind[2]) if kind else 0,
        notebook,
        graded,
        extra,
    )


def _exercises(cells: list[dict]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    checks = {grade_id(cell): marks(cell) for cell in cells if grade_id(cell).startswith(_CHECK)}
    names = [(name.removeprefix(_CHECK), found.get("grade")) for name, found in checks.items()]
    return tuple(name for name, graded in names if graded), tuple(name for name, graded in names if not graded)


def cells_of(notebook: bytes) -> list[dict]:
    """A notebook's cells; [] for a file that is none."""
    try:
        return [cell for cell in json.loads(notebook)["cells"] if isinstance(cell, dict)]
    except (ValueError, KeyError, TypeError):
        return []


def source(cell: dict) -> str:
    text = cell.get("source", "")
    return "".join(text) if isinstance(text, list) else str(text)


def marks(cell: dict) -> dict:
    """nbgrader's metadata of a cell."""
    found = cell.get("metadata", {}).get("nbgrader", {})
    return found if isinstance(found, dict) else {}


def grade_id(cell: dict) -> str:
    return str(marks(cell).get("grade_id", ""))
