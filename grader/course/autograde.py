"""Grades all submissions of a lesson: what is new is run, everything is saved, everyone gets a verdict."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

from grader.course.assignment import frame_of
from grader.course.batch import graded, local_pool
from grader.course.gradebook import Book
from grader.course.job import Job, job_of
from grader.course.lock import only_grader
from grader.course.results import Results
from grader.course.submissions import Submission, read_submission, students
from grader.course.worker import begin_with
from grader.errors import CourseError
from grader.notebook import CannotRun, Limits
from grader.notebook.graded import Graded, read_graded, together
from grader.notebook.walled import view
from grader.paths import Course
from grader.sandbox.bubblewrap import why_not
from grader.sandbox.warm import Warm


@dataclass(frozen=True)
class Settings:
    """How to grade.

    workers   processes side by side
    again     do not use stored results
    walled    run submissions behind the wall; without it they have the rights of this user
    pool      makes the executor for the steps, given the number of workers; another kind can take its place
    """

    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    again: bool = False
    walled: bool = True
    pool: Callable[[int], Executor] = local_pool


def autograde(
    course: Course,
    lesson: str,
    settings: Settings,
    student: str | None = None,
    tell: Callable[[int, Graded], None] = lambda total, one: None,
) -> list[Graded]:
    """Grades `submitted/*/LESSON`, or one student's, into nbgrader's gradebook; the verdicts by student.

    tell   called with the number of submissions and each one as soon as it is saved

    Raises CourseError if there is nothing to grade or someone else is grading. Killed at any moment, the same
    call continues where it stopped.
    """
    notebooks = course.notebooks(lesson)  # a lesson that is not there is the first thing to say
    for name in notebooks:
        course.release(lesson, name)
    names, refused = _chosen(course, lesson, student)
    if settings.walled:
        demand_wall()
    with only_grader(course):
        done = {name: {"": Graded(name, problem=_not_an_id(name))} for name in refused}
        for notebook in notebooks:
            grading = _Grading(course, lesson, notebook, settings)
            with grading.book.kept_open():
                for one in grading.run(names):
                    done.setdefault(one.student, {})[notebook] = one
                    tell(len(names) * len(notebooks), one)
    return [together(parts, len(notebooks) > 1 and "" not in parts) for _, parts in sorted(done.items())]


def demand_wall() -> None:
    """Before anything is graded: raises CourseError without a wall. (Where the work is sent elsewhere, that machine
    has to have one, too.)"""
    if (missing := why_not()) is not None:
        raise CourseError(
            f"Submissions are not run without a sandbox, and {missing}. What to do: {missing.remedy}. For notebooks "
            "of people you trust there is --unsafe-no-sandbox; every result is then stamped so."
        )


def _chosen(course: Course, lesson: str, student: str | None) -> tuple[list[str], list[str]]:
    names, refused = students(course, lesson)
    if student is None:
        return names, refused
    if student not in names:
        raise CourseError(f"{student} has not submitted {lesson}. Who has: {', '.join(names)}.")
    return [student], []


def _not_an_id(name: str) -> str:
    return (
        f"The folder {name!r} is not named like a student's id (letters and digits, then also . _ @ -), "
        "so it is not graded: rename it."
    )


class _Grading:
    """Of one notebook of an assignment."""

    def __init__(self, course: Course, lesson: str, notebook: str, settings: Settings):
        self.course, self.lesson, self.notebook, self.settings = course, lesson, notebook, settings
        self.results, self.book = Results(course, lesson), Book(course, lesson, notebook)
        self.book.announce()
        self.frame = frame_of(course, lesson, notebook)
        self.under_way: dict[str, tuple[str, Submission]] = {}  # student -> key of the result, submission

    def run(self, names: list[str]) -> Iterator[Graded]:
        new = []
        for name in names:
            stored = None if self.settings.again else self.results.get(self._job(name).key())
            if stored is None:
                new.append(name)
            else:
                yield self._saved(name, stored)
        workers = max(1, min(self.settings.workers, len(new)))
        jobs = ((name, self._job(name)) for name in new)
        with self._pool() as pool:
            for name, judged in graded(jobs, workers, pool) if new else ():
                yield self._new(name, judged) if isinstance(judged, bytes) else self._ungraded(name, judged)

    @contextlib.contextmanager
    def _pool(self) -> Iterator[Callable[[int], Executor]]:
        """Workers of this machine share one warm process; those of other machines have their own."""
        if self.settings.pool is not local_pool or not self.settings.walled:
            yield self.settings.pool
            return
        zygote = Warm(view())
        try:
            yield partial(local_pool, begin=begin_with(zygote.address))
        finally:
            zygote.close()

    def _job(self, name: str) -> Job:
        """Read anew each time it is needed: a large class does not have to fit into memory."""
        submission = read_submission(self.course, self.lesson, name, self.notebook)
        job = job_of(self.course, self.lesson, self.frame, submission, self.settings.limits, self.settings.walled)
        self.under_way[name] = job.key(), replace(submission, content=b"")
        return job

    def _new(self, name: str, judged: bytes) -> Graded:
        self.results.put(self.under_way[name][0], judged)
        return self._saved(name, judged)

    def _saved(self, name: str, judged: bytes) -> Graded:
        key, submission = self.under_way.pop(name)
        begun = time.monotonic()
        self.book.save(name, judged, key, submission.timestamp)
        one = read_graded(name, judged, submission.note)
        if one.run:
            one.run["steps"] = one.steps | {"save": round(time.monotonic() - begun, 3)}
        return one

    def _ungraded(self, name: str, error: Exception) -> Graded:
        self.under_way.pop(name)
        if isinstance(error, CannotRun):
            return Graded(name, problem=f"Not graded, because of this machine and not of the submission: {error}.")
        said = f"{type(error).__name__}: {error}"
        return Graded(name, problem=f"Not graded, because of an error in the grader ({said}). Please report it.")
