"""Batches that are cut short: a course half graded and marked by hand, and graders in their own processes."""

import atexit
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from grader.course.gradebook import Book
from grader.course.results import Results
from grader.paths import Course
from tests.course.classroom import LESSON, RIGHT, Classroom, as_notebook, cells_with, half
from tests.course.contents import give

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "grader", "autograde", LESSON, "--jobs", "2"]
BEFORE = ("ada", "ben", "cy", "dee")  # graded, and marked by hand, before the batch that is killed
NEW = ("eve", "fay", "gus", "hal")


def work(student: str, version: int) -> bytes:
    """Small, and everybody's and every version's a file of its own."""
    made = {"ada": half(), "dee": cells_with(**RIGHT), "fay": cells_with(**RIGHT), "gus": half()}
    content = as_notebook(made.get(student, cells_with(written_speed=f"Because, says {student} ({version}).")))
    return content + b"\n" * (1 + version)


def begun_in(course: Course) -> Course:
    """The course, with four graded and marked students, two of whom have handed in again, and four new ones."""
    room = Classroom(course)
    for student in BEFORE:
        room.hand_in(student, work(student, 1), "2026-01-31 11:00:00 UTC")
    autograde(room.course)
    with Book(room.course, LESSON).open() as book:
        book.update_or_create_assignment(LESSON, duedate="2026-01-31 12:00:00 UTC")
        for number, student in enumerate(BEFORE):
            give(book, student, number, f"Nearly, {student}.")
    for student in BEFORE[:2]:
        room.hand_in(student, work(student, 2), "2026-01-31 13:00:00 UTC")
    for student in NEW:
        room.hand_in(student, work(student, 1), "2026-01-31 12:30:00 UTC")
    return room.course


def copied(course: Course, to: Path) -> Course:
    shutil.copytree(course.root, to)
    return Course(to)


@functools.cache
def temporary(course: Course) -> Path:
    """A grader's own, so that what is left in it is known to be that grader's. Its path is short, as sockets need."""
    folder = tempfile.mkdtemp(prefix="t-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def environment(course: Course) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary(course))}


def started(course: Course, *options: str, **more) -> subprocess.Popen:
    kept = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | more
    return subprocess.Popen(
        [*COMMAND, *options], cwd=course.root, env=environment(course), start_new_session=True, **kept
    )


def autograde(course: Course) -> None:
    with started(course, stderr=subprocess.PIPE) as grader:
        said = grader.communicate()[1].decode()
    assert grader.returncode == 0, said[-3000:]


def killed(course: Course, random: Random) -> tuple[int, str]:
    """Kills a grader, with all its processes, at a random moment: early, or around the saving of some result.

    Its id, and what was done, in words; "too late" where it had ended already.
    """
    wanted, grader = random.randint(-2, 4), started(course)
    begun, there = len(list(Results(course, LESSON).folder.glob("*.ipynb"))), time.monotonic()
    if wanted < 0:
        time.sleep(random.uniform(0, 3))
    while wanted >= 0 and grader.poll() is None:
        if len(list(Results(course, LESSON).folder.glob("*.ipynb"))) - begun >= wanted:
            break
        time.sleep(0.002)
    time.sleep(random.uniform(0, 0.3))
    if grader.poll() is not None:
        return grader.pid, "too late"
    os.killpg(grader.pid, signal.SIGKILL)
    grader.wait()
    return grader.pid, f"killed after {time.monotonic() - there:.2f} s, waiting for {wanted} results"
