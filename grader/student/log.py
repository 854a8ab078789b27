"""What a student has checked, kept beside the quiz's answers: a line of JSON a check, only ever added to.

The quiz's store does the writing: several notebooks at once, a disk that is full, a file that is damaged.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:  # the start page reads the log without PyTorch
    from grader.judge import Verdict

NAME = "check_progress.jsonl"
COPIES = ".copied.json"  # what `lab` keeps in a workspace; see grader/lab/workspace.py
PATIENCE = 0.5  # seconds to wait for another notebook's lock; a check that is not kept is soon made again


def remember(verdict: Verdict, path: Path | None = None) -> None:
    """Adds a verdict to the log, by default that of this place. A check never fails for what cannot be kept."""
    if verdict.status == "not attempted" or not verdict.points:
        return
    with suppress(ImportError, OSError, RuntimeError):
        from quiz.store import FileStore, StoreError

        with suppress(StoreError):
            FileStore(path or place(), patience=PATIENCE).merge([_line(verdict)])


def place(folder: Path | None = None) -> Path:
    """The log of a workspace, or of the notebook that runs: one for all lessons, where the quiz has its own."""
    from quiz.store import place as of_quiz

    return of_quiz(folder).with_name(NAME)


def best_scores(path: Path) -> dict[str, float]:
    """The best share of its points, 0 to 1, that each exercise has had; {} for a log that cannot be read."""
    from quiz.store import FileStore, StoreError

    found: dict[str, float] = {}
    with suppress(StoreError, OSError):
        for line in FileStore(path).lines():
            with suppress(ValueError, KeyError, TypeError, ZeroDivisionError):
                entry = json.loads(line)
                share = float(entry["score"]) / float(entry["points"])
                found[entry["exercise"]] = max(found.get(entry["exercise"], 0.0), min(share, 1.0))
    return found


def in_own_notebook() -> bool:
    """Whether this is a person's notebook, and not one that nbgrader runs."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None and not os.environ.get("NBGRADER_EXECUTION")


def in_workspace() -> bool:
    """Whether the log's folder is one that `lab` has made: a plain file is checked from anywhere."""
    with suppress(OSError, RuntimeError):
        return (place().parent / COPIES).is_file()
    return False


def _line(verdict: Verdict) -> bytes:
    entry = {"id": uuid4().hex, "at": datetime.now(UTC).isoformat(timespec="seconds"), "exercise": verdict.exercise}
    return json.dumps(entry | {"score": verdict.score, "points": verdict.points, "status": verdict.status}).encode()
