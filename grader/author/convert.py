"""Make the student copy of one notebook with nbgrader's own generate_assignment, away from the course.

The conversion runs in a temporary course directory: nothing in the real one is read but nbgrader_config.py,
nothing is written, and no gradebook is opened.
"""

import logging
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from grader.errors import CourseError
from grader.paths import CONFIG, Course, short_name


class _Log(logging.Handler):
    """Keeps what nbgrader says, to be shown only when it fails."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def to_release(course: Course, lesson: str, source: NotebookNode) -> str:
    """The student copy of `source` as text. Raises CourseError with nbgrader's reason if it refuses."""
    name = short_name(lesson)
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        # Resolved, because nbgrader matches paths as text and macOS reaches its temporary folder by a link.
        root = Path(folder).resolve()
        notebook = root / "solutions" / lesson / f"{name}.ipynb"
        notebook.parent.mkdir(parents=True)
        notebook.write_text(as_text(source), encoding="utf-8", newline="\n")
        _generate(root, lesson, _config(course))
        made = root / "lessons" / lesson / notebook.name
        return as_text(nbformat.read(made, as_version=nbformat.NO_CONVERT))


def as_text(notebook: NotebookNode) -> str:
    """A notebook file's text: sorted keys and a newline at the end, as nbformat writes files."""
    return nbformat.writes(notebook) + "\n"


def _config(course: Course) -> Config:
    """The course's own settings, less whatever touches a gradebook (what `nbgrader --no-db` does)."""
    config = PyFileConfigLoader(CONFIG, path=str(course.root)).load_config()
    config.SaveCells.enabled = False
    config.GenerateAssignment.no_database = True
    config.CourseDirectory.db_url = "sqlite:///:memory:"
    return config


def _generate(root: Path, lesson: str, config: Config) -> None:
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.assignment_id = lesson
    log = logging.Logger("build")
    log.addHandler(handler := _Log())
    coursedir = CourseDirectory(config=config, log=log)
    try:
        GenerateAssignment(coursedir=coursedir, config=config, log=log).start()
    except NbGraderException as error:
        reason = "\n".join(handler.said) or str(error)
        raise CourseError(f"nbgrader cannot make the student copy of {lesson}:\n{reason}") from error
