"""The two kinds of kernel that tests run in, and what may be left of them."""

import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from grader.notebook.fresh import FreshKernel
from grader.notebook.walled import WalledKernel, view
from grader.sandbox.folders import one_for_this_process
from grader.sandbox.warm import warm

LINUX = sys.platform.startswith("linux")
ON_LINUX = (pytest.mark.other_os, pytest.mark.skipif(not LINUX, reason="the wall is Linux's"))
BOTH = [pytest.param(FreshKernel(), id="fresh"), pytest.param(WalledKernel(), id="walled", marks=ON_LINUX)]


@contextlib.contextmanager
def nothing_left_behind(patch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Afterwards no kernel is there that was not there before, and no file in the temporary folder of its own
    that it yields. (Others use the machine's meanwhile; its path is short, because sockets lie in it.)"""
    one_for_this_process()  # it stays, as does a warm process's
    if LINUX:
        warm(view())
    before, parent = processes(), "/tmp" if Path("/tmp").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="t-", dir=parent) as folder:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert list(Path(folder).iterdir()) == []
    assert soon(lambda: processes() <= before), processes() - before


def soon(true: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether it becomes true: what is killed takes a moment to be gone."""
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def processes() -> set[tuple[int, str]]:
    """This process's children and theirs, but for what stays: the warm process with the wall around it, and the
    workers that torch's compiler begins and ends as it likes once it was used."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, AttributeError):
            line = " ".join(process.cmdline())
            if "bwrap" not in (process.name(), process.parent().name()) and "/compile_worker/" not in line:
                found.add((process.pid, line[-160:]))
    return found
