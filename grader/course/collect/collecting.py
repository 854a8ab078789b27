"""Collects a download of a lesson into submitted/: who, which, then where."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbgrader.utils import parse_utc

from grader.course.collect.answers import read_answers, write_questions
from grader.course.collect.archive import Item, items
from grader.course.collect.place import NEW, OLDER, REPLACED, SAME, Placing
from grader.course.collect.plan import LEAVE, Found, Plan, Question, plan
from grader.course.collect.record import Record
from grader.course.collect.which import Match, Which
from grader.course.collect.who import Who
from grader.course.gradebook import Book
from grader.course.lock import only_grader
from grader.course.roster import Person, from_gradebook, note_people, read_roster
from grader.course.storage import in_one_sentence
from grader.course.submissions import TIMESTAMP
from grader.errors import CourseError
from grader.paths import Course

SPREAD = 3600.0  # seconds: files packed or copied at one go have times that lie closer together
Ask = Callable[[Question], dict[str, str]]


@dataclass
class Collected:
    """By what was done, the students' ids; then what is open, what else is to be known, who has no file at all, for
    whom nothing says when, and for whom only the time of the file does."""

    done: dict[str, list[str]] = field(default_factory=lambda: {what: [] for what in (NEW, REPLACED, SAME, OLDER)})
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    without_time: list[str] = field(default_factory=list)
    by_file: list[str] = field(default_factory=list)


def collect(
    course: Course,
    lesson: str,
    source: Path,
    roster: Path | None = None,
    who: Path | None = None,
    ask: Ask | None = None,
    file_times: bool = True,
) -> Collected:
    """Puts what is clear into submitted/STUDENT/LESSON, and says what is not.

    roster   the platform's list of people (default: the students in the gradebook)
    who      a table of answers; what is still open is written into it
    ask      asked for each question; gives answers, or none
    file_times   whether the times of files may count, where nothing else says when

    Raises CourseError if the source, the roster or the answers cannot be used.
    """
    names, book = course.notebooks(lesson), Book(course, lesson)
    for name in names:
        course.release(lesson, name)  # by which the lesson's notebooks are known
    with in_one_sentence(course, book.directory.db_url), only_grader(course):
        with book.open() as opened:
            known = from_gradebook(opened)
        people = _people(roster, known)
        found, others = _found(course, lesson, source, Who(people, [*names, lesson]))
        work = _Collecting(course, lesson, names, people, found)
        work.ordered = work.ordered and file_times
        if who is not None and who.is_file():
            work.answers |= read_answers(who, [one.student for one in [*people, *known]])
        done = work.run(ask)
        done.notes += others
        with book.open() as opened:
            note_people(opened, [one for one in people if one.student in work.placed])
    if who is not None:
        write_questions(who, done.questions, work.answers)
    return done


def _people(roster: Path | None, known: list[Person]) -> list[Person]:
    people = read_roster(roster, known) if roster else known
    if not people:
        raise CourseError(
            "The gradebook has no students yet, so nobody's name is known: give the list that you can download as "
            "--roster FILE (Canvas: the gradebook; Moodle: the grading worksheet or the list of participants)."
        )
    return people


def _found(course: Course, lesson: str, source: Path, who: Who) -> tuple[list[Found], list[str]]:
    """The files that are notebooks or could not be read, and sentences on the others."""
    which, found, others = Which(course), [], 0
    for item in items(source):
        match = which.match(item.content) if item.can_be_notebook and not item.problem else Match(why="")
        if item.can_be_notebook or item.problem:
            ours = match.lesson == lesson and not item.problem
            found.append(Found(item, who.fit(item.parts), match, ours))
        else:
            others += 1
    return found, [_left(others)] if others else []


def _left(others: int) -> str:
    if others == 1:
        return "one other file, which is no notebook, is left where it is"
    return f"{others} other files, which are no notebooks, are left where they are"


class _Collecting:
    def __init__(self, course: Course, lesson: str, names: list[str], people: list[Person], found: list[Found]):
        self.course, self.lesson, self.names = course, lesson, names
        self.people = {one.student: one for one in people}
        self.found, self.record = found, Record(course, lesson)
        self.answers = {one.item.shown: said for one in found if (said := self.record.answer(one.item))}
        self.ordered = _spread(one.item for one in found) > SPREAD
        self.placed: set[str] = set()

    def run(self, ask: Ask | None) -> Collected:
        done = Collected()
        try:
            self._place(self._plan(ask), done, ask)
        finally:
            for one in self.found:
                if one.item.shown in self.answers:
                    self.record.note_answer(one.item, self.answers[one.item.shown])
            self.record.save()
        asked = {student for question in done.questions for student in question.people}
        silent = self.people.keys() - self.placed - asked
        done.missing = sorted(who for who in silent if not (self.course.submitted / who / self.lesson).is_dir())
        return done

    def _plan(self, ask: Ask | None) -> Plan:
        """An answer can settle other questions, or bring new ones: each is asked once."""
        made, asked = plan(self.found, self.answers, self.names, self.ordered), set()
        while ask is not None and (new := [one for one in made.questions if one.shown not in asked]):
            asked.add(new[0].shown)
            if self._ask(ask, new[0]):
                made = plan(self.found, self.answers, self.names, self.ordered)
        return made

    def _ask(self, ask: Ask, question: Question) -> bool:
        """Whether there was an answer. One that is nobody's id is none."""
        new = {name: said for name, said in ask(question).items() if said == LEAVE or said in self.people}
        self.answers |= new
        return bool(new)

    def _place(self, made: Plan, done: Collected, ask: Ask | None) -> None:
        done.questions, done.notes = list(made.questions), list(made.notes)
        for (student, name), (found, said) in made.to.items():
            placing = Placing(self.course, self.lesson, student, name, found, self._when(student, found), said)
            what = placing.put(self.record)
            if isinstance(what, Question) and ask and self._ask(ask, what):
                said = self.answers[found.item.shown] == student
                what = replace(placing, said=True).put(self.record) if said else OLDER
            if isinstance(what, Question):
                done.questions.append(what)
            else:
                self.placed.add(student)
                done.done[what].append(student)
                done.notes += self._worth_knowing(placing)
                if not placing.has_time:
                    done.without_time.append(student)
                elif placing.when is not None and placing.when == found.item.when:
                    done.by_file.append(student)

    def _worth_knowing(self, placing: Placing) -> Iterator[str]:
        student, found = placing.student, placing.found
        if found.fit.late and not placing.has_time:
            yield f"{student}: Canvas says late, but not when: write the time into {placing.shown(TIMESTAMP)}"
        for other in self.record.others_with(student, placing.name, found.hash, found.item):
            yield f"{other} has the same file from before: remove submitted/{other}/{self.lesson} if it is {student}'s"

    def _when(self, student: str, found: Found) -> float | None:
        """When it was handed in: the platform's own word, or the file's time where that can be trusted."""
        said = self.people[student].when if student in self.people else ""
        try:
            if said.strip("- "):
                return parse_utc(said).timestamp()  # without a zone: this machine's
        except (ValueError, OverflowError):
            pass
        return found.item.when if self.ordered and not found.item.packed else None


def _spread(some: Iterable[Item]) -> float:
    times = [item.when for item in some if item.when is not None and not item.packed]
    return max(times) - min(times) if times else 0.0
