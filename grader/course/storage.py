"""Where something cannot be written: one sentence, and nothing is lost."""

import contextlib
import errno
from collections.abc import Iterator

from nbgrader.api import InvalidEntry
from sqlalchemy.exc import InterfaceError, OperationalError
from tornado.log import app_log

from grader.course.database import shown
from grader.errors import CourseError
from grader.files import sweep_parts
from grader.paths import Course

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
AGAIN = "Nothing that was graded is lost: {}, then give the same command again, and it goes on where it stopped."


def is_full(error: BaseException) -> bool:
    """Whether there is no room left, here or within this user's limits."""
    return isinstance(error, OSError) and error.errno in FULL


@contextlib.contextmanager
def in_one_sentence(course: Course, db_url: str) -> Iterator[None]:
    """Raises CourseError for what the disk or the gradebook's server refuses."""
    quiet, app_log.disabled = app_log.disabled, True  # nbgrader logs a traceback there before it raises
    try:
        yield
    except (OperationalError, InterfaceError, InvalidEntry) as error:
        # nbgrader says that an entry is invalid, whatever kept it from being written.
        cause = error.__context__ if isinstance(error, InvalidEntry) else error
        if not isinstance(cause, (OperationalError, InterfaceError)):
            raise
        said = " ".join(str(cause.orig).split())
        raise CourseError(
            f"The gradebook {shown(db_url)} cannot be used: {said}. {AGAIN.format('see to that')}"
        ) from error
    except OSError as error:
        if error.errno not in FULL + NOT_WRITABLE:
            raise
        where = error.filename or course.root
        said = f"{where} cannot be written: {error.strerror}."
        remedy = "make room (on that disk, or in your quota)" if is_full(error) else "see to that"
        raise CourseError(f"{said} {AGAIN.format(remedy)}") from error
    finally:
        app_log.disabled = quiet


def sweep_course(course: Course, lesson: str) -> None:
    """Removes the halves of files that a killed grader was writing. Only for who holds the course's lock."""
    for folder in (course.state, *course.autograded.glob(f"*/{lesson}")):
        sweep_parts(folder)
