"""The exports as nbgrader plugins: `nbgrader export --exporter=grader.course.export.Canvas`."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Unicode

from grader.course.export.fill import CANVAS, MOODLE, Filled, fill
from grader.course.export.grades import by_exercise, grades
from grader.course.roster import from_gradebook, from_sheet
from grader.course.sheet import read_sheet
from grader.errors import CourseError
from grader.files import write_atomically


class Exercises(ExportPlugin):
    """One row for each student and graded cell."""

    def export(self, gradebook: Gradebook) -> None:
        lessons = [str(one) for one in self.assignment] or [one.name for one in gradebook.assignments]
        with _in_a_sentence():
            text = by_exercise(gradebook, lessons, [str(one) for one in self.student])
        _write(Path(self.to or "exercises.csv"), text.encode())


class _Platform(ExportPlugin):
    kind = ""
    roster = Unicode("", help="The table that was downloaded from the platform").tag(config=True)
    column = Unicode("", help="The heading of the column to fill (default: the lesson's)").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        with _in_a_sentence():
            if len(self.assignment) != 1:
                raise CourseError("This exports one lesson: --assignment='[\"03_rms_norm\"]'.")
            if not self.roster:
                raise CourseError(f"Name the table to fill: --{type(self).__name__}.roster=FILE.")
            to = Path(self.to or f"{self.kind}.csv")
            for sentence in export(gradebook, self.kind, str(self.assignment[0]), Path(self.roster), to, self.column)[
                1
            ]:
                self.log.warning(sentence)


class Canvas(_Platform):
    """The gradebook that was downloaded from Canvas, with a lesson's grades in it."""

    kind = CANVAS


class Moodle(_Platform):
    """Moodle's grading worksheet, or another table of its people, with a lesson's grades in it."""

    kind = MOODLE


def export(
    book: Gradebook, kind: str, lesson: str, roster: Path, to: Path, column: str = ""
) -> tuple[Filled, list[str]]:
    """Writes the filled table; what there is to say of it. Raises CourseError if it cannot be filled."""
    sheet = read_sheet(roster)
    people = from_sheet(sheet, from_gradebook(book))
    filled = fill(sheet, kind, people, grades(book, lesson), lesson, column)
    _write(to, filled.sheet.to_bytes())
    return filled, filled.sentences()


def _write(to: Path, content: bytes) -> None:
    try:
        write_atomically(to, content)
    except OSError as error:
        raise CourseError(f"{to} cannot be written ({error.strerror}). Name another file.") from error


class _in_a_sentence:
    """nbgrader would print a traceback for a CourseError."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind, error, trace) -> None:
        if isinstance(error, CourseError):
            raise SystemExit(f"error: {error}") from None
