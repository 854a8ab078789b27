"""Extensions: more time for one student in one lesson.

nbgrader keeps an extension at a submission, which is there only once something was handed in. So they are kept in a
file of the course, too, and taken from there into the gradebook whenever a submission is graded.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.utils import parse_utc

from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course

AMOUNT = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?")
FORMAT = "%Y-%m-%d %H:%M:%S UTC"


@dataclass(frozen=True)
class Extension:
    """So many hours after the due date, or until a time in UTC, whatever the due date."""

    hours: float | None = None
    until: datetime | None = None

    def after(self, due: datetime | None) -> timedelta | None:
        """As nbgrader keeps it: from the due date. None where there is no due date to count from."""
        if self.hours is not None:
            return timedelta(hours=self.hours)
        return None if due is None else max(self.until - due, timedelta())

    def __str__(self) -> str:
        if self.hours is None:
            return f"until {self.until:{FORMAT}}"
        days, hours = divmod(self.hours, 24)
        return " ".join(f"{n:g} {unit}{'' if n == 1 else 's'}" for n, unit in ((days, "day"), (hours, "hour")) if n)


def read_amount(text: str) -> Extension:
    """ "3d", "12h", "1w2d", or a date, with or without a time; a date alone is its end, on this machine's clock.

    Raises CourseError for anything else.
    """
    if (found := AMOUNT.fullmatch(text)) and any(found.groups()):
        weeks, days, hours = (int(number or 0) for number in found.groups())
        total = (weeks * 7 + days) * 24 + hours
        if 0 < total <= 24 * 366:
            return Extension(hours=total)
    elif re.match(r"\d{4}-\d\d-\d\d", text):
        try:
            return Extension(until=_until(text))
        except (ValueError, OverflowError):
            pass
    raise CourseError(
        f"{text!r} is no extension. Give days, hours or both (3d, 12h, 1d12h; at most a year), or a date "
        '(2026-12-05, "2026-12-05 18:00", "2026-12-05 18:00 UTC").'
    )


def _until(text: str) -> datetime:
    """In UTC, without a zone, as nbgrader has its times."""
    when = parse_utc(f"{text} 23:59:59" if len(text) == 10 else text)
    return when if text.endswith("UTC") else when.astimezone(UTC).replace(tzinfo=None)


class Extensions:
    """Those of a course."""

    def __init__(self, course: Course):
        self.path = course.state / "extensions.json"

    def all(self, lesson: str) -> dict[str, Extension]:
        return {student: _read(entry) for student, entry in self._entries().get(lesson, {}).items()}

    def lessons(self) -> list[str]:
        return sorted(lesson for lesson, students in self._entries().items() if students)

    def get(self, lesson: str, student: str) -> Extension | None:
        return self.all(lesson).get(student)

    def put(self, lesson: str, student: str, extension: Extension | None) -> None:
        """None removes it."""
        entries = self._entries()
        of_lesson = entries.setdefault(lesson, {})
        of_lesson.pop(student, None)
        if extension is not None:
            until = extension.until and extension.until.strftime(FORMAT)
            of_lesson[student] = {"hours": extension.hours} if until is None else {"until": until}
        write_atomically(self.path, json.dumps(entries, indent=1, sort_keys=True, ensure_ascii=False).encode())

    def _entries(self) -> dict[str, dict[str, dict]]:
        try:
            return json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise CourseError(f"{self.path} is damaged ({error}): mend it, or restore it from a backup.") from error


def _read(entry: dict) -> Extension:
    return Extension(entry.get("hours"), parse_utc(entry["until"]) if "until" in entry else None)


def submission_of(book: Gradebook, lesson: str, student: str) -> SubmittedAssignment | None:
    try:
        return book.find_submission(lesson, student)
    except MissingEntry:
        return None


def apply(course: Course, book: Gradebook, lesson: str, student: str) -> None:
    """Takes the student's extension into the gradebook. Where the file has none, one given there stays."""
    extension, submission = Extensions(course).get(lesson, student), submission_of(book, lesson, student)
    if extension is not None and submission is not None:
        after = extension.after(submission.assignment.duedate)
        if submission.extension != after:
            submission.extension = after
            book.db.commit()
