"""One grader at a time on a course, and who it is."""

import contextlib
import getpass
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course


@contextlib.contextmanager
def only_grader(course: Course, wait: Callable[[str], None] | None = None) -> Iterator[None]:
    """Holds the course's lock. Raises CourseError, naming who holds it, if someone else does.

    wait   waits instead, and is told once who is waited for

    The system frees the lock of a process that ends, however it ends.
    """
    course.state.mkdir(parents=True, exist_ok=True)
    holder = course.state / "holder.json"
    lock = FileLock(course.state / "lock", timeout=0)
    _acquire(lock, holder, wait)
    try:
        write_atomically(holder, json.dumps(_myself()).encode())
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _acquire(lock: FileLock, holder: Path, wait: Callable[[str], None] | None) -> None:
    try:
        lock.acquire()
    except Timeout as error:
        if wait is None:
            raise CourseError(
                f"Another grader is at work on this course: {_named(holder)}. Wait until it has finished (--wait "
                "does), then give the command again; what it has graded is not graded twice."
            ) from error
        wait(_named(holder))
        lock.acquire(timeout=-1, poll_interval=0.2)


def _myself() -> dict:
    now = time.strftime("%Y-%m-%d %H:%M:%S")
    return {"user": _user(), "host": platform.node(), "pid": os.getpid(), "since": now}


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name, as in some containers
        return "someone"


def _named(holder: Path) -> str:
    try:
        who = json.loads(holder.read_bytes())
        return f"{who['user']} on {who['host']}, process {who['pid']}, since {who['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return f"unknown, it has just begun (see {holder.parent.name}/lock)"
