"""What an instructor may choose: written answers off, other points, only some lessons."""

import nbformat
import pytest

from grader.author.cells import CHECK
from grader.author.points import _text_follows
from grader.author.wheel import stage
from grader.errors import CourseError
from grader.exercises import of_lesson
from grader.paths import CONFIG, find_course
from tests.author.conftest import LESSON, PROJECT, edit


def released(course) -> nbformat.NotebookNode:
    return nbformat.read(course.release(LESSON), as_version=4)


def graded(notebook) -> dict[str, int]:
    cells = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {meta.grade_id: meta.points for meta in cells if meta.grade}


def test_written_answers_off(course, run):
    assert run("build", LESSON)[0] == 0
    before = released(course)
    model = next(c for c in before.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "written_why")
    with (course.root / CONFIG).open("a") as config:
        config.write(f"\nc.WithoutWritten.lessons = ['{LESSON}']\n")
    assert run("build", LESSON)[0] == 0
    after = released(course)
    assert graded(before).keys() - graded(after).keys() == {"written_why"}
    cell = after.cells[before.cells.index(model)]
    assert cell.cell_type == "markdown" and cell.source == "*Your notes. They are not graded.*"
    assert len(after.cells) == len(before.cells)
    with (course.root / CONFIG).open("a") as config:
        config.write("\nc.WithoutWritten.lessons = ['04_other']\n")
    assert run("build", LESSON)[0] == 0 and released(course) == before


def test_points_stand_with_the_exercise(course, run):
    """A cell that says something else is named; `--points` writes what the exercise gives."""
    right = course.source(LESSON).read_text()
    edit(course.source(LESSON), '"points": 6', '"points": 60')
    status, said = run("build", LESSON)
    assert status == 2 and "the exercise gives 6, the cell 60 (`build --points` writes it there)" in said
    status, said = run("build", "--points", LESSON)
    assert status == 0 and "check_rms_norm: 6 points, it had 60" in said
    assert course.source(LESSON).read_text() == right
    assert graded(released(course))["check_rms_norm"] == 6
    assert "points, it had" not in run("build", "--points", LESSON)[1]


@pytest.mark.parametrize("lesson", [name for name in find_course().lesson_names() if of_lesson(name)])
def test_the_text_says_the_points_of_the_exercises(lesson):
    """Under the heading, in the table and in the sum. With the points that it has, nothing changes."""
    text = find_course().source(lesson).read_text(encoding="utf-8")
    points = {CHECK + exercise.id: exercise.points for exercise in of_lesson(lesson) if not exercise.extra}
    assert _text_follows(text, points) == text
    last = list(points)[-1]
    followed = _text_follows(text, points | {last: points[last] + 100}).splitlines()
    changed = [new for new, old in zip(followed, text.splitlines(), strict=True) if new != old]
    total, row, heading = changed
    assert f" · {sum(points.values()) + 100} points, and " in total
    assert row.startswith(f"# | Exercise {len(points)}: ") and row.endswith(f" | {points[last] + 100} |")
    assert heading.endswith(f" · {points[last] + 100} points")


def test_a_wheel_of_some_lessons(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.author.wheel.recordable", list)
    stage(find_course(PROJECT), tmp_path / "wheel", [LESSON])
    assert [path.name for path in (tmp_path / "wheel" / "lessons").glob("[0-9]*")] == [LESSON]
    with pytest.raises(CourseError, match="There is no solutions/77_no"):
        stage(find_course(PROJECT), tmp_path / "none", ["77_no"])
