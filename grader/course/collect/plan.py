"""Which file of a download goes where, and what has to be asked first. Decides; writes nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.course.collect.archive import Item
from grader.course.collect.record import content_hash
from grader.course.collect.which import Match
from grader.course.collect.who import Fit
from grader.errors import CourseError

LEAVE = "-"  # the answer for a file that is nobody's
SURE = 60.0  # seconds: two files saved in a shorter time are in no order that one could trust


@dataclass(frozen=True)
class Found:
    """A file that is a notebook, or was meant as one: whose it is, and what it is."""

    item: Item
    fit: Fit
    match: Match
    ours: bool

    @property
    def hash(self) -> str:
        return content_hash(self.item.content)


@dataclass(frozen=True)
class Question:
    """What is not clear. files: those that it is about; people: ids of who could be meant."""

    why: str
    files: tuple[Found, ...]
    people: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return ", ".join(found.item.shown for found in self.files)


@dataclass
class Plan:
    """to: (student, notebook's name) -> the file for it, and whether the instructor has said so."""

    to: dict[tuple[str, str], tuple[Found, bool]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def plan(found: Iterable[Found], answers: dict[str, str], names: list[str], ordered: bool) -> Plan:
    """found: in the download's order. answers: a file as shown -> student or LEAVE. names: of the lesson's notebooks.
    ordered: whether the times of the download's files say when they were handed in.

    Raises CourseError if two files are answered to be the same notebook of one student.
    """
    made = Plan()
    claims: dict[tuple[str, str], list[Found]] = {}
    said: dict[tuple[str, str], Found] = {}
    useless: dict[str, list[Found]] = {}
    for one in found:
        answer = answers.get(one.item.shown)
        if answer == LEAVE:
            continue
        if answer is not None:
            _say(said, (answer, _name(one, names)), one)
        elif one.ours and one.fit.person:
            claims.setdefault((one.fit.person.student, one.match.name), []).append(one)
        elif one.ours:
            made.questions.append(Question(one.fit.why, (one,), tuple(p.student for p in one.fit.people)))
        else:
            useless.setdefault(one.fit.person.student if one.fit.person else "", []).append(one)
    for where in sorted(claims.keys() | said.keys()):
        _settle(made, where, claims.get(where, []), said.get(where), ordered)
    _not_ours(made, useless, {student for student, _ in [*made.to, *_asked(made)]})
    return made


def _say(said: dict, where: tuple[str, str], one: Found) -> None:
    if where in said and said[where].hash != one.hash:
        raise CourseError(
            f"Two files are answered to be {where[0]}'s {where[1]}: {said[where].item.shown} and {one.item.shown}. "
            f"Answer {LEAVE} for one of them."
        )
    said[where] = one


def _name(one: Found, names: list[str]) -> str:
    """Of several notebooks, which this is. Raises CourseError if that cannot be told."""
    if one.ours or len(names) == 1:
        return one.match.name if one.ours else names[0]
    raise CourseError(f"{one.item.shown} is none of {', '.join(names)} by its cells: answer {LEAVE} for it.")


def _settle(made: Plan, where: tuple[str, str], claims: list[Found], said: Found | None, ordered: bool) -> None:
    if said is not None:
        made.to[where] = said, True
        return
    different = list({one.hash: one for one in claims}.values())
    latest = different[0] if len(different) == 1 else _latest(different, ordered)
    if latest is None:
        why = f"{len(different)} different notebooks of {where[0]}, and nothing says which is the last"
        made.questions.append(Question(why, tuple(different), (where[0],)))
        return
    made.to[where] = latest, False
    if len(different) > 1:
        made.notes.append(f"{where[0]}: of {len(different)} notebooks, the one saved last: {latest.item.shown}")


def _latest(several: list[Found], ordered: bool) -> Found | None:
    """The one that was saved last, if that is sure: of files in one archive of the student's own, or of a download
    whose times can be trusted."""
    own = all(one.item.packed for one in several) and len({one.item.parts[:1] for one in several}) == 1
    handed = ordered and not any(one.item.packed for one in several)
    if not (own or handed) or any(one.item.when is None for one in several):
        return None
    *_, second, last = sorted(several, key=lambda one: one.item.when)
    return last if last.item.when - second.item.when >= SURE else None


def _asked(made: Plan) -> list[tuple[str, str]]:
    return [(student, "") for question in made.questions for student in question.people]


def _not_ours(made: Plan, useless: dict[str, list[Found]], settled: set[str]) -> None:
    """Notebooks that are not the lesson's: a question, but where the same person's right one is there too."""
    for student, several in useless.items():
        for one in several:
            if student in settled:
                made.notes.append(f"{student}: {one.item.shown} is left: {_what(one)}")
            else:
                people = (student,) if student else tuple(person.student for person in one.fit.people)
                made.questions.append(Question(_what(one), (one,), people))


def _what(one: Found) -> str:
    if one.item.problem:
        return one.item.problem
    return f"it is the notebook of {one.match.lesson}" if one.match.lesson else one.match.why
