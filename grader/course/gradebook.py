"""The one writer: nbgrader's own gradebook and autograded folder, filled by nbgrader's own preprocessors."""

import contextlib
import logging
import os
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades, SaveCells
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning

from grader.course.assignment import nbgrader_config, until_saved
from grader.course.submissions import TIMESTAMP
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course

SILENT = logging.Logger("nbgrader", logging.CRITICAL)


class Book:
    """nbgrader's gradebook of a course, for one notebook of an assignment (default: its first).

    Not for two processes at a time (see `lock`).
    """

    def __init__(self, course: Course, lesson: str, name: str | None = None):
        self.course, self.lesson, self.name = course, lesson, name or course.notebooks(lesson)[0]
        self.config = nbgrader_config(course)
        self.directory = CourseDirectory(config=self.config, root=str(course.root), log=SILENT)
        self._kept: Gradebook | None = None

    def open(self) -> Gradebook:
        with _scripts_on_path():
            return Gradebook(self.directory.db_url, self.directory.course_id)

    def announce(self) -> None:
        """Makes the lesson and its graded cells known, as `nbgrader generate_assignment` does.

        Raises CourseError if cells were added or removed since students' grades were saved.
        """
        with self.open() as book:
            book.update_or_create_assignment(self.lesson)
        try:
            until_saved(self.course, self.lesson, self.name, SaveCells, self.config, self.directory)
        except RuntimeError as error:
            raise CourseError(
                f"Graded, solution or locked cells of {self.lesson} were added or removed, but the gradebook "
                "already has grades for the old ones. Take the change back, or give the lesson another name. "
                f"nbgrader says: {error}."
            ) from error

    def save(self, student: str, judged: bytes, key: str, timestamp: str | None) -> None:
        """Saves the scores of one judged notebook and writes it to the autograded folder.

        key   names the result. What is saved under it already is not saved again, so that grades an
              instructor has given since are not marked for another look.

        Manual scores and comments stay as they are. The file comes last: it says that all else is done.
        """
        path = self.course.autograded / student / self.lesson / f"{self.name}.ipynb"
        with warnings.catch_warnings(), self._opened() as book:
            warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own way of adding rows
            known = self._submitted(book, student)
            book.update_or_create_student(student)
            when = {} if timestamp is None else {"timestamp": parse_utc(timestamp)}
            submission = book.update_or_create_submission(self.lesson, student, **when)
            fresh = not (known and saved_key(path) == key)
            notebook = nbformat.reads(judged.decode(), as_version=4)
            notebook.metadata["result"] = key
            if fresh:
                notebook = self._pass(SaveHere(book, config=self.config, log=SILENT), notebook, student)
            if submission.total_seconds_late > 0 or submission.late_submission_penalty:
                notebook = self._pass(AssignLatePenalties(config=self.config, log=SILENT), notebook, student)
        if fresh:
            self._write(path, notebook, timestamp)

    def _pass(self, preprocessor, notebook: NotebookNode, student: str) -> NotebookNode:
        return preprocessor(notebook, self._resources(student))[0]

    @contextlib.contextmanager
    def kept_open(self) -> Iterator[None]:
        """Saves within take one connection: nbgrader opens a new one for each of its steps, which takes longer
        than the step."""
        with self.open() as self._kept:
            try:
                yield
            finally:
                self._kept = None

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Gradebook]:
        if self._kept is not None:
            try:
                yield self._kept
            finally:
                self._kept.db.remove()  # what others have written since is read anew
        else:
            with self.open() as book:
                yield book

    def _submitted(self, book: Gradebook, student: str) -> bool:
        try:
            return bool(book.find_submission(self.lesson, student))
        except MissingEntry:
            return False

    def _write(self, path: Path, notebook: NotebookNode, timestamp: str | None) -> None:
        mode = 0o664 if self.directory.groupshared else 0o444  # nbgrader's own
        if timestamp is not None:
            write_atomically(path.with_name(TIMESTAMP), timestamp.encode())
            path.with_name(TIMESTAMP).chmod(mode)
        write_atomically(path, (nbformat.writes(notebook) + "\n").encode())
        path.chmod(mode)

    def _resources(self, student: str = ".") -> dict:
        names = {"student": student, "assignment": self.lesson, "notebook": self.name}
        return {"nbgrader": names | {"db_url": self.directory.db_url}, "unique_key": self.name}


class SaveHere(SaveAutoGrades):
    """nbgrader's SaveAutoGrades into a gradebook that is open already."""

    def __init__(self, gradebook: Gradebook, **kwargs):
        super().__init__(**kwargs)
        self.gradebook = _OneCommit(gradebook)

    def preprocess(self, nb, resources):
        names = resources["nbgrader"]
        self.notebook_id, self.assignment_id = names["notebook"], names["assignment"]
        self.student_id = names["student"]
        for index, cell in enumerate(nb.cells):
            nb.cells[index], resources = self.preprocess_cell(cell, resources, index)
        self.gradebook.book.db.commit()
        return nb, resources


class _OneCommit:
    """A gradebook that writes once: nbgrader commits after every cell, and a disk takes its time for each."""

    def __init__(self, book: Gradebook):
        self.book, self.db = book, self

    def __getattr__(self, name: str):
        return getattr(self.book, name)

    def commit(self) -> None:
        self.book.db.flush()


@contextlib.contextmanager
def _scripts_on_path() -> Iterator[None]:
    """For a new gradebook nbgrader calls the command `alembic`, which lies beside this Python's executable
    and is not found where its environment is not activated."""
    before = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def saved_key(path: Path) -> str | None:
    """The result that an autograded notebook holds; None if there is none, or one that nbgrader made."""
    try:
        return nbformat.read(path, as_version=4).metadata.get("result")
    except (OSError, ValueError, AttributeError):
        return None
