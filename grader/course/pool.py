"""Worker processes on this machine, and a start that is made before this process imports all that it needs."""

import contextlib
import gc
import importlib
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor

from grader.course import own_worker
from grader.sandbox import View
from grader.sandbox.bubblewrap import why_not
from grader.sandbox.warm import Warm
from grader.shown import shown

PRELOAD = "grader.course.preload"
Pool = Callable[[int], Executor]  # number of workers -> executor


@contextlib.contextmanager
def begun_early(workers: int) -> Iterator[Pool | None]:
    """Makes a pool whose first executor's workers are forked from this process, right now: what they need is imported
    once for all of them, while the warm process of their kernels imports what that needs, and before there are
    threads, which a fork would not survive. Executors after the first are as `local_pool` makes them.

    Gives None where no wall can be built.
    """
    if why_not() is not None:
        yield None
        return
    with contextlib.closing(Warm(View(*shown()))) as zygote:
        own_worker.name_what_multiprocessing_makes()
        importlib.import_module(PRELOAD)
        gc.freeze()  # what was imported is never garbage: collections would look at it, and copy it into each worker
        begin = importlib.import_module("grader.course.worker").begin_with(zygote.address)
        first = [_forked(workers, begin)] if threading.active_count() == 1 else []
        try:
            yield lambda number: first.pop() if first else local_pool(number, begin)
        finally:
            for unused in first:
                unused.shutdown()


class _Workers(ProcessPoolExecutor):
    def submit(self, work: Callable, /, *args) -> Future:
        return super().submit(own_worker.do, work, *args)


def _forked(workers: int, begin: Callable[[], None]) -> Executor:
    context = multiprocessing.get_context("fork")
    executor = _Workers(workers, mp_context=context, initializer=own_worker.begin, initargs=(begin,))
    executor.submit(int)  # now all of them start
    return executor


def local_pool(workers: int, begin: Callable[[], None] | None = None) -> Executor:
    """Worker processes on this machine. begin: what each does first."""
    own_worker.name_what_multiprocessing_makes()
    return _Workers(workers, mp_context=_context(), initializer=own_worker.begin, initargs=(begin,))


def _context() -> multiprocessing.context.BaseContext:
    """Not forked from this process, whose threads (torch's above all) would not survive it. Where the system can,
    forked from one that has imported all that a worker needs and done nothing."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([PRELOAD])
    return context
