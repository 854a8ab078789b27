"""The same submissions through otter: `otter run`, which grades one notebook on this machine, without a container."""

import importlib.util
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from grader.errors import CourseError
from grader.exercises import some_of_lesson
from grader.probe import Exercise

# What a cell does in stock nbgrader (the last value of the check with the held-out inputs is its points) in otter's
# form, in which a case passes or does not: there is a case for each point, and the first of them runs the check.
TEST = """OK_FORMAT = True
test = {{"name": {id!r}, "suites": [{{"type": "doctest", "scored": True, "cases": {cases!r}}}]}}
"""


def need_otter() -> None:
    """Raises CourseError if otter is not there."""
    if importlib.util.find_spec("otter") is None:
        raise CourseError("otter-grader is not installed: pip install -c constraints.txt '.[course,otter]'")


def otter(
    lesson: str, notebooks: dict[str, Path], folder: Path, command: Callable[..., tuple[float, str]]
) -> tuple[float, dict[str, dict[str, float]]]:
    """Seconds for all, one after the other as its command has it, and by student the points of each exercise.

    notebooks  by student
    command    runs a module of this Python with arguments: its seconds and what it printed
    """
    folder.mkdir()
    archive, seconds, points = _autograder(lesson, folder / "autograder.zip"), 0.0, {}
    for student, notebook in notebooks.items():
        results = folder / student
        results.mkdir()
        taken, _ = command("otter", "run", str(notebook), "-a", str(archive), "-o", str(results), "--no-logo")
        seconds += taken
        points[student] = _points(json.loads((results / "results.json").read_text(encoding="utf-8")), lesson)
    return seconds, points


def _autograder(lesson: str, file: Path) -> Path:
    """What otter calls an autograder: its settings and a test for each exercise."""
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("otter_config.json", json.dumps({"lang": "python"}))
        for exercise in some_of_lesson(lesson):
            archive.writestr(f"tests/{exercise.id}.py", TEST.format(id=exercise.id, cases=_cases(exercise)))
    return file


def _cases(exercise: Exercise) -> list[dict]:
    # Each case has names of its own; what the first has found is left on a function that all can see.
    found = f"check.{exercise.id}"
    call = f"check({exercise.id!r}, seed='held-out', namespace=globals())"
    lines = [f">>> {found} >= {point}\nTrue" for point in range(1, exercise.points + 1)]
    lines[0] = f">>> {found} = float(repr({call}))\n{lines[0]}"
    return [{"code": line, "points": 1, "hidden": True} for line in lines]


def _points(results: dict, lesson: str) -> dict[str, float]:
    """Of each exercise. Otter says so in a test of its own if it got nothing out of a notebook: then there are none."""
    scores = {one["name"]: one.get("score", 0.0) for one in results["tests"]}
    return {exercise.id: scores.get(exercise.id, 0.0) for exercise in some_of_lesson(lesson)}
