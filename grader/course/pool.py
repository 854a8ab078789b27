"""Worker processes on this machine, and a start that is made before anything heavy is imported."""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import forkserver

from grader.course import own_worker
from grader.sandbox import View
from grader.sandbox.bubblewrap import why_not
from grader.sandbox.warm import Warm
from grader.shown import shown


@contextlib.contextmanager
def begun_early() -> Iterator[Warm | None]:
    """Starts what workers and kernels are forked from, each of which has seconds of imports to do, while this
    process does its own. Gives the warm process of the kernels; None where no wall can be built."""
    zygote = None if why_not() is not None else Warm(View(*shown()))
    try:
        own_worker.name_what_multiprocessing_makes()
        if _context().get_start_method() == "forkserver":
            forkserver.ensure_running()
        yield zygote
    finally:
        if zygote is not None:
            zygote.close()


def local_pool(workers: int, begin: Callable[[], None] | None = None) -> Executor:
    """Worker processes on this machine. begin: what each does first."""
    own_worker.name_what_multiprocessing_makes()
    return ProcessPoolExecutor(workers, mp_context=_context(), initializer=own_worker.begin, initargs=(begin,))


def _context() -> multiprocessing.context.BaseContext:
    """Not forked from this process, whose threads (torch's above all) would not survive it. Where the system can,
    forked from one that has imported all that a worker needs and done nothing."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["grader.course.preload"])
    return context
