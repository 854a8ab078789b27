"""Ends a process with everything it started."""

import contextlib
import os
import signal
import time

import psutil


def kill_tree(pid: int) -> None:
    """SIGKILL for the process, its children's children and its process group. What has ended is no error."""
    try:
        root = psutil.Process(pid)
        # Stopped first, so that it cannot start another child while its children are listed. (bubblewrap's first one
        # would wait for ever for a word of its parent.)
        root.suspend()
        _wait_until_stopped(root)
        tree = [*root.children(recursive=True), root]
    except psutil.NoSuchProcess:
        tree = []
    for process in tree:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    if hasattr(os, "killpg"):
        # Children whose parent has ended are nobody's children, but still of the kernel's group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _wait_until_stopped(process: psutil.Process) -> None:
    """A signal takes a moment to arrive. A process that the system holds longer than that starts nothing meanwhile."""
    for _ in range(100):
        if process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
            return
        time.sleep(0.001)
