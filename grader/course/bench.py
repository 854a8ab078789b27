"""The same submissions through `python -m grader autograde`, stock `nbgrader autograde` and otter, in one run."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from grader.course.bench_class import hand_ins
from grader.course.bench_otter import need_otter, otter
from grader.course.demo import new_course
from grader.course.gradebook import Book
from grader.course.stock import use_nbgraders_own
from grader.errors import CourseError
from grader.notebook.frame import CHECK
from grader.paths import Course, short_name

STEPS = ("rebuild", "kernel", "run", "judge", "save")
TIMES = 3  # how often ours runs, of which the median counts: a moment's noise is a large part of so short a time


def bench(
    course: Course, lesson: str, students: int, folder: Path, tell: Callable[[str], None], with_otter: bool = False
) -> dict:
    """Seconds of both, or of the three, their ratios to ours, whether all grades are equal, and where our time goes.

    Both run as their own commands, from start to end, in courses in which nothing is graded yet; experiments are
    left out of the notebooks for both. The others run once, between ours. Otter has no written answers: of its grades
    those of the exercises are compared. Raises CourseError if one fails, or otter is wanted and not installed.
    """
    if with_otter:
        need_otter()
    work = partial(_course, course, lesson, students)
    stock, ours = work(folder / "stock"), [work(folder / f"ours{number}") for number in range(TIMES)]
    use_nbgraders_own(stock)
    runs = []
    for number, made in enumerate(ours):
        tell(f"this grader, {students} notebooks, run {number + 1} of {TIMES}")
        runs.append(_command(made, "grader", "autograde", lesson, "--json"))
        if number == 0:
            tell(f"stock nbgrader, {students} notebooks")
            slow, _ = _command(stock, "nbgrader", "autograde", lesson)
            if with_otter:
                tell(f"otter run, {students} notebooks")
                others = _otter(made, lesson, folder / "otter")
    seconds, said = sorted(runs)[TIMES // 2]
    wanted = dict(_grades(stock, lesson))
    found = {
        "lesson": lesson,
        "students": students,
        "nbgrader_seconds": slow,
        "seconds": seconds,
        "all_seconds": [taken for taken, _ in runs],
        "ratio": slow / seconds,
        "grades_equal": all(dict(_grades(made, lesson)) == wanted for made in ours),
        "steps": _steps(json.loads(said)),
    }
    if with_otter:
        equal = others[1] == _of_exercises(wanted)
        found |= {"otter_seconds": others[0], "otter_ratio": others[0] / seconds, "otter_grades_equal": equal}
    return found


def _otter(course: Course, lesson: str, folder: Path) -> tuple[float, dict[str, dict[str, float]]]:
    name = f"{short_name(lesson)}.ipynb"
    notebooks = {file.parents[1].name: file for file in sorted(course.submitted.glob(f"*/{lesson}/{name}"))}
    return otter(lesson, notebooks, folder, partial(_command, course))


def _of_exercises(grades: dict[str, dict]) -> dict[str, dict[str, float]]:
    """By student the points of each exercise, from the grades of all cells."""
    return {
        student: {
            name.removeprefix(CHECK): score or 0.0 for name, (score, _) in cells.items() if name.startswith(CHECK)
        }
        for student, cells in grades.items()
    }


def _course(course: Course, lesson: str, students: int, folder: Path) -> Course:
    """One with the lesson released and handed in by so many."""
    made = new_course(course, lesson, folder)
    _command(made, "grader", "build", lesson)
    for name, content in hand_ins(lesson, made.release(lesson).read_bytes(), students):
        target = made.submitted / name / lesson
        target.mkdir(parents=True)
        (target / f"{short_name(lesson)}.ipynb").write_bytes(content)
    Book(made, lesson).announce()
    return made


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
