"""Ends a process with everything it started."""

import contextlib
import os
import signal

import psutil


def kill_tree(pid: int) -> None:
    """SIGKILL for the process, its children's children and its process group. What has ended is no error."""
    try:
        root = psutil.Process(pid)
        # Stopped first, so that it cannot start another child while its children are listed.
        root.suspend()
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
