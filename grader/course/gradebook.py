"""The one writer: nbgrader's own gradebook and autograded folder, filled by nbgrader's own preprocessors."""

import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades, SaveCells
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning

from grader.course.assignment import nbgrader_config, until_saved
from grader.course.autograded import holds, only, read_autograded, with_one_exercise
from grader.course.beside import write_beside
from grader.course.changes import Before, Change
from grader.course.database import complete, opened
from grader.course.extensions import apply
from grader.course.migrate import migrate
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
        return opened(self.directory.db_url, self.directory.course_id)

    def announce(self) -> list[str]:
        """Makes the lesson and its graded cells known, as `nbgrader generate_assignment` does.

        Where students' grades are saved already and the lesson has changed since, the gradebook is migrated if
        nothing is lost by that; what was done, in sentences. Raises CourseError, naming the students, if not.
        """
        with self.open() as book:
            complete(book)
            book.update_or_create_assignment(self.lesson)
        where = self.course, self.lesson, self.name
        notebook = until_saved(*where, None, self.config, self.directory)
        with self.open() as book:
            done = migrate(book, self.lesson, self.name, notebook)
        until_saved(*where, SaveCells, self.config, self.directory)
        return done

    def save(
        self, student: str, judged: bytes, key: str, timestamp: str | None, exercise: str | None = None
    ) -> tuple[bytes, list[Change] | None]:
        """Saves the scores of one judged notebook and writes it to the autograded folder.

        key        names the result. What is saved already is not saved again
        exercise   the only one whose grade may change: all else of the autograded notebook, which has to be
                   there, stays

        Manual scores and comments stay as they are. The file comes last: it says that all else is done.
        Gives the notebook that is saved now, and the automatic scores that have changed (None if there were none).
        """
        path = self.autograded(student)
        with warnings.catch_warnings(), self._opened() as book:
            warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own way of adding rows
            known = self._submitted(book, student)
            book.update_or_create_student(student)
            when = {} if timestamp is None else {"timestamp": parse_utc(timestamp)}
            submission = book.update_or_create_submission(self.lesson, student, **when)
            old = read_autograded(path) if known else None
            notebook, changes = nbformat.reads(judged.decode(), as_version=4), []
            if fresh := not (old and holds(old, notebook, key, exercise)):
                notebook = _as_saved(notebook, key, old, exercise)
                before = Before(book, self.lesson, self.name, student) if known else None
                saving = SaveHere(book, config=self.config, log=SILENT)
                if before is not None:
                    saving.last = lambda: before.compared(old, notebook)
                self._pass(saving, only(notebook, exercise), student)
                changes = saving.changes
            apply(self.course, book, self.lesson, student)
            if submission.total_seconds_late > 0 or submission.late_submission_penalty:
                self.penalise(student)
        mode = 0o664 if self.directory.groupshared else 0o444  # nbgrader's own
        write_beside(self.course, self.lesson, student, timestamp, mode)
        if fresh:
            write_atomically(path, (nbformat.writes(notebook) + "\n").encode(), mode)
        saved = judged if exercise is None else nbformat.writes(notebook if fresh else old).encode()
        return saved, changes

    def penalise(self, student: str) -> None:
        """Sets the penalty for lateness of what is saved, by the course's own settings."""
        self._pass(AssignLatePenalties(config=self.config, log=SILENT), nbformat.from_dict({"cells": []}), student)

    def autograded(self, student: str) -> Path:
        return self.course.autograded / student / self.lesson / f"{self.name}.ipynb"

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

    def _resources(self, student: str = ".") -> dict:
        names = {"student": student, "assignment": self.lesson, "notebook": self.name}
        return {"nbgrader": names | {"db_url": self.directory.db_url}, "unique_key": self.name}


class SaveHere(SaveAutoGrades):
    """nbgrader's SaveAutoGrades into a gradebook that is open already.

    last   called when all is saved but not yet committed, for the changes
    """

    def __init__(self, gradebook: Gradebook, **kwargs):
        super().__init__(**kwargs)
        self.gradebook = _OneCommit(gradebook)
        self.last: Callable[[], list[Change] | None] = lambda: None
        self.changes: list[Change] | None = None

    def preprocess(self, nb, resources):
        names = resources["nbgrader"]
        self.notebook_id, self.assignment_id = names["notebook"], names["assignment"]
        self.student_id = names["student"]
        for index, cell in enumerate(nb.cells):
            nb.cells[index], resources = self.preprocess_cell(cell, resources, index)
        self.gradebook.book.db.flush()
        self.changes = self.last()
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


def _as_saved(judged: NotebookNode, key: str, old: NotebookNode | None, exercise: str | None) -> NotebookNode:
    """The notebook for the autograded folder."""
    if exercise is not None:
        return with_one_exercise(old, judged, exercise, key)
    judged.metadata["result"] = key
    return judged
