"""What a kernel that runs a student's code is given: an environment, empty folders, and nothing else."""

import contextlib
import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from grader.sandbox.folders import new_folder, remove
from grader.shown import SETTINGS

# Everything else in the grader's environment stays there: tokens, passwords, paths of the course.
PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
)


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for one kernel, gone afterwards. Its path is short: socket paths end at 108 bytes."""
    folder = new_folder("grade")
    for name in ("work", "home", "tmp"):
        (folder / name).mkdir()
    try:
        yield folder
    finally:
        remove(folder)


def environment(folder: Path) -> dict[str, str]:
    """The whole environment of a kernel that lives in `folder`."""
    home = str(folder / "home")
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | SETTINGS
    env |= {"HOME": home, "USERPROFILE": home, "IPYTHONDIR": str(folder / "home" / "ipython")}
    env |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder / "tmp"))
    if (path := _course_path()) is not None:
        env["PYTHONPATH"] = path
    return env


def _course_path() -> str | None:
    """Where the kernel finds the same `grader` and `lessons` as this process, if they are not installed."""
    parent = Path(__file__).resolve().parents[2]
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    if sys.flags.no_user_site == 0:
        installed.add(site.getusersitepackages())
    return None if parent in {Path(path).resolve() for path in installed} else str(parent)
