"""Lateness: what it costs, as nbgrader's plugin for it, and who is late."""

import math
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from nbgrader.api import SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

from grader.course.extensions import Extensions
from grader.course.gradebook import Book
from grader.paths import Course

DAY = 24 * 3600.0
SHOWN = "%Y-%m-%d %H:%M UTC"


class LatePenalty(LateSubmissionPlugin):
    """So much for every day that has begun. Nothing, unless nbgrader_config.py sets it; nbgrader's own
    `penalty_method` goes before."""

    grace_hours = Float(0.0, min=0.0, help="So many hours late are not late").tag(config=True)
    points_per_day = Float(0.0, min=0.0, help="Points for each day begun, of each notebook").tag(config=True)
    percent_per_day = Float(
        0.0, min=0.0, help="Percent of the student's own points of the notebook, for each day begun"
    ).tag(config=True)
    most_percent = Float(
        100.0, min=0.0, max=100.0, help="Never more than this many percent of the student's own points"
    ).tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        if self.penalty_method != "none":
            return super().late_submission_penalty(student_id, score, total_seconds_late)
        days = math.ceil((total_seconds_late - self.grace_hours * 3600) / DAY)
        penalty = max(0, days) * (self.points_per_day + score * self.percent_per_day / 100)
        return round(min(penalty, score * self.most_percent / 100), 2) or None


@dataclass(frozen=True)
class Late:
    """Somebody who was late, or has more time than the others. Texts are empty where nothing is known."""

    student: str
    handed_in: str = ""
    due: str = ""
    extension: str = ""
    late: str = ""
    penalty: float = 0.0

    def to_json(self) -> dict:
        return asdict(self)

    def row(self) -> list[object]:
        penalty = f"{self.penalty:g}" if self.penalty else ""
        return [self.student, self.handed_in or "not yet", self.due, self.extension, self.late, penalty]


HEAD = ["student", "handed in", "due", "extension", "late by", "penalty"]


def lateness(course: Course, lesson: str) -> list[Late]:
    """Everyone who was late or has an extension, by id."""
    extensions = Extensions(course).all(lesson)
    with Book(course, lesson).open() as book:
        submissions = {one.student.id: one for one in book.assignment_submissions(lesson)}
        found = [
            _late(student, one, str(extensions.get(student) or _hours(one.extension)))
            for student, one in submissions.items()
            if one.total_seconds_late > 0 or one.extension or student in extensions
        ]
    found += [
        Late(student, extension=str(given)) for student, given in extensions.items() if student not in submissions
    ]
    return sorted(found, key=lambda one: one.student)


def _late(student: str, one: SubmittedAssignment, extension: str) -> Late:
    late = _hours(timedelta(seconds=one.total_seconds_late)) if one.total_seconds_late else ""
    times = _shown(one.timestamp), _shown(one.duedate)
    return Late(student, *times, extension, late, one.late_submission_penalty or 0.0)


def _shown(when: datetime | None) -> str:
    return when.strftime(SHOWN) if when else ""


def _hours(length: timedelta | None) -> str:
    """ "3 days 2 h", "1 h 30 min": minutes only of less than a day."""
    if not length:
        return ""
    hours, minutes = divmod(math.ceil(length.total_seconds() / 60), 60)
    days, hours = divmod(hours, 24)
    words = [f"{days} day{'s' if days > 1 else ''}" if days else "", f"{hours} h" if hours else ""]
    return " ".join(filter(None, [*words, f"{minutes} min" if minutes and not days else ""]))
