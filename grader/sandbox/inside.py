"""The first process in a kernel's own namespaces: makes its folders, gives up every privilege, starts the kernel.

All here runs before the student's code, and nothing of it can be undone by that code.
"""

import contextlib
import os
import resource
import signal
import sys
from pathlib import Path

from grader.sandbox import linux, seccomp
from grader.sandbox.limits import Caps
from grader.sandbox.view import python

NOTHING = linux.NO_SUID | linux.NO_DEV
FILES = 20_000  # in the scratch: a million empty ones would fill the memory, too
ROOM = 16  # processes: at the limit itself, some would end as others begin, and none be seen too many
TERMINALS = 16  # a shell command (`!ls`) takes one
SHOWN = ("cpuinfo", "meminfo", "stat", "uptime", "version", "filesystems", "sys/kernel", "sys/vm")


def main(message: dict, files: list[int], caps: Caps) -> None:
    """As init: waits for the kernel and ends with it, which ends all that it has started."""
    status = 1
    try:
        linux.prctl(linux.SET_DEATH_SIGNAL, signal.SIGKILL)  # without a keeper there is no kernel
        _close_all_but({0, 1, 2, *files})
        linux.unshare(linux.NEWNS)
        linux.mount("none", "/", "", linux.RECURSIVE | linux.PRIVATE)
        _folders(caps)
        linux.loopback_up()
        os.setsid()  # where the system shares processors out by session, all that it starts gets one share
        kernel = os.fork()
        if kernel == 0:
            _kernel(message, files, caps)
        linux.prctl(linux.SET_DUMPABLE, 0)  # its files are the grader's
        _close_all_but({2})
        _give_up()
        status = _wait(kernel)
    except Exception as error:
        print(f"sandbox: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def _close_all_but(kept: set[int]) -> None:
    """The line to the grader above all: who holds it could say how the kernel ended."""
    for number in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        if number not in kept:
            with contextlib.suppress(OSError):
                os.close(number)


def _wait(kernel: int) -> int:
    """The status of the kernel, as a shell would say it; every orphan is waited for on the way."""
    while True:
        pid, status = os.wait()
        if pid == kernel:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _kernel(message: dict, files: list[int], caps: Caps) -> None:
    status = 1
    try:
        _own_proc()
        _give_up()
        _limit(caps, message["data_base"])
        os.chdir("/scratch/work")
        from grader.sandbox.kernelapp import serve

        serve(message["connection"], files, message["entropy"])
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException as error:
        print(f"sandbox: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def _folders(caps: Caps) -> None:
    """Private, sized, in memory: gone with the last process that sees them."""
    options = f"size={caps.scratch_bytes},nr_inodes={FILES},mode=0700"
    linux.mount("scratch", "/scratch", "tmpfs", NOTHING, options)
    for name in ("work", "home", "tmp"):
        Path("/scratch", name).mkdir()
    for path in python():  # an environment in /tmp has to be seen in the new one, too
        if path.startswith("/tmp/"):
            Path(f"/scratch{path}").mkdir(parents=True, exist_ok=True)
            linux.mount(path, f"/scratch{path}", "", linux.BIND | linux.RECURSIVE)
    linux.mount("/scratch/tmp", "/tmp", "", linux.BIND | linux.RECURSIVE)
    linux.mount("shm", "/dev/shm", "tmpfs", NOTHING | linux.NO_EXEC, options)
    linux.mount(
        "pts", "/dev/pts", "devpts", linux.NO_SUID | linux.NO_EXEC, f"newinstance,ptmxmode=0666,max={TERMINALS}"
    )
    # Mapped and shared, zeros are memory that no limit counts.
    linux.mount("/dev/null", "/dev/zero", "", linux.BIND)


def _own_proc() -> None:
    """In place of /proc, which shows the processes of all kernels: this process's own entry, and harmless facts.

    A fresh /proc cannot be mounted here: the system allows it only where nothing covers parts of the outer one.
    """
    me = str(Path("/proc/self").readlink())
    linux.mount("proc", "/scratch/tmp", "tmpfs", NOTHING | linux.NO_EXEC, "size=64k,mode=0755")
    new = Path("/scratch/tmp")
    for name in (me, *SHOWN):
        source, target = Path("/proc", name), new / name
        if source.is_dir():
            target.mkdir(parents=True)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
        else:
            continue
        linux.mount(str(source), str(target), "", linux.BIND | linux.RECURSIVE)
    for name in {"self", str(os.getpid())} - {me}:
        (new / name).symlink_to(me)
    linux.mount(str(new), "/proc", "", linux.MOVE)
    linux.mount("none", "/proc", "", linux.BIND | linux.REMOUNT | linux.READ_ONLY | NOTHING | linux.NO_EXEC)


def _give_up() -> None:
    linux.drop_capabilities()
    seccomp.refuse_calls()


def _limit(caps: Caps, data_base: int) -> None:
    """data_base: bytes of data that the zygote had already when it forked."""
    limits = {
        resource.RLIMIT_DATA: data_base + caps.memory_bytes,
        resource.RLIMIT_FSIZE: caps.file_bytes,
        resource.RLIMIT_CPU: caps.cpu_seconds,
        # The keeper ends a kernel at so many; the system stops what multiplies faster than the keeper looks.
        resource.RLIMIT_NPROC: caps.processes + ROOM,
        resource.RLIMIT_NOFILE: caps.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for which, value in limits.items():
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(ValueError):
            resource.setrlimit(which, (value, value))
    # A file that grows too large is an error to the code that writes it, not the end of the kernel.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
