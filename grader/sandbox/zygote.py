"""The warm process: everything imported, nothing computed; forks a keeper for every kernel that is asked for.

Run as `python -m grader.sandbox.zygote OWNER LISTENER MODULE…`, behind the wall, by `grader.sandbox.warm`: two
open sockets, one to the process that started it, with which it ends, and one where others of the same user may
connect. It has one thread and keeps it so: a process that forks with others running can leave their locks
locked for ever.
"""

import gc
import importlib
import os
import pkgutil
import select
import signal
import socket
import sys
import threading
from pathlib import Path

from grader.sandbox import keeper, linux
from grader.sandbox.messages import receive, send

# All that a kernel would import before it runs its first cell, the debugger among it.
KERNEL = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "ipykernel.datapub",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "faulthandler",
    "pygments.formatters.terminal256",
    "stack_data",
    "tornado.platform.asyncio",
    "grader.sandbox.inside",
    "grader.sandbox.kernelapp",
)


def main() -> None:
    owner, listener = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    gc.disable()  # nothing that is imported is garbage, and looking for it takes a tenth of the time
    for name in (*KERNEL, *sys.argv[3:]):
        for found in _modules(name):
            _warm(found)
    if (threads := _threads()) != 1:
        running = ", ".join(thread.name for thread in threading.enumerate())
        sys.exit(f"the zygote has {threads} threads after its imports ({running}), so it cannot fork")
    gc.freeze()  # a collection would only copy the pages of all this into each kernel
    gc.enable()
    linux.use_huge_pages()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers say themselves how their kernels ended
    lines, hello = [owner], {"data": _data()}
    send(owner, hello)
    while owner in lines:
        for ready in select.select([listener, *lines], [], [])[0]:
            if ready is listener:
                lines.append(listener.accept()[0])
                send(lines[-1], hello)
            elif not _served(ready, [listener, *lines]):
                lines.remove(ready)
                ready.close()


def _served(line: socket.socket, ours: list[socket.socket]) -> bool:
    """Forks for one request; False when the other side is gone."""
    if (asked := receive(line)) is None:
        return False
    message, files = asked
    if os.fork() == 0:
        for one in ours:
            one.close()
        keeper.main(message, files)  # never returns
    for file in files:
        os.close(file)
    return True


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
