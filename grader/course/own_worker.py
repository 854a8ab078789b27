"""A worker process of this machine: ends with the process that it works for, and what it leaves is found again."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable

from grader.sandbox.folders import named, one_for_this_process

STOPPED = 130  # the exit status of a program that Ctrl-C has ended


def begin(then: Callable[[], None] | None = None) -> None:
    """A worker's first act. A pool's workers would otherwise wait for ever for work from one that was killed."""
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    signal.signal(signal.SIGINT, _stop)
    os.environ["TORCH_COMPILE_DISABLE"] = "1"  # else the first verdict of each worker waits for torch's compiler
    if then is not None:
        then()


def do(work: Callable, *args):
    """What a pool is given to do. It would take the end of a worker for a result, and begin the next job in it."""
    try:
        return work(*args)
    except SystemExit:
        os._exit(STOPPED)


def _stop(*_) -> None:
    """Ctrl-C reaches the workers as well. They end their kernels and remove their folders, which a second one does
    not disturb, and print nothing: wherever it meets them, Python or asyncio would show a traceback for each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.exit(STOPPED)


def _end_with(parent) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)


def name_what_multiprocessing_makes() -> None:
    """Its sockets and semaphores bear this process's name, so that they are swept if it is killed.

    Called before there is any worker.
    """
    names = multiprocessing.current_process()._config
    names["tempdir"] = str(one_for_this_process())
    if sys.platform == "linux":  # elsewhere semaphores are no files
        names["semprefix"] = f"/{named('grade')}"
