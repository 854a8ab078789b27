"""Judged notebooks in files named by what decides them. They are the journal: what is there is done."""

from pathlib import Path

from grader.files import write_atomically
from grader.paths import Course


class Results:
    """The results of one lesson. A grader that is killed leaves whole files only, and finds them again."""

    def __init__(self, course: Course, lesson: str):
        self.folder = course.state / "results" / lesson

    def get(self, key: str) -> bytes | None:
        """The judged notebook of this key, if it has been made."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, key: str, judged: bytes) -> None:
        write_atomically(self._path(key), judged)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.ipynb"
