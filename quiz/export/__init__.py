"""The bank in other programs' formats, one module a format. Nothing here asks or marks.

A new format is a module that has `FILE` (a file name), `HOW` (for each type of question, what becomes of it),
`LOST` (what of the bank it cannot hold) and `export(batch) -> (bytes, things made of each type)`; its name goes
into FORMATS. Its ids come from `ids`, so that they are the same whenever the export is made again.
"""

import importlib
from collections import Counter
from dataclasses import dataclass

from quiz.errors import QuizError
from quiz.export.batch import Batch, gather

__all__ = ["FORMATS", "Batch", "Exported", "export", "gather"]

FORMATS = ("anki", "json", "moodle", "qti")


@dataclass(frozen=True)
class Exported:
    """A file's content, how many things were made of the questions of each type, and what that format does."""

    data: bytes
    made: Counter
    file: str
    how: dict[str, str]
    lost: tuple[str, ...]


def export(name: str, batch: Batch) -> Exported:
    """The batch in a format. Raises QuizError for an unknown format, a missing package, an unfit question."""
    if name not in FORMATS:
        raise QuizError(f"There is no export format {name!r}; known: {', '.join(FORMATS)}.")
    module = importlib.import_module(f"{__name__}.{name}")
    data, made = module.export(batch)
    return Exported(data, made, module.FILE, module.HOW, module.LOST)
