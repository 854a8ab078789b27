"""The same submissions through stock `nbgrader autograde` and through `python -m grader autograde`, in one run."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.course.bench_class import hand_ins
from grader.course.demo import new_course
from grader.course.gradebook import Book
from grader.course.stock import use_nbgraders_own
from grader.errors import CourseError
from grader.paths import Course, short_name

STEPS = ("rebuild", "kernel", "run", "judge", "save")


def bench(course: Course, lesson: str, students: int, folder: Path, tell: Callable[[str], None]) -> dict:
    """Seconds of both, their ratio, whether all grades are equal, and where our time goes.

    Both run as their own commands, from start to end; experiments are left out of the notebooks for both.
    Raises CourseError if one of them fails.
    """
    stock, ours = (new_course(course, lesson, folder / name) for name in ("stock", "ours"))
    use_nbgraders_own(stock)
    for made in (stock, ours):
        _command(made, "grader", "build", lesson)
        for name, content in hand_ins(lesson, made.release(lesson).read_bytes(), students):
            target = made.submitted / name / lesson
            target.mkdir(parents=True)
            (target / f"{short_name(lesson)}.ipynb").write_bytes(content)
        Book(made, lesson).announce()
    tell(f"stock nbgrader, {students} notebooks")
    slow, _ = _command(stock, "nbgrader", "autograde", lesson)
    tell(f"this grader, {students} notebooks")
    quick, said = _command(ours, "grader", "autograde", lesson, "--json")
    return {
        "lesson": lesson,
        "students": students,
        "nbgrader_seconds": slow,
        "seconds": quick,
        "ratio": slow / quick,
        "grades_equal": dict(_grades(stock, lesson)) == dict(_grades(ours, lesson)),
        "steps": _steps(json.loads(said)),
    }


def _command(course: Course, module: str, *arguments: str) -> tuple[float, str]:
    """Seconds it took, and what it printed."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=course.root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CourseError(f"{module} {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return time.monotonic() - begun, done.stdout


def _grades(course: Course, lesson: str) -> Iterator[tuple[str, dict]]:
    """Per student the automatic score of each cell, and whether a person has to look at it."""
    with Book(course, lesson).open() as book:
        for submission in book.assignment_submissions(lesson):
            (notebook,) = submission.notebooks
            yield submission.student.id, {g.name: (g.auto_score, g.needs_manual_grade) for g in notebook.grades}


def _steps(graded: dict) -> dict[str, float]:
    """Seconds of each step, summed over the notebooks. Notebooks run side by side: the sum is more than the time."""
    taken = [one["steps"] for one in graded["submissions"]]
    return {step: round(sum(one.get(step, 0.0) for one in taken), 3) for step in STEPS}
