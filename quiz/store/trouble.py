"""What the system says when a file cannot be written, in words for the student."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import Timeout

from quiz.store.base import StoreError

KEPT = "What you do is kept in memory, and written as soon as that is possible."
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_ELSEWHERE = "set COURSE_PROGRESS to a file that you may write"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns an OSError into a StoreError: what, where, what to do."""
    try:
        yield
    except (OSError, NotImplementedError) as error:  # the latter: a file system without locks
        what, remedy = _reason(error, path)
        raise StoreError(f"The quiz cannot save to {path}: {what}. {remedy} {KEPT}") from error


def _reason(error: Exception, path: Path) -> tuple[str, str]:
    number = getattr(error, "errno", None)
    if isinstance(error, Timeout):
        return "another program holds its lock", "Close what else shows the quiz."
    if number == errno.ENOENT:
        return f"there is no folder {path.parent}", "Make it, or plug in its drive."
    if number in _FULL:
        return "the disk is full", "Free some space."
    if number in _FORBIDDEN:
        return "it may not be written", f"Allow it, or {_ELSEWHERE}."
    return str(getattr(error, "strerror", None) or error), f"Repair that, or {_ELSEWHERE}."
