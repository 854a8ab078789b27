"""`python -m grader build`: what it writes, and that it writes the same everywhere."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from grader.author.solution_text import found_in_folder, solution_lines
from grader.files import write_atomically
from tests.author.conftest import LESSON, PROJECT, make_course

SOURCE = f"solutions/{LESSON}/rms_norm.py"
RELEASE = f"lessons/{LESSON}/rms_norm.ipynb"
GENERATED = f"solutions/{LESSON}/rms_norm.ipynb"


def files_of(root):
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_build_writes_the_two_notebooks_and_nothing_else(course, run):
    before = files_of(course.root)
    status, text = run("build")
    assert status == 0
    assert files_of(course.root) - before == {GENERATED, RELEASE}
    assert GENERATED in text and RELEASE in text


def test_a_gradebook_that_is_there_is_not_touched(course, run):
    gradebook = course.root / "gradebook.db"
    gradebook.write_bytes(b"grades")
    run("build")
    assert gradebook.read_bytes() == b"grades"


def test_the_student_copy_is_a_valid_notebook_without_outputs(course, run):
    run("build")
    notebook = nbformat.read(course.root / RELEASE, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_cell_ids_come_from_the_grade_id_or_the_position(course, run):
    run("build")
    cells = nbformat.read(course.root / RELEASE, as_version=4).cells
    assert cells[0].id == "cell-000"
    assert {cell.id: cell.metadata.get("nbgrader", {}).get("grade_id", cell.id) for cell in cells} == {
        cell.id: cell.id for cell in cells
    }
    assert len({cell.id for cell in cells}) == len(cells)


def test_the_student_copy_holds_no_solution_and_no_hidden_test(course, run):
    run("build")
    lines = solution_lines(course, LESSON)
    assert "grad_x = inverse_rms * (scaled - normalised * along_x)" in lines
    assert found_in_folder(lines, course.root / "solutions"), "the search finds them where they are"
    assert found_in_folder(lines, course.root / "lessons") == []
    text = (course.root / RELEASE).read_text(encoding="utf-8")
    assert "held-out" not in text and "BEGIN" not in text


def test_the_same_source_gives_the_same_bytes_in_another_place(course, run, tmp_path):
    run("build")
    other = make_course(tmp_path / "a clone with another name")
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-m", "grader", "build"], cwd=other.root, env=environment, check=True)
    for name in (GENERATED, RELEASE):
        assert (course.root / name).read_bytes() == (other.root / name).read_bytes()
        assert str(tmp_path) not in (course.root / name).read_text(encoding="utf-8")


def test_nbgrader_itself_releases_the_same_bytes(course, run):
    """Formgrader's Generate button runs this; it must not make the committed copy look changed."""
    run("build")
    built = (course.root / RELEASE).read_bytes()
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", LESSON, "--force"]
    # nbgrader's gradebook calls the program `alembic` by its bare name.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, cwd=course.root, check=True, capture_output=True, env=os.environ | {"PATH": path})

    assert (course.root / RELEASE).read_bytes() == built
    assert files_of(course.root / "lessons") == {f"{LESSON}/rms_norm.ipynb"}, "the .py must not leak"


def test_building_again_changes_nothing(course, run):
    run("build")
    before = (course.root / RELEASE).stat().st_mtime_ns
    status, text = run("build", LESSON)
    assert status == 0 and "up to date" in text
    assert (course.root / RELEASE).stat().st_mtime_ns == before


def test_an_unknown_lesson_is_one_clear_sentence(course, run):
    status, text = run("build", "04_nothing")
    assert status == 2
    assert "There is no solutions/04_nothing/nothing.py: known lessons: 03_rms_norm." in text


def test_a_course_without_lessons_is_told(course, run):
    course.source(LESSON).unlink()
    status, text = run("build")
    assert status == 2 and "There are no lessons in" in text


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "file"
    assert write_atomically(path, b"old") and not write_atomically(path, b"old")

    def full_disk(*_):
        raise OSError("no space left")

    monkeypatch.setattr("pathlib.Path.replace", full_disk)
    with pytest.raises(OSError, match="no space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_a_lesson_without_its_header_is_refused(course, run):
    path = course.source(LESSON)
    path.write_text(path.read_text(encoding="utf-8").split("# ---\n\n", 1)[1], encoding="utf-8")
    status, text = run("build")
    assert status == 2 and f"{SOURCE}, line 1: the lines from `# ---` to `# ---` are missing" in text


def test_a_source_that_has_gone_is_missed_and_its_notebook_is_not_taken_for_one_made_by_hand(course, run):
    run("build")
    course.source(LESSON).unlink()
    status, text = run("build", LESSON)
    assert status == 2 and text == (
        f"error: There is no {SOURCE}, from which rms_norm.ipynb beside it was made: bring it back.\n"
    )
