"""The auto-grader. What a student uses stands here: `check`, `hint`, `start`, the rounds of the interview and, outside
a class, `reveal`.

Parts, each importing only those before it: `probe` (runs one implementation and records what it did),
`exercises` (contracts and cases), `answers` (references, mistakes, right variants), `judge` (compares
records), `student`, `notebook` (rebuild, execute, judge as functions of bytes), `course` (a class),
`author` (build, prove, wheel), `cli`.
"""

import importlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path


def _find_lessons() -> None:
    """Makes `lessons` the package beside this one. A course's release folder is called so, too: a Python that is
    started in a course takes it for the package where this project is installed in editable mode."""
    if (found := find_spec("lessons")) is None or found.origin is None:
        sys.path.insert(0, str(Path(__file__).parents[1]))


_find_lessons()
_STUDENT = {name: f"grader.student.{name}" for name in ("check", "hint", "reveal")}
_STUDENT |= {name: f"grader.student.rounds.{name}" for name in ("blank_page", "find_the_bug", "study_next")}
_STUDENT["start"] = "grader.lab.start"


def _inert(*_args, **_kwargs) -> None:
    """Stands in for all of these while a submission is executed for grading."""


def __getattr__(name: str):
    if name not in _STUDENT:
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    if os.environ.get("COURSE_GRADING"):
        return _inert
    try:
        return getattr(importlib.import_module(_STUDENT[name]), name)
    except ModuleNotFoundError as error:
        if error.name != _STUDENT[name]:
            raise
        raise AttributeError(f"`{name}` is not part of this edition of the course") from None
