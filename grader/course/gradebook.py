"""The one writer: nbgrader's own gradebook and autograded folder, filled by nbgrader's own preprocessors."""

import contextlib
import logging
import os
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_core.paths import jupyter_config_path
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, SaveAutoGrades, SaveCells
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from grader.author.source import read_source
from grader.course.submissions import TIMESTAMP
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import CONFIG, Course

SILENT = logging.Logger("nbgrader", logging.CRITICAL)


class Book:
    """nbgrader's gradebook of a course, for one lesson. Not for two processes at a time (see `lock`)."""

    def __init__(self, course: Course, lesson: str):
        self.course, self.lesson, self.name = course, lesson, lesson[3:]
        self.config = nbgrader_config(course)
        self.directory = CourseDirectory(config=self.config, root=str(course.root), log=SILENT)

    def open(self) -> Gradebook:
        with _scripts_on_path():
            return Gradebook(self.directory.db_url, self.directory.course_id)

    def announce(self) -> None:
        """Makes the lesson and its graded cells known, as `nbgrader generate_assignment` does.

        Raises CourseError if cells were added or removed since students' grades were saved.
        """
        with self.open() as book:
            book.update_or_create_assignment(self.lesson)
        notebook, resources = read_source(self.course.source(self.lesson)), self._resources()
        try:
            for preprocessor in self._until_saved():
                notebook, resources = preprocessor(notebook, resources)
        except RuntimeError as error:
            raise CourseError(
                f"Graded, solution or locked cells of {self.lesson} were added or removed, but the gradebook "
                "already has grades for the old ones. Take the change back, or give the lesson another name. "
                f"nbgrader says: {error}."
            ) from error

    def _until_saved(self):
        """The course's own chain for releasing, up to where the cells are saved in the gradebook."""
        chain = GenerateAssignment(config=self.config, coursedir=self.directory, log=SILENT).preprocessors
        for preprocessor in chain[: chain.index(SaveCells) + 1]:
            yield preprocessor(config=self.config, log=SILENT)

    def save(self, student: str, judged: bytes, key: str, timestamp: str | None) -> None:
        """Saves the scores of one judged notebook and writes it to the autograded folder.

        key   names the result. What is saved under it already is not saved again, so that grades an
              instructor has given since are not marked for another look.

        Manual scores and comments stay as they are. The file comes last: it says that all else is done.
        """
        with warnings.catch_warnings(), self.open() as book:
            warnings.simplefilter("ignore", SAWarning)  # about nbgrader's own way of adding rows
            known = self._submitted(book, student)
            book.update_or_create_student(student)
            when = {} if timestamp is None else {"timestamp": parse_utc(timestamp)}
            book.update_or_create_submission(self.lesson, student, **when)
        path = self.course.autograded / student / self.lesson / f"{self.name}.ipynb"
        fresh = not (known and saved_key(path) == key)
        notebook = nbformat.reads(judged.decode(), as_version=4)
        notebook.metadata["result"] = key
        for chosen in (SaveAutoGrades, AssignLatePenalties, CheckCellMetadata):
            if fresh or chosen is AssignLatePenalties:
                notebook, _ = chosen(config=self.config, log=SILENT)(notebook, self._resources(student))
        if fresh:
            self._write(path, notebook, timestamp)

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


def nbgrader_config(course: Course) -> Config:
    """nbgrader's settings as its own commands read them: the machine's, the user's, then the course's."""
    config = Config()
    for folder in [*reversed(jupyter_config_path()), str(course.root)]:
        if Path(folder, CONFIG).is_file():
            config.merge(PyFileConfigLoader(CONFIG, path=folder).load_config())
    return config
