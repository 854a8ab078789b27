"""Who is in the class: read from what a learning platform lets an instructor download, or from the gradebook."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.api import Gradebook, Student

from grader.course.names import same_name
from grader.course.sheet import Sheet, read_sheet
from grader.course.submissions import STUDENT
from grader.errors import CourseError

CANVAS, MOODLE, OWN = "canvas", "moodle", "own"
# Headings by what they mean. Canvas and Moodle write them in the language of whoever downloads.
HEADS = {
    "canvas": ("ID",),
    "moodle": ("Identifier",),
    "full": ("Student", "Full name", "name", "student_name"),
    "first": ("First name", "FirstName", "first_name", "Given name"),
    "last": ("Last name", "LastName", "last_name", "Surname", "Family name"),
    "email": ("Email address", "email", "E-mail", "E-mail address"),
    "login": ("SIS Login ID", "Username", "login"),
    "number": ("SIS User ID", "ID number", "Student ID"),
    "student": ("id", "student_id"),
    "section": ("Section",),
    "when": ("Last modified (submission)",),
}
NUMBER = re.compile(r"\d+$")


@dataclass(frozen=True)
class Person:
    """One of the class.

    student         nbgrader's id: the name of the folder in submitted/
    canvas, moodle  the number by which the platform names this person's files
    keys            what else stands for the person alone: id, login, matriculation number, e-mail address
    when            when the platform says that the person handed in, as it writes it
    row             the place in the roster's rows
    """

    student: str
    full: str = ""
    first: str = ""
    last: str = ""
    email: str = ""
    canvas: str = ""
    moodle: str = ""
    keys: frozenset[str] = field(default_factory=frozenset)
    when: str = ""
    row: int | None = None

    @property
    def name(self) -> str:
        return self.full or f"{self.first} {self.last}".strip()


def kind_of(sheet: Sheet) -> str:
    """Which platform's table it is. Raises CourseError, naming the headings, if none that is known."""
    found = {what for what in HEADS if sheet.column(*HEADS[what]) is not None}
    if {"canvas", "section"} <= found and found & {"full", "last"}:
        return CANVAS
    if "moodle" in found:
        return MOODLE
    if "student" in found:
        return OWN
    if {"first", "last", "email"} <= found:
        return MOODLE
    raise CourseError(
        f"{sheet.path} is no list of people that this knows: its headings are {', '.join(sheet.head[:8])}. Take "
        "Canvas's gradebook (Export), Moodle's grading worksheet or list of participants (download them in English), "
        "or a CSV file with the headings id, first_name, last_name, email."
    )


def from_sheet(sheet: Sheet, known: Iterable[Person] = ()) -> list[Person]:
    """The people of a roster. Who is in the gradebook already (known) keeps the id that is there.

    Raises CourseError if it names nobody, or two people alike.
    """
    kind = kind_of(sheet)
    people = [one for place, row in enumerate(sheet.rows) if (one := _person(sheet, kind, place, row))]
    people = _with_ids(_with_mailboxes(people), list(known))
    if not people:
        raise CourseError(f"{sheet.path} names no students: download it again.")
    double = [student for student, times in Counter(one.student.casefold() for one in people).items() if times > 1]
    if double:
        raise CourseError(f"{sheet.path} has two rows for {', '.join(sorted(double)[:5])}: take one of them out.")
    return people


def read_roster(path: Path, known: Iterable[Person] = ()) -> list[Person]:
    return from_sheet(read_sheet(path), known)


def _person(sheet: Sheet, kind: str, place: int, row: list[str]) -> Person | None:
    """None for rows that are no student's: Canvas's points, its test student, Moodle's teachers."""

    def cell(what: str) -> str:
        column = sheet.column(*HEADS[what])
        return "" if column is None else row[column].strip()

    number = (NUMBER.search(cell("moodle")) or [""])[0] if kind == MOODLE else ""
    canvas = cell("canvas") if kind == CANVAS else ""
    role = sheet.column("Roles")
    if kind == CANVAS and (not canvas.isdigit() or cell("full") == "Student, Test"):
        return None
    if kind == MOODLE and role is not None and "student" not in row[role].casefold():
        return None
    last, _, first = (part.strip() for part in cell("full").partition(",")) if kind == CANVAS else ("", "", "")
    ids = [cell("student") if kind == OWN else "", cell("login"), cell("number"), cell("email"), canvas, number]
    good = [one for one in ids if STUDENT.fullmatch(one)]
    if not good:
        return None
    keys = frozenset(one.casefold() for one in [*ids[:4], good[0]] if one)
    full = "" if kind == CANVAS else cell("full")
    names = {"full": full, "first": cell("first") or first, "last": cell("last") or last, "email": cell("email")}
    return Person(good[0], **names, canvas=canvas, moodle=number, keys=keys, when=cell("when"), row=place)


def _with_mailboxes(people: list[Person]) -> list[Person]:
    """What stands before the @ is a login, too, where only one person has it."""
    boxes = [one.email.casefold().partition("@")[0] for one in people]
    often = Counter(boxes)
    return [
        replace(one, keys=one.keys | {box}) if box and often[box] == 1 else one
        for one, box in zip(people, boxes, strict=True)
    ]


def _with_ids(people: list[Person], known: list[Person]) -> list[Person]:
    return [replace(one, student=_known_id(one, known)) for one in people]


def _known_id(one: Person, known: list[Person]) -> str:
    for other in known:
        same_email = one.email and one.email.casefold() == other.email.casefold()
        if one.student == other.student or same_email or (one.canvas and one.canvas == other.canvas):
            return other.student
    by_key = [other.student for other in known if other.student.casefold() in one.keys and _may_be(one, other)]
    return by_key[0] if len(by_key) == 1 else one.student


def _may_be(one: Person, other: Person) -> bool:
    """A login alone is not enough where the names are two people's."""
    return not (one.name and other.name) or same_name(one.name, other.name)


def from_gradebook(book: Gradebook) -> list[Person]:
    return [_of_book(student) for student in book.db.query(Student).order_by(Student.id)]


def _of_book(student: Student) -> Person:
    names = {"first": student.first_name or "", "last": student.last_name or "", "email": student.email or ""}
    keys = frozenset(key.casefold() for key in (student.id, names["email"]) if key)
    return Person(student.id, **names, canvas=student.lms_user_id or "", keys=keys)


def note_people(book: Gradebook, people: Iterable[Person]) -> None:
    """Makes people known to the gradebook. What is empty in the roster stays as it is there."""
    for one in people:
        given, _, family = one.full.rpartition(" ")
        facts = {"first_name": one.first or given, "last_name": one.last or family, "email": one.email}
        facts |= {"lms_user_id": one.canvas}
        book.update_or_create_student(one.student, **{key: value for key, value in facts.items() if value})
