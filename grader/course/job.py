"""The work on one submission, as data: what goes to a worker, wherever it is, and the function it runs there."""

import hashlib
import importlib
import importlib.metadata
import json
import platform
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from grader.notebook import Limits, Unreadable, execute, judge_notebook, rebuild, unjudged_notebook

# What decides a verdict: the code that runs and judges, and what the kernel imports beside it.
CODE = ("grader.probe", "grader.exercises", "grader.answers", "grader.judge", "grader.notebook", "lessons.support")
VERSIONS = ("torch", "numpy", "safetensors", "ipykernel", "nbclient")


@dataclass(frozen=True)
class Job:
    """One submission to grade. Plain data, so that it can be sent to another process or machine.

    problem   why there is nothing to run, if so
    seeds     exercise id -> seed
    """

    lesson: str
    frame: bytes = field(repr=False)
    submitted: bytes = field(repr=False)
    problem: str | None
    seeds: dict[str, int]
    limits: Limits

    def key(self) -> str:
        """Names the result: the hash of everything that decides it."""
        facts = {
            "lesson": self.lesson,
            "frame": hashlib.sha256(self.frame).hexdigest(),
            "submitted": hashlib.sha256(self.submitted).hexdigest(),
            "problem": self.problem,
            "seeds": self.seeds,
            "limits": asdict(self.limits),
            "code": code_hash(),
            "versions": versions(),
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def grade(job: Job) -> bytes:
    """The judged notebook. Raises CannotRun if this machine cannot run it, and CourseError for a bad frame."""
    if job.problem is not None:
        return unjudged_notebook(job.frame, job.problem)
    try:
        clean = rebuild(job.frame, job.submitted, job.lesson, job.seeds.__getitem__)
    except Unreadable as error:
        return unjudged_notebook(job.frame, str(error))
    return judge_notebook(execute(clean, job.limits), job.frame, job.seeds.__getitem__)


@cache
def code_hash() -> str:
    """Of the text of all modules in CODE that are installed."""
    digest = hashlib.sha256()
    for package in CODE:
        for path in _modules(package):
            digest.update(f"{package}/{path.name}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _modules(package: str) -> list[Path]:
    try:
        folder = Path(importlib.import_module(package).__file__).parent
    except ModuleNotFoundError:
        return []
    return sorted(folder.rglob("*.py"))


@cache
def versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in VERSIONS}
