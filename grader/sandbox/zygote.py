"""The warm process: everything imported, nothing computed; forks a keeper for every kernel that is asked for.

Run as `python -m grader.sandbox.zygote FD MODULE…`, behind the wall, by `grader.sandbox.warm`. It has one
thread and keeps it so: a process that forks with others running can leave their locks locked for ever.
"""

import gc
import importlib
import os
import pkgutil
import signal
import socket
import sys
import threading
from pathlib import Path

from grader.sandbox import keeper
from grader.sandbox.messages import receive, send

# All that a kernel would import before it runs its first cell, the debugger among it.
KERNEL = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "ipykernel.datapub",
    "IPython.core.completer",
    "IPython.core.historyapp",
    "matplotlib_inline.config",
    "grader.sandbox.inside",
    "grader.sandbox.kernelapp",
)


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    for name in (*KERNEL, *sys.argv[2:]):
        for found in _modules(name):
            _warm(found)
    if (threads := _threads()) != 1:
        running = ", ".join(thread.name for thread in threading.enumerate())
        sys.exit(f"the zygote has {threads} threads after its imports ({running}), so it cannot fork")
    gc.collect()
    gc.freeze()  # what is here is never garbage: a collection would only copy its pages into each kernel
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers say themselves how their kernels ended
    send(channel, {"data": _data()})
    while (asked := receive(channel)) is not None:
        message, files = asked
        if os.fork() == 0:
            channel.close()
            keeper.main(message, files)  # never returns
        for file in files:
            os.close(file)


def _modules(name: str) -> list[str]:
    """A module; or, as in "lessons.support.*", a package with all that is in it."""
    package = name.removesuffix(".*")
    if package == name:
        return [name]
    path = importlib.import_module(package).__path__
    return [package, *(found.name for found in pkgutil.walk_packages(path, f"{package}."))]


def _warm(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not name.startswith(str(error.name)):
            raise


def _threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


def _data() -> int:
    """Bytes that RLIMIT_DATA counts of this process."""
    return int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0]) * 1024


if __name__ == "__main__":
    main()
