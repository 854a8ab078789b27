"""A new gradebook is nbgrader's own, made without the process that nbgrader starts for it."""

import os
import sqlite3
import subprocess
import sysconfig
from pathlib import Path

from nbgrader.api import Gradebook

from grader.course.database import opened


def told(path: Path) -> list[str]:
    with sqlite3.connect(path) as database:
        return sorted(database.iterdump())


def test_the_same_tables_and_version(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]))
    for name, make in (("ours", opened), ("theirs", Gradebook)):
        make(f"sqlite:///{tmp_path / name}", "course").close()
    assert told(tmp_path / "ours") == told(tmp_path / "theirs")
    assert any("alembic_version" in line and "INSERT" in line for line in told(tmp_path / "ours"))


def test_no_process_is_started(tmp_path, monkeypatch):
    def start(*words, **settings):
        raise AssertionError(f"starts {words}")

    monkeypatch.setattr(subprocess, "Popen", start)
    opened(f"sqlite:///{tmp_path / 'gradebook.db'}", "course").close()
    assert any("INSERT" in line and "alembic_version" in line for line in told(tmp_path / "gradebook.db"))
