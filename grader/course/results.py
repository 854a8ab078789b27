"""Judged notebooks in files named by what decides them. They are the journal: what is there is done.

Beside each lies, under the same name, what decided it: seeds, limits, versions, the names of the kept files, and
when and how long it was graded.
"""

import hashlib
import json
from pathlib import Path

from grader.files import write_atomically
from grader.paths import Course


def key_of(facts: dict) -> str:
    """The name of the result that these facts decide."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


class Results:
    """The results of one lesson. A grader that is killed leaves whole files only, and finds them again."""

    def __init__(self, course: Course, lesson: str):
        self.folder = course.state / "results" / lesson

    def get(self, key: str) -> bytes | None:
        """The judged notebook of this key, if it has been made."""
        try:
            judged = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        return judged if judged.endswith(b"}\n") else None  # a machine that lost power can keep a file cut short

    def put(self, key: str, judged: bytes, facts: dict) -> None:
        """facts: `decided_by` gives the key. The notebook comes last: a result that is there has its facts."""
        write_atomically(self._path(key, "json"), json.dumps(facts, indent=1, sort_keys=True).encode())
        write_atomically(self._path(key), judged)

    def facts(self, key: str) -> dict | None:
        """What decided the result of this key; None if that is not there, or not what gives this key."""
        try:
            facts = json.loads(self._path(key, "json").read_bytes())
            return facts if key_of(facts["decided_by"]) == key else None
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def _path(self, key: str, ending: str = "ipynb") -> Path:
        return self.folder / f"{key}.{ending}"
