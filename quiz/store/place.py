"""Where a student's progress lives, and the number that stands for the student."""

import getpass
import hashlib
import os
import platform
import re
from collections.abc import Mapping
from pathlib import Path

NAME = "quiz_progress.jsonl"
VARIABLE = "COURSE_PROGRESS"
_LESSON = re.compile(r"\d\d[a-z]?_[a-z0-9_]+")


def place(cwd: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The progress file: one for all lessons, in the folder that holds their folders, or where the variable says."""
    if said := environ.get(VARIABLE):
        return Path(said).expanduser().absolute()
    here = (cwd or Path.cwd()).absolute()
    if _LESSON.fullmatch(here.name):
        return here.parent / NAME
    workspace = here / "workspace"
    return (workspace if workspace.is_dir() else here) / NAME


def person() -> int:
    """A number that stays the same for one user of one machine. It is written nowhere."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user may have no name
        user = str(getattr(os, "getuid", int)())
    return int.from_bytes(hashlib.sha256(f"{user}@{platform.node()}".encode()).digest()[:8])
