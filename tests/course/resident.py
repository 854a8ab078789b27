"""Graders that stay: the same command again and again in one process, so that its start is paid for once."""

import contextlib
import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing.util import Finalize

from grader.cli import autograde as command
from grader.cli import main
from grader.course.pool import local_pool
from grader.course.worker import begin_with
from grader.notebook.walled import view
from grader.paths import Course
from grader.sandbox.folders import one_for_this_process, remove
from grader.sandbox.warm import Warm
from tests.course.classroom import LESSON
from tests.course.cut_short import temporary


@contextlib.contextmanager
def residents(number: int) -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(number, multiprocessing.get_context("forkserver"), initializer=_begin) as processes:
        yield processes


def _begin() -> None:
    """Its warm process stays, too; each command has workers of its own."""
    own, zygote = one_for_this_process(), Warm(view())  # not where a killed grader's are
    for close in (zygote.close, partial(remove, own)):
        Finalize(None, close, exitpriority=1)
    pool = partial(local_pool, begin=begin_with(zygote.address))
    command._begun_early = lambda args: contextlib.nullcontext(pool)


def autograde(residents: ProcessPoolExecutor, course: Course) -> None:
    assert residents.submit(_autograde, str(course.root), str(temporary(course))).result() == 0


def _autograde(root: str, where: str) -> int:
    tempfile.tempdir = where  # a killed grader's, in which is looked for what it left
    os.chdir(root)
    return main(["autograde", LESSON, "--jobs", "2", "--quiet"])
