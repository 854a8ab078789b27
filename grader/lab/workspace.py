"""The private copy of the lessons that a student works in. Work already there is never overwritten.

`.copied.json` in the workspace holds the hash of every file as it was copied: a file that still has it was
not edited and follows the lesson; any other is the student's, and a new version is put beside it.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import FOLDERS

RECORD = ".copied.json"
LEFT_OUT = (".py", ".pyc")
# What happened to a file, in the words in which it is told.
COPIED = "copied"
UPDATED = "updated to the lesson's new version (yours was not edited)"
BESIDE = "yours is edited and stays; the lesson's new version is beside it as"
KEPT = "as you left it"
SAME = "up to date"


@dataclass(frozen=True)
class Change:
    """What was done with one file, by its path below the workspace; `beside` is the new version's path."""

    path: str
    action: str
    beside: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.action}{f' {self.beside}' if self.beside else ''}"


def refresh(lessons: Path, workspace: Path) -> list[Change]:
    """Brings the lessons into the workspace. Raises CourseError where it cannot be written, or has none."""
    files = [path for path in sorted(lessons.glob(f"{FOLDERS}/**/*")) if _belongs(path, lessons)]
    if not files:
        raise CourseError(f"There are no lessons in {lessons}: make them with `python -m grader build`.")
    try:
        workspace.mkdir(parents=True, exist_ok=True)
        record = _read_record(workspace / RECORD)
        # The record is written after each file, so that a copy that breaks off goes on where it was.
        return [_bring(path, path.relative_to(lessons).as_posix(), workspace, record) for path in files]
    except OSError as error:
        where = error.filename or workspace
        raise CourseError(
            f"Cannot write the lessons to {workspace}: {error.strerror or error} ({where}). "
            "Make room or choose another folder with --workspace; nothing of yours was changed."
        ) from error


def first_notebook(lessons: Path) -> str:
    """The path of the first lesson's notebook, below the lessons' folder or a workspace."""
    return min(path.relative_to(lessons).as_posix() for path in lessons.glob(f"{FOLDERS}/*.ipynb"))


def summary(changes: list[Change]) -> list[str]:
    """A line for each file that something happened to, and one for each kind of the rest."""
    told = [str(change) for change in changes if change.action not in (SAME, KEPT)]
    counts = Counter(change.action for change in changes if change.action in (SAME, KEPT))
    return told + [f"{count} file{'s' * (count > 1)}: {action}" for action, count in counts.items()]


def _belongs(path: Path, lessons: Path) -> bool:
    parts = path.relative_to(lessons).parts
    hidden = any(part.startswith((".", "__")) for part in parts)
    return path.is_file() and not hidden and path.suffix not in LEFT_OUT


def _bring(source: Path, name: str, workspace: Path, record: dict) -> Change:
    data, target = source.read_bytes(), workspace / name
    digest = _digest(data)
    now = _digest(target.read_bytes()) if target.is_file() else None
    action = _decide(digest, now, record["copied"].get(name), record["offered"].get(name))
    beside = ""
    if action == BESIDE:
        beside = _free_name(target)
        write_atomically(target.with_name(beside), data)
        record["offered"][name] = digest
    elif action != KEPT:
        write_atomically(target, data)  # which does nothing to a file that is the same
        record["copied"][name] = digest
    write_atomically(workspace / RECORD, json.dumps(record, indent=1).encode())
    return Change(name, action, beside)


def _decide(lesson: str, now: str | None, copied: str | None, offered: str | None) -> str:
    """From the hashes of the lesson, of the file there, of what was copied, of the last version put beside."""
    if now is None:
        return COPIED
    if now == lesson:
        return SAME
    if now == copied:
        return UPDATED
    return KEPT if lesson in (copied, offered) else BESIDE


def _free_name(target: Path) -> str:
    names = (f"{target.stem} (new version{n}){target.suffix}" for n in ("", *(f" {i}" for i in range(2, 1000))))
    return next(name for name in names if not target.with_name(name).exists())


def _read_record(path: Path) -> dict:
    """A record that is missing or damaged is an empty one: then whatever is there counts as the student's."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return {"copied": dict(record["copied"]), "offered": dict(record["offered"])}
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return {"copied": {}, "offered": {}}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
