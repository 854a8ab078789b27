"""Fills grades into the table that an instructor has downloaded from Canvas or Moodle, and changes nothing else."""

import re
from dataclasses import dataclass, field

from grader.course.export.grades import Grade
from grader.course.names import exact
from grader.course.roster import CANVAS, HEADS, MOODLE, Person, kind_of
from grader.course.sheet import Sheet
from grader.errors import CourseError

ASSIGNMENT = re.compile(r"(?P<title>.*?)\s*\((?P<id>\d+)\)")
STAYS = ("EX", "N/A")  # in Canvas: excused, not assigned


@dataclass
class Filled:
    """What was done: how many grades were filled in, who is in the gradebook only, who has handed in nothing, whose
    cell was not to be changed, and sentences."""

    sheet: Sheet
    column: str
    filled: int = 0
    unmatched: list[str] = field(default_factory=list)
    nothing: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def sentences(self) -> list[str]:
        said = [f"{self.filled} grades in the column {self.column!r}."]
        if self.unmatched:
            said.append(f"In the gradebook, but not in {self.sheet.path.name}: {', '.join(self.unmatched)}.")
        if self.kept:
            said.append(f"Left as the platform has it (excused, or not to be changed): {', '.join(self.kept)}.")
        if self.nothing:
            said.append(f"Nothing handed in, so left as it is: {', '.join(self.nothing)}.")
        return [*said, *self.notes]


def fill(sheet: Sheet, kind: str, people: list[Person], grades: dict[str, Grade], lesson: str, column: str) -> Filled:
    """kind: the platform that takes the table. people: the table's rows. column: a heading; "" looks for the lesson's.

    Raises CourseError if the table is another platform's, or has no such column.
    """
    if kind_of(sheet) != kind:
        raise CourseError(
            f"{sheet.path} is not {'Canvas' if kind == CANVAS else 'Moodle'}'s: its headings are "
            f"{', '.join(sheet.head[:6])}."
        )
    place = _canvas_column(sheet, lesson, column) if kind == CANVAS else _moodle_column(sheet, lesson, column)
    done, most = Filled(sheet, sheet.head[place]), _most(sheet, kind, place)
    rows = {one.student: sheet.rows[one.row] for one in people}
    for student, row in rows.items():
        if student not in grades:
            done.nothing.append(student)
        elif _stays(sheet, row, place):
            done.kept.append(student)
        else:
            row[place] = _number(grades[student].total, most)
            done.filled += 1
    done.unmatched = sorted(grades.keys() - rows.keys())
    done.notes = _notes(grades, most, lesson)
    if sheet.column(*HEADS["moodle"]) is not None:  # the worksheet, which Moodle reads in no other form
        sheet.delimiter = ","
        sheet.encoding = sheet.encoding if sheet.encoding.startswith("utf-8") else "utf-8"
    return done


def _canvas_column(sheet: Sheet, lesson: str, wanted: str) -> int:
    """Of Canvas's assignments, each of which is headed "title (number)"."""
    known = {place: found for place, head in enumerate(sheet.head) if (found := ASSIGNMENT.fullmatch(head))}
    if wanted:
        fits = [p for p, found in known.items() if wanted in (found[0], found["title"], found["id"])]
    else:
        fits = [p for p, found in known.items() if _is_lesson(found["title"], lesson)]
    if len(fits) == 1:
        return fits[0]
    said = f"called {wanted!r}" if wanted else f"named like {lesson}"
    columns = ", ".join(repr(found[0]) for found in known.values()) or "none"
    raise CourseError(
        f"{sheet.path} has {len(fits) or 'no'} assignments {said}: name the column with --column. It has: {columns}. "
        "An assignment that is not there yet is made in Canvas first; then download the gradebook again."
    )


def _moodle_column(sheet: Sheet, lesson: str, wanted: str) -> int:
    """The worksheet has one column for grades; any other table gets one for the lesson, if it has none."""
    if wanted and (place := sheet.column(wanted)) is not None:
        return place
    if not wanted and sheet.column(*HEADS["moodle"]) is not None:
        if (place := sheet.column("Grade")) is None:
            raise CourseError(f"{sheet.path} has no column Grade: download the grading worksheet in English.")
        return place
    fits = [place for place, head in enumerate(sheet.head) if not wanted and _is_lesson(head, lesson)]
    if len(fits) == 1:
        return fits[0]
    sheet.head.append(wanted or lesson)
    for row in sheet.rows:
        row.append("")
    return len(sheet.head) - 1


def _is_lesson(title: str, lesson: str) -> bool:
    """ "03 RMS Norm", "RMS norm" and Moodle's "Assignment: 03_rms_norm (Real)"."""
    title = re.sub(r"^\w+:|\(\w+\)$", "", title.strip())
    return exact(title) in (exact(lesson), exact(re.sub(r"^\d\d_", "", lesson)))


def _most(sheet: Sheet, kind: str, place: int) -> str:
    """The most points as the table has it, as text: it shows the decimal mark, too."""
    if kind == CANVAS:
        return next((row[place] for row in sheet.rows if row[0].strip() == "Points Possible"), "")
    most = sheet.column("Maximum Grade")
    return sheet.rows[0][most] if most is not None and sheet.rows else ""


def _stays(sheet: Sheet, row: list[str], place: int) -> bool:
    may = sheet.column("Grade can be changed")
    return row[place].strip() in STAYS or (may is not None and row[may].strip() == "No")


def _number(score: float, most: str) -> str:
    """As short as it can be without changing it, but at least with two decimals, as the platforms have it."""
    text = f"{score:.2f}" if round(score, 2) == score else repr(round(score, 6))
    return text.replace(".", ",") if "," in most and "." not in most else text


def _notes(grades: dict[str, Grade], most: str, lesson: str) -> list[str]:
    said, points = [], max((one.max_score for one in grades.values()), default=0.0)
    try:
        theirs = float(most.replace(",", "."))
    except ValueError:
        theirs = points
    if grades and theirs != points:
        said.append(f"The platform has {theirs:g} points for it, the gradebook {points:g}: set it there to {points:g}.")
    if waiting := [student for student, one in grades.items() if not one.complete]:
        said.append(f"Not marked by hand yet, so not final: {', '.join(waiting)}.")
    return said


__all__ = ["CANVAS", "MOODLE", "Filled", "fill"]
