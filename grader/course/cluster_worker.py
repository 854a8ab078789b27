"""What a Dask worker does of grading. Sent to it by name: it has this package itself."""

import os
import threading
from collections.abc import Callable
from functools import cache

from grader.course.job import Job
from grader.course.same import differences, mine
from grader.course.storage import is_full
from grader.errors import CourseError
from grader.notebook import CannotRun
from grader.sandbox.bubblewrap import why_not
from grader.sandbox.folders import sweep

_beginning = threading.Lock()


def facts() -> dict:
    """What a worker says of itself before anything is graded."""
    missing = why_not()
    return mine() | {"wall": None if missing is None else f"{missing}. What to do: {missing.remedy}"}


def run(function: Callable[[Job], bytes], job: Job, expected: dict) -> bytes:
    """function(job), on this worker. Raises CannotRun, naming the worker, for what is the machine's fault.

    Raises CourseError where this worker, which may have come late, would not grade as the others do.
    """
    if (found := mine()) != expected:
        raise CourseError(
            f"The Dask worker {_address()} has joined, and is not the same grader: {differences(found, expected)}. "
            "Stop it, then give the same command again: what is graded is kept."
        )
    _begin()
    try:
        return function(job)
    except CannotRun as error:
        raise CannotRun(f"{error} (Dask worker {_address()})") from None
    except OSError as error:
        if not is_full(error):
            raise
        raise CannotRun(f"its disk is full: {error} (Dask worker {_address()})") from None


def _address() -> str:
    from distributed import get_worker

    return get_worker().address


def _begin() -> None:
    with _beginning:
        _once()


@cache
def _once() -> None:
    """A worker's first act: it may follow one on this machine that was killed."""
    import torch

    os.environ["TORCH_COMPILE_DISABLE"] = "1"  # as in `own_worker`
    torch.set_num_threads(1)  # several workers share a machine
    sweep()
