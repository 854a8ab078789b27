"""The files a class handed in. Read with care: names and contents are the students'."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader.utils import parse_utc

from grader.errors import CourseError
from grader.notebook.reading import MAX_BYTES, too_large
from grader.paths import Course

# Letters and digits of any language, then also . @ - _: nothing that is a path, a glob or an option.
STUDENT = re.compile(r"\w[\w.@-]{0,99}")
TIMESTAMP = "timestamp.txt"


class NotReadable(Exception):
    """A file that is not read. The message is a sentence."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in: the notebook's bytes, or a sentence that says why there are none.

    timestamp   when, as the file says it; None if it says nothing that can be read
    note        a sentence for the instructor
    """

    student: str
    content: bytes
    problem: str | None = None
    timestamp: str | None = None
    note: str | None = None


def students(course: Course, lesson: str) -> tuple[list[str], list[str]]:
    """Who handed in this lesson, and the folders whose names are no student ids, both in order.

    Raises CourseError if nobody did.
    """
    folders = sorted(course.submitted.iterdir()) if course.submitted.is_dir() else []
    names = [folder.name for folder in folders if _exists(folder / lesson)]
    if not names:
        where = f"{course.submitted.name}/STUDENT/{lesson}/{course.notebooks(lesson)[0]}.ipynb"
        raise CourseError(
            f"No one has submitted {lesson}: there is no {where}. "
            f"Collect first: `python -m grader collect {lesson} DOWNLOADED --roster FILE.csv`, or, from nbgrader's "
            f"exchange, `nbgrader collect {lesson}`."
        )
    good = [name for name in names if STUDENT.fullmatch(name)]
    return good, [name for name in names if name not in good]


def read_submission(course: Course, lesson: str, student: str, name: str) -> Submission:
    """A student's notebook of this name. What cannot be read is a Submission too."""
    folder = course.submitted / student / lesson
    for part in (folder.parent, folder):
        if part.is_symlink() or not part.is_dir():
            return Submission(student, b"", f"{_shown(part)} is not a folder of its own but a link or a file.")
    return _read(folder, name, student)


def _read(folder: Path, name: str, student: str) -> Submission:
    timestamp, note = _timestamp(folder / TIMESTAMP)
    try:
        return Submission(student, read_regular(folder / f"{name}.ipynb"), None, timestamp, note)
    except NotReadable as error:
        return Submission(student, b"", f"{error}{_what_is_there(folder, name)}", timestamp, note)


def _timestamp(path: Path) -> tuple[str | None, str | None]:
    """The time a submission says of itself, and what is wrong with it if it cannot be read."""
    if not path.is_symlink() and not path.exists():
        return None, None
    try:
        text = read_regular(path).decode("ascii").strip()
        parse_utc(text)
    except (NotReadable, ValueError, OverflowError):  # dateutil's errors are ValueErrors
        return None, f"{_shown(path)} does not say when: taken as in time"
    return text, None


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file. Links are not followed: they could lead anywhere. Raises NotReadable."""
    if path.is_symlink():
        raise NotReadable(f"{_shown(path)} is a link to another file, and links are not followed.")
    # Non-blocking: opening a pipe would wait for someone to write into it.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise NotReadable(f"{_shown(path)} is not a regular file.")
            if about.st_size > MAX_BYTES:
                raise NotReadable(too_large(about.st_size))
            return file.read()
    except FileNotFoundError as error:
        raise NotReadable(f"There is no {_shown(path)}.") from error
    except OSError as error:
        raise NotReadable(f"{_shown(path)} cannot be read ({error.strerror}).") from error


def _what_is_there(folder: Path, wanted: str) -> str:
    """In place of the notebook, if that is not there."""
    names = [name for name in _names(folder) if name != TIMESTAMP]
    if f"{wanted}.ipynb" in names:
        return ""
    if not names:
        return " The folder is empty."
    return f" In its place there is: {', '.join(names[:5])}{', …' if len(names) > 5 else ''}."


def _names(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        yield path.name.encode("utf-8", "replace").decode()


def _exists(path: Path) -> bool:
    try:
        return path.is_symlink() or path.exists()
    except OSError:
        return False


def _shown(path: Path) -> str:
    return "/".join(path.parts[-4:] if path.suffix else path.parts[-3:])
