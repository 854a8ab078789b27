"""A course of its own for every test: this project's nbgrader_config.py and one small lesson."""

import shutil
from pathlib import Path

import pytest

from grader.cli import main
from grader.paths import Course

PROJECT = Path(__file__).parents[2]
LESSON = "03_rms_norm"


def make_course(folder: Path) -> Course:
    """A course in `folder`, with the fixture lesson and nothing built."""
    shutil.copytree(Path(__file__).parent / "fixture", folder / "solutions")
    shutil.copy(PROJECT / "nbgrader_config.py", folder)
    return Course(folder)


@pytest.fixture
def course(tmp_path, monkeypatch) -> Course:
    made = make_course(tmp_path / "course")
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def run(capsys):
    """run(*arguments) of `python -m grader` -> (exit status, what it printed)."""

    def call(*arguments: str) -> tuple[int, str]:
        status = main([*arguments])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return call


def edit(path: Path, old: str, new: str) -> None:
    """Replace text that must be there exactly once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), encoding="utf-8")
