"""The student wheel: what is in it, what is not, and that a lesson works with nothing else installed."""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from grader import answers
from grader.author.solution_text import found_in_folder, solution_lines
from grader.author.wheel import build_wheel, recordable, requirements
from grader.errors import CourseError
from grader.exercises import ids, of_lesson
from grader.paths import Course, short_name
from tests.author.conftest import PROJECT
from tests.author.empty_environment import closure, environment_with, normal

pytestmark = pytest.mark.slow  # a wheel has all mistakes of the course recorded with several seeds
COURSE = Course(PROJECT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(COURSE, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def modules_of(folder: Path) -> set[str]:
    files = (path.relative_to(folder) for path in folder.rglob("*.py"))
    return {".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files}


def imports_of(path: Path) -> set[str]:
    """Dotted names that a module imports, whether at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_it_holds_the_students_side_and_every_lesson(unpacked):
    wanted = {"grader.student.check", "grader.student.hint", "grader.judge.judge", "lessons.support", "quiz"}
    assert wanted <= modules_of(unpacked)
    for lesson in COURSE.lesson_names():
        notebook = unpacked / "lessons" / lesson / f"{short_name(lesson)}.ipynb"
        nbformat.validate(nbformat.read(notebook, as_version=nbformat.NO_CONVERT))
    assert {path.name for path in (unpacked / "grader/recorded").iterdir()} == {
        f"{name}.json.gz" for name in recordable()
    }


def test_it_holds_nothing_of_an_author_or_an_instructor(unpacked):
    parts = {part for path in unpacked.rglob("*") for part in path.relative_to(unpacked).parts}
    assert not parts & {"answers", "author", "course", "notebook", "reveal.py", "solutions", "tests"}
    assert not list((unpacked / "lessons").glob("[0-9]*/**/*.py"))


def test_it_holds_no_line_of_a_solution(unpacked):
    for lesson in COURSE.lesson_names():
        lines = solution_lines(COURSE, lesson)
        assert lines
        leaks = found_in_folder(lines, unpacked)
        given = unpacked / "lessons" / "support"  # components that lessons are given
        assert [leak for leak in leaks if not leak[0].is_relative_to(given)] == []


def test_it_holds_no_line_of_a_reference_or_a_mistake(unpacked):
    texts = "".join("".join(path.read_text(encoding="utf-8").split()) for path in (unpacked / "grader").rglob("*.py"))
    for name in ids():
        known = answers.of(name)
        for implementation in (known.reference, *(mistake.implementation for mistake in known.mistakes)):
            returned = [line.strip() for line in known.source(implementation).splitlines() if "return" in line]
            telling = ["".join(line.split()) for line in returned if re.search(r"[-+*/(]", line)]
            assert [line for line in telling if line in texts] == []


ROUNDS = """
import importlib.util, sys
# The whole course, installed in editable mode in this environment, would fill the gaps.
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
from grader import blank_page, find_the_bug, study_next
from grader.exercises import exercise, ids
from grader.student.rounds.bugs import bugs
assert importlib.util.find_spec("grader.answers") is None
for number, bug in enumerate(bugs(), 1):
    names = {}
    shown = find_the_bug(number, names=names)
    exec(bug.code, names)
    said = shown.mended()
    assert "The bug is still in it." in said.notes and said.mistake is None, (number, str(said))
    assert len(str(shown.give_up())) > 60
for name in ids():
    page = blank_page(name, names={})
    assert exercise(name).missing() or page.stub.rstrip(), name
assert "For reading on" in str(study_next())
print(number)
"""


def test_the_rounds_of_the_interview_work_without_references_and_mistakes(unpacked, tmp_path):
    env = os.environ | {"PYTHONPATH": str(unpacked)}
    done = subprocess.run([sys.executable, "-c", ROUNDS], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20


def test_every_import_of_the_course_is_of_something_in_it(unpacked):
    own = modules_of(unpacked)
    for path in unpacked.rglob("*.py"):
        for name in imports_of(path):
            if name and name.split(".")[0] in {"grader", "quiz", "lessons"}:
                assert name in own or name.rpartition(".")[0] in own, f"{path.relative_to(unpacked)} imports {name}"


def test_every_other_import_comes_with_its_dependencies(unpacked):
    known = closure(requirements(COURSE))
    providers = importlib.metadata.packages_distributions()
    for path in unpacked.rglob("*.py"):
        for top in {name.split(".")[0] for name in imports_of(path) if name} - sys.stdlib_module_names:
            if top not in {"grader", "quiz", "lessons", "nbgrader"}:  # nbgrader: looked for, never needed
                assert {normal(name) for name in providers.get(top, [])} & known, f"{path.name} imports {top}"


def test_dependencies_have_the_versions_of_the_constraints():
    wanted = requirements(COURSE)
    assert "torch==2.13.0" in wanted
    for requirement in wanted:
        name, version = requirement.split("==")
        assert importlib.metadata.version(name).split("+")[0] == version


def test_a_dependency_without_a_version_is_named(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["numpy", "torch"]\n')
    (tmp_path / "constraints.txt").write_text("NumPy==2.4.6\n")
    with pytest.raises(CourseError, match=r"constraints.txt has no version for torch"):
        requirements(Course(tmp_path))


def test_the_same_course_gives_the_same_bytes(wheel, tmp_path):
    assert build_wheel(COURSE, tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.slow
@pytest.mark.other_os
@pytest.mark.skipif(os.name == "nt", reason="making symbolic links needs special rights on Windows")
def test_installed_in_an_empty_environment_the_lessons_run_and_check(wheel, tmp_path):
    python = environment_with(wheel, requirements(COURSE), tmp_path)
    script = Path(__file__).parent / "run_lesson.py"
    for lesson in COURSE.lesson_names():
        (tmp_path / "answers.json").write_text(json.dumps(right_answers(lesson)), encoding="utf-8")
        done = subprocess.run(
            [python, script, lesson, tmp_path / "answers.json"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        # Extra credit needs what a student's environment does not bring; it says so and costs nothing.
        wanted = {exercise.id: str(exercise.points * (not exercise.extra)) for exercise in of_lesson(lesson)}
        assert json.loads(done.stdout.splitlines()[-1]) == {"points": wanted, "answers": False, "reveal": False}


def right_answers(lesson: str) -> dict[str, str]:
    known = {exercise.id: answers.of(exercise.id) for exercise in of_lesson(lesson)}
    return {name: right.source(right.reference) for name, right in known.items()}
