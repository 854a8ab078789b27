"""Stands beside one kernel, outside its namespaces: counts what it uses, ends it, and says how it ended.

A keeper talks over its own socket with whoever asked for the kernel. When that side closes, the kernel ends.
"""

import contextlib
import os
import select
import signal
import socket
from pathlib import Path

from grader.sandbox import linux
from grader.sandbox.limits import Caps
from grader.sandbox.messages import send
from grader.sandbox.view import USER

BEAT = 0.05  # seconds between two looks at what the kernel uses
# What counts of /proc/PID/status: all that is no file's, also when swapped out, and the tables it takes.
COUNTED = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
SOCKET = 2**20  # bytes that the system may hold for one socket


def main(message: dict, files: list[int]) -> None:
    """The rest of a forked process's life. files: the socket to talk over, then those that the kernel listens on."""
    status = {"ended": "failed", "why": "the sandbox could not be made"}
    life = socket.socket(fileno=files[0])
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        caps = Caps(**message["caps"])
        init = _start(message, files[1:], caps)
        for file in files[1:]:
            os.close(file)
        send(life, {"started": init})
        status = _watch(init, life, caps)
    except Exception as error:
        status["why"] = f"{type(error).__name__}: {error}"
    finally:
        with contextlib.suppress(OSError):
            send(life, status)
        os._exit(0)


def _start(message: dict, files: list[int], caps: Caps) -> int:
    """The init of the kernel's own process namespace: when it ends, all in there is killed by the system."""
    _become(message.get("user"))
    uid, gid = os.getuid(), os.getgid()  # afterwards everybody is nobody until the map is written
    linux.unshare(linux.NEWUSER | linux.NEWPID | linux.NEWIPC | linux.NEWNET)
    _map_user(uid, gid)
    init = os.fork()
    if init == 0:
        from grader.sandbox import inside

        inside.main(message, files, caps)  # never returns
    return init


def _become(user: int | None) -> None:
    """As root: a user who owns nothing, a different one for each kernel, so that limits per user count for one."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        linux.prctl(linux.SET_DUMPABLE, 1)  # or /proc/self would still be root's


def _map_user(uid: int, gid: int) -> None:
    with contextlib.suppress(OSError):  # denied already, where the outer wall did it
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{USER} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{USER} {gid} 1")


def _watch(init: int, life: socket.socket, caps: Caps) -> dict:
    """How it ended, after it has ended."""
    base, why = _memory(os.getpid()), None
    while True:
        ready, _, _ = select.select([life], [], [], BEAT)
        ended, status = os.waitpid(init, os.WNOHANG)
        if ended:
            return {"ended": "died" if why is None else why, "status": os.waitstatus_to_exitcode(status)}
        if ready and not life.recv(64):
            why = "closed"
        elif ready:
            why = "killed"
        why = why or _over(init, base, caps)
        if why is not None:
            os.kill(init, signal.SIGKILL)
            _, status = os.waitpid(init, 0)
            return {"ended": why, "status": os.waitstatus_to_exitcode(status)}


def _over(init: int, base: int, caps: Caps) -> str | None:
    """Which limit the processes of the kernel are over, if any."""
    processes, threads, used = _descendants(init), 1, SOCKET * _sockets(init)  # this one is the user's, too
    for pid in processes:
        threads += _threads(pid)
        used += max(0, _memory(pid) - base)
    if threads >= caps.processes:
        return "processes"
    return "memory" if used > caps.memory_bytes else None


def _descendants(root: int) -> list[int]:
    """`root` and all that come from it. Only this sandbox's processes are in /proc, so there are few."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                text = (entry / "stat").read_text()
                parents[int(entry.name)] = int(text[text.rindex(")") + 1 :].split()[1])
    found, new = [], [root]
    while new:
        found += new
        new = [pid for pid, parent in parents.items() if parent in new and pid not in found]
    return found


def _memory(pid: int) -> int:
    """Bytes of memory that are no file's."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(COUNTED))


def _sockets(pid: int) -> int:
    """Of all processes in this one's network namespace."""
    try:
        return int(Path(f"/proc/{pid}/net/sockstat").read_text().split()[2])
    except (OSError, ValueError, IndexError):
        return 0


def _threads(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return 0
