"""Grading without kernels, in milliseconds: for tests of what happens to verdicts once they are there.

Verdicts are the judge's own on the text of each exercise by itself; see `grader.course.demo_class.alone`.
"""

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from grader.course.autograde import Settings, autograde
from grader.course.demo_class import alone
from grader.course.job import Job
from grader.exercises import exercise
from grader.judge import Verdict, as_output, unjudged
from grader.notebook import rebuild
from grader.notebook.frame import dump, exercise_of, load
from grader.notebook.reasons import find
from grader.paths import Course
from tests.course.classroom import LESSON


@functools.cache
def verdict(name: str, text: str) -> Verdict:
    return alone(exercise(name), text) or unjudged(name, "raised", "It does not stand alone.")


def right(name: str, text: str) -> Verdict:
    """As of a mended test that gives all points to all that was ever partly right."""
    found = verdict(name, text)
    return replace(found, score=found.points, status="passed", mistake=None) if found.status == "partly" else found


def grading(verdict: Callable[[str, str], Verdict] = verdict) -> Callable[[Job], bytes]:
    """A function like `grader.course.job.grade`."""

    def grade(job: Job) -> bytes:
        notebook = load(rebuild(job.frame, job.submitted, job.lesson, job.seeds.__getitem__))
        released = {cell["id"]: cell for cell in load(job.frame)["cells"]}
        for cell in notebook["cells"]:
            check = released.get(cell["id"])
            if check is None or (name := exercise_of(check)) is None:
                continue
            cell["source"] = check["source"]
            cell["outputs"] = [as_output(verdict(name, find(notebook, name)["source"]))]
        run = {"sandboxed": False, "seconds": 1.0, "steps": {"rebuild": 0.25, "run": 1.0}}
        return dump(notebook | {"metadata": notebook["metadata"] | {"run": run}})

    return grade


class Quick:
    """A course that is graded so. `verdict` may be exchanged; `code` stands for all code that decides verdicts."""

    def __init__(self, course: Course, monkeypatch):
        self.course, self.verdict, self.code = course, verdict, b'{"grader/judge/judge.py": "one"}'
        monkeypatch.setattr("grader.course.batch.grade", self._grade)
        monkeypatch.setattr("grader.course.replay.grade", self._grade)
        for module in ("job", "autograde", "since"):
            monkeypatch.setattr(f"grader.course.{module}.code_list", lambda: self.code)
        from grader.course.kept import content_name

        monkeypatch.setattr("grader.course.job.code_hash", lambda: content_name(self.code))

    def _grade(self, job: Job) -> bytes:
        return grading(self.verdict)(job)

    def mend(self) -> None:
        self.verdict, self.code = right, b'{"grader/judge/judge.py": "two"}'

    def autograde(self, again: bool = False, **chosen) -> dict:
        """By student. chosen: student, exercise, listener."""
        settings = Settings(walled=False, again=again, pool=ThreadPoolExecutor)
        return {one.student: one for one in autograde(self.course, LESSON, settings, **chosen)}
