"""An assignment made by hand, as in nbgrader's own quickstart: plain asserts, hidden tests, partial credit, manually
graded cells, a file beside the notebooks; and what its students hand in."""

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zlib
from pathlib import Path

import nbformat

from grader.paths import CONFIG, Course, find_course

NAME = "ps1"
RUN = [sys.executable, "-m", "nbgrader"]
SETTINGS = "\nc.IgnorePattern.enabled = True\nc.IgnorePattern.pattern = 'deprecated'\n"
# Sentinels: the only places where these numbers stand are the hidden tests.
HIDDEN = ("71317131", "82978297")


def cell(kind: str, source: str, grade_id: str | None = None, **flags) -> dict:
    mark = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    metadata = {"nbgrader": mark | {"grade_id": grade_id} | flags} if grade_id else {}
    new = {
        "cell_type": kind,
        "metadata": metadata,
        "source": source,
        "id": grade_id or f"c{zlib.crc32(source.encode())}",
    }
    return new | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def test(grade_id: str, points: float, source: str) -> dict:
    return cell("code", source, grade_id, grade=True, locked=True, points=points)


def solution(grade_id: str, source: str) -> dict:
    return cell("code", source, grade_id, solution=True)


SQUARES = """\
def squares(n):
    \"\"\"The squares of 1 to n.\"\"\"
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError("n must be at least 1")
    return [i ** 2 for i in range(1, n + 1)]
    ### END SOLUTION"""
MEAN = """\
def mean(path):
    \"\"\"The mean of the numbers in a file.\"\"\"
    ### BEGIN SOLUTION
    numbers = [float(line) for line in open(path)]
    return sum(numbers) / len(numbers)
    ### END SOLUTION"""
PROBLEM1 = [
    cell("markdown", "# Problem set 1\n\n![](dots.png)", "intro", locked=True),
    cell("code", "import math", "setup", locked=True),
    solution("squares", SQUARES),
    cell("code", "squares(3)"),
    test("correct_squares", 1, "assert squares(1) == [1]\nassert squares(3) == [1, 4, 9], 'squares of 1 to 3'"),
    test(
        "invalid_squares",
        2,
        "assert squares(2) == [1, 4]\n"
        "### BEGIN HIDDEN TESTS\n"
        "assert squares(10)[-1] == 100, '71317131'\n"
        "try:\n    squares(-82978297)\nexcept ValueError:\n    pass\n"
        "else:\n    raise AssertionError('no error for -82978297')\n"
        "### END HIDDEN TESTS",
    ),
    test(
        "partly_squares",
        3,
        "found = sum(squares(n) == [i * i for i in range(1, n + 1)] for n in (1, 2, 3, 4, 5, 6))\nfound / 2",
    ),
    solution("mean", MEAN),
    test("correct_mean", 0.5, "assert math.isclose(mean('data/numbers.txt'), 2.5)"),
    cell(
        "code",
        "# Use squares for something.\n### BEGIN SOLUTION\nprint(sum(squares(4)))\n### END SOLUTION",
        "application",
        grade=True,
        solution=True,
        points=2,
    ),
]
PROBLEM2 = [
    cell("markdown", "Why does it end?\n", None),
    cell("markdown", "Because n gets smaller.", "why", grade=True, solution=True, points=1),
    cell("markdown", "Verify it numerically below.", "task", task=True, locked=True, points=4),
]
POINTS = {"correct_squares": 1, "invalid_squares": 2, "partly_squares": 3, "correct_mean": 0.5}


def write(path: Path, cells: list[dict]) -> None:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole))


def new_assignment(root: Path) -> Course:
    """A course with this assignment, released by stock nbgrader with the shipped configuration."""
    shutil.copytree(_released_once(), root, dirs_exist_ok=True)
    return Course(root)


@functools.cache
def _released_once() -> Path:
    course = Course(Path(tempfile.mkdtemp(prefix="assignment-")))
    atexit.register(shutil.rmtree, course.root)
    shutil.copy(find_course(Path(__file__).parent).root / CONFIG, course.root)
    with (course.root / CONFIG).open("a") as config:
        config.write(SETTINGS)
    folder = course.solutions / NAME
    write(folder / "problem1.ipynb", PROBLEM1)
    write(folder / "problem2.ipynb", PROBLEM2)
    (folder / "data").mkdir()
    (folder / "data" / "numbers.txt").write_text("1\n2\n3\n4\n")
    nbgrader(course, "generate_assignment", NAME)
    return course.root


def nbgrader(course: Course, *arguments: str, status: int = 0) -> str:
    # Making a new gradebook, nbgrader calls alembic: as in an activated environment.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    done = subprocess.run([*RUN, *arguments], cwd=course.root, env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stderr[-5000:]
    return done.stderr


def released(course: Course, name: str = "problem1") -> nbformat.NotebookNode:
    return nbformat.read(course.lessons / NAME / f"{name}.ipynb", as_version=4)


def answered(course: Course, **sources: str) -> nbformat.NotebookNode:
    """The released notebook with these sources by grade_id."""
    notebook = released(course)
    for one in notebook.cells:
        one.source = sources.get(one.metadata.get("nbgrader", {}).get("grade_id"), one.source)
    return notebook


def hand_in(course: Course, student: str, notebook: nbformat.NotebookNode, why: str | None = "It shrinks.") -> None:
    folder = course.submitted / student / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / "problem1.ipynb")
    if why is not None:
        second = released(course, "problem2")
        second.cells[1].source = why
        nbformat.write(second, folder / "problem2.ipynb")


def without_marks(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if "### " not in line)


RIGHT = {
    "squares": without_marks(SQUARES),
    "mean": without_marks(MEAN),
    "application": "print(sum(squares(4)))",
}
NO_ERROR = "def squares(n):\n    return [i ** 2 for i in range(1, n + 1)]"
UP_TO_3 = "def squares(n):\n    return [1, 4, 9][:n]"
HONEST = {
    "right": RIGHT,
    "blank": {},
    "no-error": RIGHT | {"squares": NO_ERROR},
    "half": RIGHT | {"squares": UP_TO_3},
    "undefined": RIGHT | {"squares": "squares = lambda n: undefined_name"},
    "syntax": RIGHT | {"squares": "def squares(n:\n    return"},
    "exits": RIGHT | {"squares": "import sys\ndef squares(n):\n    sys.exit(0)"},
    "loud": RIGHT
    | {"mean": "import sys\n" + RIGHT["mean"].replace("    numbers", "    sys.stderr.write('careful')\n    numbers")},
    "warns": RIGHT
    | {
        "mean": "import sys\n" + RIGHT["mean"].replace("    numbers", "    sys.stderr.write('deprecated')\n    numbers")
    },
    "silent-error": RIGHT | {"squares": "get_ipython().showtraceback = lambda *a, **k: None\n" + UP_TO_3},
    "edited-tests": RIGHT | {"squares": UP_TO_3, "correct_squares": "pass", "invalid_squares": "pass"},
    "equals-all": RIGHT
    | {
        "squares": "class A(list):\n    def __eq__(self, o): return True\n    def __getitem__(self, i): return 100\n"
        "def squares(n):\n    if n < 0: raise ValueError\n    return A()"
    },
}
