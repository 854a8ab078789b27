"""Ctrl-C while a class is graded: ends this process with all that it started."""

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from functools import partial

import psutil

from grader.course.own_worker import STOPPED
from grader.sandbox.folders import sweep
from grader.sandbox.processes import kill_tree

GRACE = 5.0  # seconds for the workers to end their kernels


@contextlib.contextmanager
def ends_at_once(sentence: str) -> Iterator[None]:
    """Ctrl-C prints this sentence and ends, in place of raising KeyboardInterrupt. Python's exception is lost now and
    then: in the callback of a weak reference, or in a library that goes on after any error, and then the grader would
    go on, too. To end anywhere is safe: what is graded is on the disk, as it has to be for a kill."""
    before = signal.signal(signal.SIGINT, partial(_end, sentence, os.getpid()))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(sentence: str, owner: int, *_) -> None:
    if os.getpid() != owner:  # a worker that has been forked, and has not begun
        os._exit(STOPPED)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What other threads print of losing their workers is not for the reader.
    stderr = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _end_children()
    sweep(and_own=True)
    os.write(stderr, f"{chr(10) if os.isatty(stderr) else ''}{sentence}\n".encode())
    os._exit(STOPPED)


def _end_children() -> None:
    with contextlib.suppress(psutil.Error):
        at_work = {worker.pid for worker in multiprocessing.active_children()}
        workers = [one for one in psutil.Process().children(recursive=True) if one.pid in at_work]
        for worker in workers if sys.platform != "win32" else []:
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.send_signal(signal.SIGINT)  # a terminal has sent it already, `kill -INT` only to this process
        psutil.wait_procs(workers, timeout=GRACE)
        left = psutil.Process().children()
        for child in left:
            kill_tree(child.pid)
        psutil.wait_procs(left, timeout=GRACE)
