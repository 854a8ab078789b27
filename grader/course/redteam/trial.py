"""Grades attacks in throw-away courses: by the real autograde, and by stock nbgrader what is harmless."""

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.redteam.attack import LESSON, NAME, Attack, Target
from grader.course.report import in_words
from grader.course.stock import use_nbgraders_own
from grader.notebook import Limits
from grader.notebook.graded import Graded
from grader.paths import CONFIG, Course

# Short, so that what never ends is soon over; the lesson's own setup cell has its own, longer time.
LIMITS = Limits(cell_seconds=8.0, notebook_seconds=25.0)
STOCK_SECONDS = 30
HEAD = ["attack", "what it does", "worth", "stock", "ours", "the instructor reads"]


def new_course(course: Course, folder: Path) -> Course:
    """A course with the lesson and nobody's work. Raises CourseError if the lesson is not there or not released."""
    made = Course(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(course.root / CONFIG, folder)
    for old, new in ((course.source(LESSON), made.solutions), (course.release(LESSON), made.lessons)):
        (new / LESSON).mkdir(parents=True)
        shutil.copy(old, new / LESSON)
    return made


def hand_in(course: Course, attacks: Iterable[Attack], port: int = 9) -> None:
    target = Target(course.release(LESSON).read_bytes(), course.root, port)
    for attack in attacks:
        folder = course.submitted / attack.name / LESSON
        folder.mkdir(parents=True)
        attack.hand_in(folder, target)


def ours(course: Course, workers: int, limits: Limits = LIMITS) -> dict[str, Graded]:
    """Everything that was handed in, graded behind the wall."""
    return {one.student: one for one in autograde(course, LESSON, Settings(workers=workers, limits=limits))}


def stock(course: Course, attacks: Iterable[Attack], folder: Path, workers: int) -> dict[str, str]:
    """What stock nbgrader gives each attack that it can be given: points, or why there are none."""
    chosen, found = [attack for attack in attacks if attack.stock], {}
    parts = [chosen[part::workers] for part in range(workers) if chosen[part::workers]]
    with ThreadPoolExecutor(workers) as threads:
        for some in threads.map(
            lambda at: _stock(new_course(course, folder / f"stock-{at}"), parts[at]), range(len(parts))
        ):
            found |= some
    return found


def _stock(course: Course, attacks: list[Attack]) -> dict[str, str]:
    zoe = Attack("zz-neighbour", "", lambda target: target.release)  # links lead to a file that is there
    use_nbgraders_own(course)
    hand_in(course, [*attacks, zoe])
    _skip_experiments(course)
    Book(course, LESSON).announce()
    names, found = sorted(attack.name for attack in attacks), {}
    while True:
        _nbgrader(course)
        missing = [name for name in names if not (course.autograded / name / LESSON / NAME).exists()]
        ending = next((name for name in missing if not any(n not in missing for n in names if n > name)), None)
        found |= dict.fromkeys(missing, "no grade")
        if ending is None or ending == names[-1]:
            return found | _scores(course, [name for name in names if name not in found])
        found[ending] = "ends the batch"
        shutil.rmtree(course.submitted / ending)
        names = [name for name in names if name not in missing or name > ending]
        found = {name: why for name, why in found.items() if name not in names}


def _nbgrader(course: Course) -> None:
    limit = f"--ExecutePreprocessor.timeout={STOCK_SECONDS}"
    command = [sys.executable, "-m", "nbgrader", "autograde", LESSON, limit]
    subprocess.run(command, cwd=course.root, capture_output=True, check=False)


def _scores(course: Course, names: list[str]) -> dict[str, str]:
    with Book(course, LESSON).open() as book:
        return {name: f"{book.find_submission(LESSON, name).score:g}" for name in names}


def _skip_experiments(course: Course) -> None:
    """As a student can save them: nbclient passes over cells with this tag, and nobody waits for plots."""
    for path in course.submitted.glob(f"*/{LESSON}/{NAME}"):
        if path.is_symlink() or not path.is_file():
            continue
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
            notebook = json.loads(path.read_bytes())
            for cell in notebook["cells"]:
                if "experiment" in cell["metadata"].get("tags", []):
                    cell["metadata"]["tags"].append("skip-execution")
            path.write_text(json.dumps(notebook))


def rows(attacks: Iterable[Attack], by_us: dict[str, Graded], by_stock: dict[str, str]) -> list[list[object]]:
    made = []
    for attack in attacks:
        said = in_words(by_us[attack.name])
        said = said if len(said) <= 110 else said[:109] + "…"
        score = by_us[attack.name].score
        made.append([attack.name, attack.does, attack.earned, by_stock.get(attack.name, "–"), score, said])
    return made
