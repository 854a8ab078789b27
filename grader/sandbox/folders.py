"""Temporary things named after the process that made them, so that what a killed grader left can be removed."""

import atexit
import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import psutil

NAME = re.compile(r"(?:sem\.)?(?:grade|kernel)-(\d+)-([0-9a-f]+)-\w+")
SHARED = Path("/dev/shm")  # where Linux keeps semaphores, each a file
LONGEST = 52  # characters of a path in which folders are made
DAY = 24 * 3600.0
CLOCK = 2.0  # seconds by which two of the system's clocks may differ


def new_folder(kind: str) -> Path:
    """kind: "grade" or "kernel". The path is short: those of sockets in it end at 104 bytes."""
    return Path(tempfile.mkdtemp(prefix=f"{named(kind)}-", dir=_base()))


def _base() -> Path:
    """Where temporary files are to be; /tmp where that is too long for a socket."""
    asked, short = Path(tempfile.gettempdir()), Path("/tmp")
    return short if len(str(asked)) > LONGEST and short.is_dir() else asked


def named(kind: str) -> str:
    """How the name of a thing of this process begins."""
    return f"{kind}-{os.getpid()}-{_space():x}"


def remove(folder: Path) -> None:
    """Removes a folder with all that is in it; what cannot be removed is left to the system."""
    shutil.rmtree(folder, onerror=_make_writable)


def sweep(and_own: bool = False) -> list[Path]:
    """Removes the folders and semaphores of processes that have ended without removing them; which those were.
    and_own: this process's, too, which ends now.

    Only this user's, and only where a process id means the same: containers may share this folder.
    """
    found = [path for path in _base().iterdir() if _left_behind(path, stat.S_ISDIR, and_own)]
    for path in found:
        remove(path)
    semaphores = [path for path in SHARED.glob("sem.*") if _left_behind(path, stat.S_ISREG, and_own)]
    for path in semaphores:
        path.unlink(missing_ok=True)
    return found + semaphores


@cache
def one_for_this_process() -> Path:
    """A folder that is removed when this process ends."""
    folder = new_folder("grade")
    atexit.register(remove, folder)
    return folder


def _left_behind(path: Path, kind: Callable[[int], bool], and_own: bool) -> bool:
    if (named := NAME.fullmatch(path.name)) is None or int(named[2], 16) != _space():
        return False
    try:
        about = path.lstat()
    except OSError:
        return False
    mine = kind(about.st_mode) and (not hasattr(os, "geteuid") or about.st_uid == os.geteuid())
    maker, touched = int(named[1]), max(about.st_mtime, about.st_ctime)
    return mine and ((and_own and maker == os.getpid()) or not _lives(maker, touched))


def _lives(pid: int, touched: float) -> bool:
    """Whether the process that made a folder may still be there. touched: when the folder was changed last."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        # One that began later got the number of one that has ended. A clock that was set looks the same,
        # so a folder that is not old is left.
        return process.create_time() <= touched + CLOCK or time.time() - touched < DAY
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


@cache
def _space() -> int:
    """Which processes the ids count: a number of this process's PID namespace."""
    with contextlib.suppress(OSError):
        return Path("/proc/self/ns/pid").stat().st_ino
    return 0


def _make_writable(function, path: str, error) -> None:
    """What a student made unremovable is made removable."""
    with contextlib.suppress(OSError):
        Path(path).parent.chmod(0o700)
        Path(path).chmod(0o700)
        function(path)
