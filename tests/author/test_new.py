"""A lesson that `python -m grader new` has begun works from its first minute, and no existing file knows of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grader.author.new import lesson_of, new
from grader.errors import CourseError
from grader.paths import Course
from tests.author.conftest import PROJECT

NEEDED = ("grader", "lessons", "quiz", "solutions", "nbgrader_config.py")


def project(folder: Path) -> Course:
    """A copy of what a lesson is made of."""
    folder.mkdir()
    for name in NEEDED:
        there = PROJECT / name
        unneeded = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        if there.is_dir():
            shutil.copytree(there, folder / name, ignore=unneeded)
        else:
            shutil.copy(there, folder / name)
    return Course(folder)


@pytest.fixture
def course(tmp_path) -> Course:
    """One that has lessons 01 and 02 by name, and the folders that a project has."""
    for name in ("solutions/01_one/one.py", "solutions/02_two/two.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    for name in ("grader/exercises", "grader/answers", "quiz/bank"):
        (tmp_path / name).mkdir(parents=True)
    return Course(tmp_path)


@pytest.mark.parametrize(
    ("after", "number"),
    [(["1"], "01b"), (["01", "1"], "01c"), (["2"], "03"), (["01", "01b"], "01c"), (["2", "3"], "04")],
)
def test_it_comes_between(course, after, number):
    made = [lesson_of(new(course, f"new_{place}", one)) for place, one in enumerate(after)]
    assert made[-1].partition("_")[0] == number
    assert course.lesson_names() == sorted([*made, "01_one", "02_two"])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": "Routing"}, "small letters"),
        ({"name": "../up"}, "small letters"),
        ({"name": "class"}, "Python keeps that word"),
        ({"exercise": "a b"}, r"an exercise's name: .*such as mixture_of_experts\.$"),
        ({"name": "one"}, "There is a lesson 01_one already"),
        ({"name": "rms_norm"}, "There is an exercise 'rms_norm' already"),
        ({"after": "7"}, "There is no lesson '07' to come after. Numbers: 01, 02."),
    ],
)
def test_what_will_not_do_is_told_and_nothing_is_written(course, wrong, says):
    before = sorted(course.root.rglob("*"))
    with pytest.raises(CourseError, match=says):
        new(course, **({"name": "routing", "after": "1"} | wrong))
    assert sorted(course.root.rglob("*")) == before


def test_a_file_that_is_there_stays(course):
    (course.root / "quiz/bank/01b_routing.yaml").write_text("mine")
    with pytest.raises(CourseError, match=r"quiz/bank/01b_routing.yaml is there already; nothing was written"):
        new(course, "routing", "1")
    assert course.lesson_names() == ["01_one", "02_two"]


@pytest.mark.parametrize("title", ['Routing: "who" and #1', "Two\n lines", "Größe — c\\d"])
def test_any_title_is_the_same_in_lesson_and_quiz(course, title):
    made = new(course, "routing", "1", title=title)
    one_line = " ".join(title.split())
    lesson, quiz = (
        next(path for path in made if path.is_relative_to(course.root / one)) for one in ("solutions", "quiz")
    )
    assert f"# # {one_line}\n" in lesson.read_text(encoding="utf-8")
    assert yaml.safe_load(quiz.read_text(encoding="utf-8"))["title"] == f"{one_line} in a question"


def test_elsewhere_it_says_where_it_belongs(tmp_path):
    with pytest.raises(CourseError, match="is not the course's own project"):
        new(Course(tmp_path), "routing", "1")


@pytest.mark.slow
def test_the_new_lesson_is_built_proved_listed_and_quizzed(tmp_path):
    course = project(tmp_path / "project")
    before = {path: path.read_bytes() for path in course.root.rglob("*") if path.is_file()}

    def command(*words: str) -> str:
        env = os.environ | {"PYTHONPATH": str(course.root), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-m", *words], cwd=course.root, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    command("grader", "new", "expert_routing", "--after", "10", "--title", "Routing to experts")
    command("grader", "build", "10b_expert_routing")
    assert {path: path.read_bytes() for path in before} == before
    assert "Proved." in command("grader", "prove", "10b_expert_routing")
    command("grader", "build", "--check")
    assert "10b_expert_routing" in command("quiz", "validate")
    command("ruff", "check", "--isolated", "--select", "E,F,W", "--line-length", "120", "grader/exercises")
    names = course.lesson_names()
    assert names.index("10b_expert_routing") == names.index("10_decoder") + 1
