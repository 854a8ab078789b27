"""Rebuild, execute and judge as nbgrader preprocessors."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Integer

from grader.course.assignment import frame_of
from grader.course.autograde import demand_wall
from grader.course.job import Job, job_of, rebuilt, run, timed
from grader.course.submissions import read_submission
from grader.errors import CourseError
from grader.notebook import Limits, Unreadable, judge_notebook, unjudged_notebook
from grader.notebook.frame import dump, has_hidden_tests, load
from grader.paths import Course

Made = tuple[NotebookNode, dict]


class CourseStep(NbGraderPreprocessor):
    """What the steps have in common: they know the submission's file, and not only what nbgrader has read of it."""

    unsafe_no_sandbox = Bool(False, help="Run submissions with your rights; results are stamped so").tag(config=True)

    def job(self, resources: dict, limits: Limits | None = None) -> Job:
        """The work on the notebook that is being converted. Raises CourseError where it cannot be graded."""
        names = resources["nbgrader"]
        course = Course(Path(self.parent.parent.coursedir.root))  # the exporter's converter's
        lesson, name = names["assignment"], names["notebook"]
        submission = read_submission(course, lesson, names["student"], name)
        frame = frame_of(course, lesson, name)
        return job_of(course, lesson, frame, submission, limits or Limits(), not self.unsafe_no_sandbox)


class Rebuild(CourseStep):
    """In place of the submitted notebook: the released one with the student's work in it."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> Made:
        if not self.unsafe_no_sandbox:
            demand_wall()
        job = self.job(resources)
        try:
            return _node(rebuilt(job)), resources
        except Unreadable as error:
            return _node(unjudged_notebook(job.frame, str(error))), resources


class Execute(CourseStep):
    """Runs the notebook behind the wall. Settings for nbgrader's own Execute hold: `c.Execute.timeout`."""

    timeout = Integer(30, allow_none=True, help="Seconds after which a cell is interrupted").tag(config=True)
    notebook_timeout = Integer(120, help="Seconds after which a notebook is stopped").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> Made:
        seconds = float(self.timeout or Limits().cell_seconds)  # as the same numbers name the same result
        job = self.job(resources, Limits(seconds, float(self.notebook_timeout)))
        try:
            released = rebuilt(job, hidden=False)
        except Unreadable:
            return nb, resources
        # In a thread of its own: in formgrader this one is running an event loop.
        with ThreadPoolExecutor(1) as thread:
            ran = _node(thread.submit(run, job, dump(nb)).result())
            if has_hidden_tests(load(job.frame)):
                resources["seen"] = thread.submit(run, job, released).result()
        ran.metadata["result"] = job.key()
        return ran, resources


class Judge(CourseStep):
    """Verdicts in place of what the graded cells showed."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> Made:
        job, begun = self.job(resources), time.monotonic()
        try:
            rebuilt(job)
        except Unreadable as error:
            return _node(unjudged_notebook(job.frame, str(error))), resources
        if "run" not in nb.metadata:
            raise CourseError("The notebook has not been run, and without that there are no verdicts: no --no-execute.")
        judged = judge_notebook(dump(nb), job.frame, job.seeds.__getitem__, resources.pop("seen", None))
        return _node(timed(judged, judge=time.monotonic() - begun)), resources


def _node(notebook: bytes) -> NotebookNode:
    return nbformat.reads(notebook.decode("utf-8"), as_version=4)
