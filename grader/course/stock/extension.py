"""A student's extension, taken into the gradebook before nbgrader looks how late it was."""

from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from grader.course.extensions import apply
from grader.paths import Course


class Extend(NbGraderPreprocessor):
    """Changes nothing in the notebook. Stands before AssignLatePenalties."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        course = Course(Path(self.parent.parent.coursedir.root))  # the exporter's converter's
        with Gradebook(names["db_url"]) as book:
            apply(course, book, names["assignment"], names["student"])
        return nb, resources
