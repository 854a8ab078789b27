"""Grades all submissions of a lesson: what is new is run, everything is saved, everyone gets a verdict."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from grader.course.batch import graded, local_pool
from grader.course.gradebook import Book
from grader.course.job import Job
from grader.course.lock import only_grader
from grader.course.results import Results
from grader.course.seeds import course_secret, seed
from grader.course.submissions import Submission, read_submission, students
from grader.errors import CourseError
from grader.notebook import CannotRun, Limits
from grader.notebook.frame import exercise_ids, load
from grader.notebook.graded import Graded, read_graded
from grader.paths import Course


@dataclass(frozen=True)
class Settings:
    """How to grade.

    workers   processes side by side
    again     do not use stored results
    pool      makes the executor for the steps, given the number of workers; another kind can take its place
    """

    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    again: bool = False
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
    course.source(lesson)  # a lesson that is not there is the first thing to say
    course.release(lesson)
    names, refused = _chosen(course, lesson, student)
    with only_grader(course):
        grading = _Grading(course, lesson, settings)
        grading.book.announce()
        done = [Graded(name, problem=_not_an_id(name)) for name in refused]
        for one in grading.run(names):
            done.append(one)
            tell(len(names), one)
    return sorted(done, key=lambda one: one.student)


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
    def __init__(self, course: Course, lesson: str, settings: Settings):
        self.course, self.lesson, self.settings = course, lesson, settings
        self.frame = course.release(lesson).read_bytes()
        self.exercises = exercise_ids(load(self.frame))
        self.secret = course_secret(course)
        self.results, self.book = Results(course, lesson), Book(course, lesson)
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
        for name, judged in graded(jobs, workers, self.settings.pool) if new else ():
            yield self._new(name, judged) if isinstance(judged, bytes) else self._ungraded(name, judged)

    def _job(self, name: str) -> Job:
        """Read anew each time it is needed: a large class does not have to fit into memory."""
        submission = read_submission(self.course, self.lesson, name)
        seeds = {exercise: self._seed(exercise, submission.content) for exercise in self.exercises}
        limits = self.settings.limits
        job = Job(self.lesson, self.frame, submission.content, submission.problem, seeds, limits)
        self.under_way[name] = job.key(), replace(submission, content=b"")
        return job

    def _seed(self, exercise: str, content: bytes) -> int:
        return seed(self.secret, self.lesson, exercise, content)

    def _new(self, name: str, judged: bytes) -> Graded:
        self.results.put(self.under_way[name][0], judged)
        return self._saved(name, judged)

    def _saved(self, name: str, judged: bytes) -> Graded:
        key, submission = self.under_way.pop(name)
        self.book.save(name, judged, key, submission.timestamp)
        return read_graded(name, judged, submission.note)

    def _ungraded(self, name: str, error: Exception) -> Graded:
        self.under_way.pop(name)
        if isinstance(error, CannotRun):
            return Graded(name, problem=f"Not graded, because of this machine and not of the submission: {error}.")
        said = f"{type(error).__name__}: {error}"
        return Graded(name, problem=f"Not graded, because of an error in the grader ({said}). Please report it.")
