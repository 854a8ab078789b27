"""The work on one submission, as data: what goes to a worker, wherever it is, and the function it runs there."""

import importlib
import importlib.metadata
import json
import platform
import threading
import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from grader.course.kept import content_name
from grader.course.results import key_of
from grader.course.seeds import course_secret, seed
from grader.course.submissions import Submission
from grader.notebook import Limits, Unreadable, execute, judge_notebook, rebuild, unjudged_notebook
from grader.notebook.frame import dump, exercise_ids, has_hidden_tests, load
from grader.notebook.fresh import FreshKernel
from grader.notebook.walled import WalledKernel
from grader.paths import Course

# What decides a verdict: the code that runs and judges, and what the kernel imports beside it.
CODE = (
    "grader.sandbox",
    "grader.probe",
    "grader.exercises",
    "grader.answers",
    "grader.judge",
    "grader.notebook",
    "lessons.support",
)
VERSIONS = ("torch", "numpy", "safetensors", "ipykernel", "nbclient")
# Where a worker has several threads: references are run with this process's stderr caught and its seed set.
_JUDGING = threading.Lock()


@dataclass(frozen=True)
class Job:
    """One submission to grade. Plain data, so that it can be sent to another process or machine.

    problem   why there is nothing to run, if so
    seeds     exercise id -> seed
    walled    whether it runs behind the wall
    """

    lesson: str
    frame: bytes = field(repr=False)
    submitted: bytes = field(repr=False)
    problem: str | None
    seeds: dict[str, int]
    limits: Limits
    walled: bool = True

    def key(self) -> str:
        """Names the result: the hash of everything that decides it."""
        return key_of(self.facts())

    def facts(self) -> dict:
        """Everything that decides the result; files by their hashes, which are their names in `kept`."""
        return {
            "lesson": self.lesson,
            "frame": content_name(self.frame),
            "submitted": content_name(self.submitted),
            "problem": self.problem,
            "seeds": self.seeds,
            "limits": asdict(self.limits),
            "walled": self.walled,
            "code": code_hash(),
            "versions": versions(),
        }


def job_of(course: Course, lesson: str, frame: bytes, submission: Submission, limits: Limits, walled: bool) -> Job:
    """The work on a submission: the same bytes are given the same inputs, whoever grades them."""
    secret, content = course_secret(course), submission.content
    seeds = {exercise: seed(secret, lesson, exercise, content) for exercise in exercise_ids(load(frame))}
    return Job(lesson, frame, content, submission.problem, seeds, limits, walled)


def grade(job: Job) -> bytes:
    """The judged notebook. Raises CannotRun if this machine cannot run it, and CourseError for a bad frame."""
    begun = time.monotonic()
    try:
        clean = rebuilt(job)
    except Unreadable as error:
        return unjudged_notebook(job.frame, str(error))
    made = time.monotonic()
    executed = run(job, clean)
    # What students read comes from a run that has not seen the hidden tests.
    seen = run(job, rebuilt(job, hidden=False)) if has_hidden_tests(load(job.frame)) else None
    returned = time.monotonic()
    with _JUDGING:
        judged = judge_notebook(executed, job.frame, job.seeds.__getitem__, seen)
    return timed(judged, rebuild=made - begun, judge=time.monotonic() - returned)


def rebuilt(job: Job, hidden: bool = True) -> bytes:
    """The notebook to execute. Raises Unreadable if there is none."""
    if job.problem is not None:
        raise Unreadable(job.problem)
    return rebuild(job.frame, job.submitted, job.lesson, job.seeds.__getitem__, hidden)


def run(job: Job, clean: bytes) -> bytes:
    """The executed notebook. Raises CannotRun."""
    return execute(clean, job.limits, WalledKernel() if job.walled else FreshKernel())


def timed(judged: bytes, **seconds: float) -> bytes:
    """The notebook with what its steps took, for the report: what was slow for whom."""
    notebook = load(judged)
    run = notebook["metadata"]["run"]
    took = {"kernel": run.pop("kernel_seconds"), "run": run["seconds"]} | seconds
    run["steps"] = {step: round(second, 3) for step, second in took.items()}
    return dump(notebook)


@cache
def code_list() -> bytes:
    """The modules of CODE that are installed, each with the hash of its text, as JSON."""
    found = {
        f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}": content_name(path.read_bytes())
        for package in CODE
        for folder, path in _modules(package)
    }
    return json.dumps(found, sort_keys=True).encode()


@cache
def code_hash() -> str:
    """Of the code that decides verdicts; the name of its `code_list`."""
    return content_name(code_list())


def _modules(package: str) -> list[tuple[Path, Path]]:
    """The package's folder and each of its modules."""
    try:
        folder = Path(importlib.import_module(package).__file__).parent
    except ModuleNotFoundError:
        return []
    return [(folder, path) for path in sorted(folder.rglob("*.py"))]


@cache
def versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in VERSIONS}
