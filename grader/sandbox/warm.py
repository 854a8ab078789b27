"""The grader's end: starts a zygote behind the wall, and asks it for kernels."""

import contextlib
import os
import secrets
import select
import socket
import subprocess
import sys
import tempfile
import threading
import weakref

from grader.sandbox.bubblewrap import NoWall, command
from grader.sandbox.folders import new_folder, remove
from grader.sandbox.fonts import shown_fonts
from grader.sandbox.limits import Caps
from grader.sandbox.messages import ORDER, receive, send
from grader.sandbox.processes import kill_tree
from grader.sandbox.view import View

STARTUP = 120  # seconds for the imports, on a slow disk
FIRST_USER = 200_000  # of the users that root gives to kernels: far from those of people and services
USERS = 60_000


__all__ = ["ORDER", "Kernel", "Line", "Warm", "use", "warm"]
_lines: dict[View, "Line"] = {}
_starting = threading.Lock()


def warm(view: View) -> "Line":
    """This process's line to a zygote for a view; the zygote is started when it is first asked for.

    Raises NoWall.
    """
    with _starting:
        if view not in _lines or not _lines[view].alive:
            _lines[view] = Warm(view)
        return _lines[view]


def use(view: View, address: str) -> None:
    """From now on this process asks a zygote that another process of the same user has started."""
    _lines[view] = Line.to(address)


class Kernel:
    """One forked kernel: the socket to its keeper."""

    def __init__(self, life: socket.socket):
        self._life, self.ended = life, None

    def started(self, seconds: float) -> bool:
        """Whether it could be made. Raises NoWall, saying why not."""
        if not select.select([self._life], [], [], seconds)[0]:
            return False
        said = receive(self._life)
        if said is None or "started" not in said[0]:
            raise NoWall(
                f"a kernel could not be walled: {said and said[0].get('why')}", "see `python -m grader doctor`"
            )
        return True

    def poll(self) -> dict | None:
        """How it ended; None while it runs."""
        if self.ended is None and select.select([self._life], [], [], 0)[0]:
            try:
                said = receive(self._life)
            except OSError:
                said = None
            self.ended = said[0] if said else {"ended": "lost", "status": None}
        return self.ended

    def wait(self, seconds: float) -> dict:
        """How it ended, if it ends within so many seconds."""
        if self.ended is None:
            select.select([self._life], [], [], seconds)
        return self.poll() or {"ended": "running", "status": None}

    def kill(self) -> None:
        """SIGKILL for all of its processes."""
        with contextlib.suppress(OSError):
            self._life.send(b"kill")

    def close(self) -> None:
        self._life.close()


class Line:
    """A connection to a zygote, over which kernels are asked for."""

    def __init__(self, channel: socket.socket):
        self._channel, self._lock, self._next = channel, threading.Lock(), 0
        self._data_base: int | None = None

    def _wait(self) -> None:
        """Until the zygote has imported everything; it then says where its data begins, which kernels' comes on top
        of. Not waited for before a kernel is wanted: others have things to import meanwhile."""
        ready = select.select([self._channel], [], [], STARTUP)[0]
        said = receive(self._channel) if ready else None
        if said is None:
            raise NoWall(f"the warm process did not start: {self.said()}", "see `python -m grader doctor`")
        self._data_base = said[0]["data"]

    @classmethod
    def to(cls, address: str) -> "Line":
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            channel.connect(address)
        except OSError as error:
            raise NoWall(f"the warm process is gone ({error})", "give the command again") from error
        return cls(channel)

    @property
    def alive(self) -> bool:
        """Whether the zygote still is there: it says nothing unasked, so there is only an end to read."""
        return self._data_base is None or not select.select([self._channel], [], [], 0)[0]

    def said(self) -> str:
        return "see the process that started it"

    def kernel(
        self, connection: dict, listening: list[socket.socket], caps: Caps, entropy: int | None = None
    ) -> Kernel:
        """A new kernel. listening: its sockets, in the order of `ORDER`. Raises NoWall."""
        with self._lock:
            if self._data_base is None:
                self._wait()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        message = {
            "connection": connection,
            "caps": caps.to_json(),
            "entropy": secrets.randbits(63) if entropy is None else entropy,
            "user": self._user(),
            "data_base": self._data_base,
        }
        with self._lock, theirs:
            try:
                send(self._channel, message, [theirs.fileno(), *(one.fileno() for one in listening)])
            except OSError as error:
                ours.close()
                raise NoWall(f"the warm process is gone: {self.said()}", "give the command again") from error
        return Kernel(ours)

    def _user(self) -> int | None:
        if os.geteuid() != 0:
            return None
        self._next = (self._next + 1) % USERS
        # Two graders on one machine: their kernels' users should differ, too.
        return FIRST_USER + (os.getpid() * 64 + self._next) % USERS

    def close(self) -> None:
        self._channel.close()


class Warm(Line):
    """A zygote of one's own. Closed, or when this process ends, it is gone with all kernels, whoever asked for them."""

    def __init__(self, view: View):
        self._folder = new_folder("kernel")  # for this user only, and unseen inside
        self._remove = weakref.finalize(self, remove, self._folder)  # also when the process ends
        self.address = str(self._folder / "zygote")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener, theirs:
            listener.bind(self.address)
            listener.listen(64)
            passed = [theirs.fileno(), listener.fileno()]
            python = [sys.executable, "-P", "-m", "grader.sandbox.zygote", *map(str, passed), *view.preload]
            self._process = subprocess.Popen(
                command(view, python, shown_fonts(view, self._folder)),
                env=dict(view.env),
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
            )
        super().__init__(ours)

    def said(self) -> str:
        """The last lines that it and its kernels' makers wrote."""
        self._said.seek(0)
        return " / ".join(self._said.read().decode("utf-8", "replace").strip().splitlines()[-3:]) or "it said nothing"

    def close(self) -> None:
        super().close()
        kill_tree(self._process.pid)
        self._process.wait()
        self._remove()
