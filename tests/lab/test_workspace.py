import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.lab.workspace import ORIGINALS, RECORD, news, refresh, summary

NAME = "03_rms_norm/rms_norm.ipynb"


@pytest.fixture
def lessons(tmp_path):
    folder = tmp_path / "lessons"
    _write(folder / NAME, "version 1")
    _write(folder / "03_rms_norm" / "data" / "text.txt", "data")
    _write(folder / "05_norm_placement" / "norm_placement.ipynb", "other lesson")
    _write(folder / "support" / "plots.py", "code")
    _write(folder / "03_rms_norm" / ".ipynb_checkpoints" / "rms_norm-checkpoint.ipynb", "old")
    _write(folder / "03_rms_norm" / "helper.py", "code")
    return folder


@pytest.fixture
def workspace(tmp_path):
    return tmp_path / "workspace"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _actions(changes) -> dict[str, str]:
    return {change.path: str(change) for change in changes}


def test_a_first_copy_has_notebooks_and_data_and_no_code(lessons, workspace):
    changes = refresh(lessons, workspace)
    files = [path for path in workspace.rglob("*") if path.is_file() and ORIGINALS not in path.parts]
    names = {path.relative_to(workspace).as_posix() for path in files}
    wanted = {NAME, "03_rms_norm/data/text.txt", "05_norm_placement/norm_placement.ipynb"}
    assert names == wanted | {RECORD}
    assert {change.path for change in changes} == wanted
    assert all(line.endswith(": copied") for line in summary(changes))


def test_a_second_start_changes_nothing(lessons, workspace):
    refresh(lessons, workspace)
    before = {p: p.read_bytes() for p in workspace.rglob("*") if p.is_file()}
    assert summary(refresh(lessons, workspace)) == ["3 files: up to date"]
    assert {p: p.read_bytes() for p in workspace.rglob("*") if p.is_file()} == before


def test_an_edited_lesson_stays_as_it_is(lessons, workspace):
    refresh(lessons, workspace)
    (workspace / NAME).write_text("my work")
    assert set(summary(refresh(lessons, workspace))) == {"1 file: as you left it", "2 files: up to date"}
    assert (workspace / NAME).read_text() == "my work"


def test_an_unedited_lesson_follows_the_new_version(lessons, workspace):
    refresh(lessons, workspace)
    (lessons / NAME).write_text("version 2")
    assert "updated" in _actions(refresh(lessons, workspace))[NAME]
    assert (workspace / NAME).read_text() == "version 2"
    (lessons / NAME).write_text("version 3")
    refresh(lessons, workspace)
    assert (workspace / NAME).read_text() == "version 3", "an updated copy is unedited too"


def test_a_new_version_is_put_beside_an_edited_lesson_once(lessons, workspace):
    refresh(lessons, workspace)
    (workspace / NAME).write_text("my work")
    (lessons / NAME).write_text("version 2")
    beside = workspace / "03_rms_norm" / "rms_norm (new version).ipynb"
    assert _actions(refresh(lessons, workspace))[NAME].endswith("as rms_norm (new version).ipynb")
    assert (workspace / NAME).read_text() == "my work"
    assert beside.read_text() == "version 2"
    beside.unlink()
    refresh(lessons, workspace)
    assert not beside.exists(), "a version that was declined is not offered again"


def test_work_in_a_new_version_is_kept_when_a_newer_one_comes(lessons, workspace):
    refresh(lessons, workspace)
    (workspace / NAME).write_text("my work")
    for version in (2, 3):
        (lessons / NAME).write_text(f"version {version}")
        refresh(lessons, workspace)
        if version == 2:
            (workspace / "03_rms_norm" / "rms_norm (new version).ipynb").write_text("more work")
    assert (workspace / "03_rms_norm" / "rms_norm (new version).ipynb").read_text() == "more work"
    assert (workspace / "03_rms_norm" / "rms_norm (new version 2).ipynb").read_text() == "version 3"


def test_a_deleted_copy_comes_back_fresh(lessons, workspace):
    refresh(lessons, workspace)
    (workspace / NAME).unlink()
    assert _actions(refresh(lessons, workspace))[NAME].endswith("copied")
    assert (workspace / NAME).read_text() == "version 1"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"copied": 3}', '{"copied": {}}'])
def test_without_a_readable_record_what_is_there_counts_as_work(lessons, workspace, damage):
    refresh(lessons, workspace)
    (workspace / RECORD).write_text(damage)
    (lessons / NAME).write_text("version 2")
    assert "stays" in _actions(refresh(lessons, workspace))[NAME]
    assert (workspace / NAME).read_text() == "version 1"
    assert NAME in json.loads((workspace / RECORD).read_text())["offered"]


def test_a_folder_without_lessons_is_said(tmp_path):
    with pytest.raises(CourseError, match="There are no lessons in"):
        refresh(tmp_path, tmp_path / "workspace")


def test_a_place_that_cannot_be_written_is_one_sentence(lessons, tmp_path):
    (tmp_path / "a_file").write_text("not a folder")
    with pytest.raises(CourseError, match=r"Cannot write the lessons to .*--workspace; nothing of yours"):
        refresh(lessons, tmp_path / "a_file" / "workspace")


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from grader.errors import CourseError
from grader.lab.workspace import refresh
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    refresh(Path(sys.argv[1]), Path(sys.argv[2]))
except CourseError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files on Windows")
@pytest.mark.other_os
def test_a_full_disk_leaves_the_old_copy_and_nothing_half_written(lessons, workspace):
    refresh(lessons, workspace)
    (lessons / NAME).write_text("version 2" * 1000)
    command = [sys.executable, "-c", FULL_DISK, str(lessons), str(workspace)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Cannot write the lessons" in said
    assert (workspace / NAME).read_text() == "version 1"
    assert not list(workspace.rglob("*.part"))


def _lesson(text: str) -> str:
    cells = [("markdown", "# A lesson"), ("markdown", f"## The idea\n\n{text}"), ("code", "x = 1")]
    notebook = {"cells": [{"cell_type": kind, "metadata": {}, "source": s} for kind, s in cells]}
    return json.dumps(notebook | {"metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize("edited", [False, True])
def test_a_changed_lesson_says_what_changed_until_the_next_update(lessons, workspace, edited):
    (lessons / NAME).write_text(_lesson("As it was."))
    refresh(lessons, workspace)
    assert news(workspace) == {}
    if edited:
        (workspace / NAME).write_text(_lesson("As it was. My note."))
    (lessons / NAME).write_text(_lesson("As it is now."))
    said = summary(refresh(lessons, workspace))
    assert said[1].strip() == "Changed: “The idea”."
    refresh(lessons, workspace)  # which has nothing new
    (change,) = news(workspace)["changes"]
    assert change["path"] == NAME and change["said"] == "Changed: “The idea”."
    assert bool(change["beside"]) == edited
    assert ("My note" in (workspace / NAME).read_text()) == edited


def test_a_workspace_from_before_is_told_as_much_as_is_known(lessons, workspace):
    (lessons / NAME).write_text(_lesson("As it was."))
    refresh(lessons, workspace)
    shutil.rmtree(workspace / ORIGINALS)
    (lessons / NAME).write_text(_lesson("As it is now."))
    (line, *_) = summary(refresh(lessons, workspace))
    assert line.startswith(f"{NAME}: updated")
    (lessons / NAME).write_text(_lesson("As it is today."))
    assert summary(refresh(lessons, workspace))[1].strip() == "Changed: “The idea”."
