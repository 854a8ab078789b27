"""Copies of the files that verdicts were made from, named by their content: what an appeal is judged by again.

The files in `submitted/` may be collected anew, the lesson released anew; these stay as they were.
"""

import gzip
import hashlib
import zlib
from pathlib import Path

from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course

QUICK = 1  # of gzip's levels: the one writer does this for every submission


def content_name(content: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


class Kept:
    """The course's kept files: submissions, released notebooks, lists of code."""

    def __init__(self, course: Course):
        self.folder = course.state / "kept"

    def put(self, content: bytes) -> str:
        """Its name, under which it can be had again."""
        name = content_name(content)
        if not (path := self._path(name)).exists():
            write_atomically(path, gzip.compress(content, QUICK, mtime=0))
        return name

    def get(self, name: str) -> bytes:
        """Raises CourseError where it is lost or damaged."""
        path = self._path(name)
        try:
            content = gzip.decompress(path.read_bytes())
        except FileNotFoundError:
            raise CourseError(
                f"There is no {path}, the copy that was kept of a file: restore it from a backup."
            ) from None
        except (OSError, EOFError, zlib.error) as error:
            raise CourseError(f"{path} cannot be read ({error}): restore it from a backup.") from error
        if content_name(content) != name:
            raise CourseError(f"{path} is damaged: it is not what its name says. Restore it from a backup.")
        return content

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.gz"
