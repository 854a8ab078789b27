"""Grades all submissions of a lesson: what is new is run, everything is saved, everyone gets a verdict."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from grader.course.assignment import frame_of
from grader.course.autograded import gradable, read_autograded, result_of
from grader.course.batch import graded
from grader.course.gradebook import Book
from grader.course.job import Job, code_list, job_of
from grader.course.kept import Kept
from grader.course.listener import Listener
from grader.course.lock import only_grader
from grader.course.pool import local_pool
from grader.course.results import Results, key_of
from grader.course.storage import in_one_sentence, is_full, sweep_course
from grader.course.submissions import Submission, read_submission, students
from grader.course.worker import begin_with
from grader.errors import CourseError
from grader.notebook import CannotRun, Limits
from grader.notebook.frame import load
from grader.notebook.graded import Graded, read_graded, together
from grader.notebook.walled import view
from grader.paths import Course
from grader.sandbox.bubblewrap import why_not
from grader.sandbox.folders import sweep
from grader.sandbox.warm import Warm


@dataclass(frozen=True)
class Settings:
    """How to grade.

    workers   processes side by side
    again     do not use stored results
    walled    run submissions behind the wall; without it they have the rights of this user
    pool      makes the executor for the steps, given the number of workers; another kind can take its place
    wait      where another grader is at work: told who it is, and then waited for
    """

    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    again: bool = False
    walled: bool = True
    pool: Callable[[int], Executor] = local_pool
    wait: Callable[[str], None] | None = None


def autograde(
    course: Course,
    lesson: str,
    settings: Settings,
    student: str | None = None,
    exercise: str | None = None,
    listener: Listener | None = None,
) -> list[Graded]:
    """Grades `submitted/*/LESSON`, or one student's, into nbgrader's gradebook; the verdicts by student.

    exercise   the only one whose grades may change; whoever is not graded yet, or has handed in another file
               since, gets a sentence in place of a verdict

    Raises CourseError if there is nothing to grade or someone else is grading. Killed at any moment, the same
    call continues where it stopped.
    """
    notebooks = course.notebooks(lesson)  # a lesson that is not there is the first thing to say
    frames = {name: load(course.release(lesson, name).read_bytes()) for name in notebooks}
    if exercise is not None:
        notebooks = _with_exercise(lesson, exercise, frames)
    listener = listener or Listener()
    names, refused = _chosen(course, lesson, student)
    if settings.walled and settings.pool is local_pool:
        demand_wall()
    done = {name: {"": Graded(name, problem=_not_an_id(name))} for name in refused}
    books = [Book(course, lesson, name) for name in notebooks]
    with in_one_sentence(course, books[0].directory.db_url), only_grader(course, settings.wait):
        sweep()
        sweep_course(course, lesson)
        for sentence in dict.fromkeys(said for book in books for said in book.announce()):
            listener.migrated(sentence)
        listener.begun(len(names) * len(books))
        for book in books:
            with book.kept_open():
                for one in _Grading(course, lesson, settings, book, exercise, listener).run(names):
                    done.setdefault(one.student, {})[book.name] = one
                    listener.graded(one)
    return [together(parts, len(frames) > 1 and "" not in parts) for _, parts in sorted(done.items())]


def _with_exercise(lesson: str, exercise: str, frames: dict[str, dict]) -> list[str]:
    """The notebooks that grade it."""
    if found := [name for name, frame in frames.items() if exercise in gradable(frame)]:
        return found
    known = ", ".join(one for frame in frames.values() for one in gradable(frame))
    raise CourseError(f"{lesson} grades no exercise {exercise!r}. It grades: {known}.")


def demand_wall() -> None:
    """Raises CourseError where no wall can be built: before anything is run. (Where the work is sent elsewhere,
    the machines there are asked.)"""
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

    def __init__(
        self, course: Course, lesson: str, settings: Settings, book: Book, exercise: str | None, listener: Listener
    ):
        self.course, self.lesson, self.settings, self.book = course, lesson, settings, book
        self.exercise, self.listener = exercise, listener
        self.frame = frame_of(course, lesson, book.name)
        self.results, self.kept = Results(course, lesson), Kept(course)
        self.under_way: dict[str, tuple[dict, Submission]] = {}  # student -> what decides the result, submission

    def run(self, names: list[str]) -> Iterator[Graded]:
        new = []
        for name in names:
            self._job(name)
            if (why := self._why_not_alone(name)) is not None:
                yield Graded(name, problem=why)
                continue
            stored = None if self.settings.again else self.results.get(self._key(name))
            if stored is None:
                new.append(name)
            else:
                yield self._saved(name, stored)
        if new:
            yield from self._run(new)

    def _run(self, names: list[str]) -> Iterator[Graded]:
        for content in (self.frame, code_list()):
            self.kept.put(content)
        workers = max(1, min(self.settings.workers, len(names)))
        jobs = ((name, self._kept(self._job(name))) for name in names)
        with self._pool() as pool:
            for name, judged in graded(jobs, workers, pool):
                yield self._new(name, judged) if isinstance(judged, bytes) else self._ungraded(name, judged)

    @contextlib.contextmanager
    def _pool(self) -> Iterator[Callable[[int], Executor]]:
        """Workers of this machine share one warm process; those of other machines have their own."""
        if self.settings.pool is not local_pool or not self.settings.walled:
            yield self.settings.pool
            return
        with contextlib.closing(Warm(view())) as zygote:
            yield partial(local_pool, begin=begin_with(zygote.address))

    def _job(self, name: str) -> Job:
        """Read anew each time it is needed: a large class does not have to fit into memory."""
        submission = read_submission(self.course, self.lesson, name, self.book.name)
        job = job_of(self.course, self.lesson, self.frame, submission, self.settings.limits, self.settings.walled)
        self.under_way[name] = job.facts(), replace(submission, content=b"")
        return job

    def _kept(self, job: Job) -> Job:
        self.kept.put(job.submitted)
        return job

    def _key(self, name: str) -> str:
        return key_of(self.under_way[name][0])

    def _why_not_alone(self, name: str) -> str | None:
        """Why one exercise of this student's cannot be graded again by itself; None if it can, or if all are."""
        if self.exercise is None:
            return None
        notebook, now = read_autograded(self.book.autograded(name)), self.under_way[name][0]
        graded = notebook and self.results.facts(result_of(notebook) or "none")
        command = f"`python -m grader autograde {self.lesson} --student {name}`"
        if not graded:
            return f"Not graded by this grader yet: {command} comes first."
        if graded["decided_by"]["submitted"] != now["submitted"]:
            return f"Another file was handed in since this was graded: {command} grades it, all exercises at once."
        return None

    def _new(self, name: str, judged: bytes) -> Graded:
        facts, _ = self.under_way[name]
        steps = load(judged)["metadata"].get("run", {}).get("steps", {})
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        told = {"decided_by": facts, "graded": now, "seconds": round(sum(steps.values()), 3)}
        self.results.put(key_of(facts), judged, told)
        return self._saved(name, judged)

    def _saved(self, name: str, judged: bytes) -> Graded:
        facts, submission = self.under_way.pop(name)
        begun = time.monotonic()
        saved, changes = self.book.save(name, judged, key_of(facts), submission.timestamp, self.exercise)
        self.listener.saved(name, changes)
        one = read_graded(name, saved, submission.note)
        if one.run:
            one.run["steps"] = one.steps | {"save": round(time.monotonic() - begun, 3)}
        return one

    def _ungraded(self, name: str, error: Exception) -> Graded:
        self.under_way.pop(name)
        if is_full(error):  # for everyone, then
            raise error
        if isinstance(error, CannotRun):
            return Graded(name, problem=f"Not graded, because of this machine and not of the submission: {error}.")
        said = f"{type(error).__name__}: {error}"
        return Graded(name, problem=f"Not graded, because of an error in the grader ({said}). Please report it.")
