"""A verdict again, from what was kept when it was given: for an appeal."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from grader.course.autograded import read_autograded, result_of
from grader.course.job import Job, grade
from grader.course.kept import Kept
from grader.course.results import Results
from grader.course.since import since
from grader.course.submissions import STUDENT
from grader.errors import CourseError
from grader.judge import Verdict
from grader.notebook import CannotRun, Limits
from grader.notebook.graded import read_graded
from grader.paths import Course


@dataclass(frozen=True)
class Replayed:
    """The verdict on one exercise, then and now. key: of the stored result."""

    exercise: str
    key: str
    then: Verdict
    now: Verdict

    @property
    def differs(self) -> list[str]:
        """In which respects: status, score, points, mistake, checks."""
        names = ("status", "score", "points", "mistake")
        found = [name for name in names if getattr(self.then, name) != getattr(self.now, name)]
        return found + (["checks"] if _checks(self.then) != _checks(self.now) else [])

    @property
    def other_words(self) -> bool:
        """The same verdict in other words: seconds, for example, are never the same twice."""
        return not self.differs and self.then != self.now


def _checks(verdict: Verdict) -> list[tuple]:
    return [(check.name, check.passed, check.score, check.points) for check in verdict.checks]


@dataclass(frozen=True)
class Replay:
    """journal: by key of a result, what decided it and when it was graded. since: what is not as it was then."""

    student: str
    lesson: str
    exercises: tuple[Replayed, ...]
    journal: dict[str, dict]
    since: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not any(one.differs for one in self.exercises)


def replay(course: Course, lesson: str, student: str, exercise: str | None = None, walled: bool = True) -> Replay:
    """Runs the file that a student's verdicts were given for again: same seeds, same limits, behind the wall.

    Raises CourseError if that cannot be done: nothing graded, nothing kept of it, no wall.
    """
    replaying, found = _Replaying(course, lesson, student, walled), {}
    for name in (names := course.notebooks(lesson)):
        notebook = _graded_notebook(course, lesson, student, name)
        for verdict in _by_exercise(json.dumps(notebook).encode()):
            shown = f"{name}/{verdict}" if len(names) > 1 else verdict
            found[shown] = name, verdict, result_of(notebook, verdict)
    if exercise is not None and exercise not in found:
        raise CourseError(f"{student} has no verdict on {exercise!r} in {lesson}, but on {', '.join(found)}.")
    pairs = tuple(replaying.one(shown, *found[shown]) for shown in ([exercise] if exercise else found))
    return Replay(student, lesson, pairs, replaying.journal, tuple(dict.fromkeys(replaying.since())))


def _graded_notebook(course: Course, lesson: str, student: str, name: str) -> NotebookNode:
    if not STUDENT.fullmatch(student):
        raise CourseError(f"{student!r} is no student's id.")
    notebook = read_autograded(course.autograded / student / lesson / f"{name}.ipynb")
    command = f"`python -m grader autograde {lesson} --student {student}`"
    if notebook is None:
        raise CourseError(f"There is no graded notebook of {student} for {lesson}. {command} makes it.")
    if result_of(notebook) is None:
        raise CourseError(
            f"The notebook of {student} was graded by nbgrader alone, and nothing was kept to judge it again by. "
            f"{command} grades it anew."
        )
    return notebook


class _Replaying:
    """Each result is run once, whichever exercises it is wanted for."""

    def __init__(self, course: Course, lesson: str, student: str, walled: bool):
        self.course, self.lesson, self.student, self.walled = course, lesson, student, walled
        self.results, self.kept = Results(course, lesson), Kept(course)
        self.journal: dict[str, dict] = {}
        self._verdicts: dict[str, tuple[dict, dict]] = {}
        self._names: dict[str, str] = {}  # key -> notebook

    def one(self, shown: str, name: str, exercise: str, key: str) -> Replayed:
        """shown: how the exercise of the notebook `name` is called here."""
        if key not in self.journal:
            self.journal[key], self._names[key] = self._facts(key), name
            self._verdicts[key] = _by_exercise(self.results.get(key)), _by_exercise(self._again(key))
        then, now = (verdicts.get(exercise) for verdicts in self._verdicts[key])
        if then is None or now is None:
            raise CourseError(f"The lesson of that time had no {exercise}, or today's judge knows none: {key}.")
        return Replayed(shown, key, then, now)

    def since(self) -> Iterator[str]:
        for key, facts in self.journal.items():
            names = self.lesson, self._names[key], self.student
            yield from since(self.course, *names, facts["decided_by"], self.kept, self.walled)

    def _facts(self, key: str) -> dict:
        facts = self.results.facts(key)
        if facts is None or self.results.get(key) is None:
            raise CourseError(
                f"What decided this verdict is not there, or not as it was written ({self.results.folder / key}"
                f".json and .ipynb). `python -m grader autograde {self.lesson} --student {self.student} --again` "
                "grades anew the file that is in submitted/ now."
            )
        return facts

    def _again(self, key: str) -> bytes:
        facts = self.journal[key]["decided_by"]
        files = self.kept.get(facts["frame"]), self.kept.get(facts["submitted"])
        try:
            limits = Limits(**facts["limits"])
            return grade(Job(facts["lesson"], *files, facts["problem"], facts["seeds"], limits, self.walled))
        except CannotRun as error:
            raise CourseError(f"This machine cannot run the notebook: {error}.") from error
        except TypeError as error:
            raise CourseError(f"The limits of that time are not those of this version: {error}.") from error


def _by_exercise(judged: bytes) -> dict[str, Verdict]:
    return {verdict.exercise: verdict for verdict in read_graded("", judged).verdicts}
