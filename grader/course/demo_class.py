"""A small class made from a lesson, with everything in it that real classes hand in."""

import inspect
import re
from dataclasses import dataclass, field

import torch

from grader.answers import of
from grader.errors import CourseError
from grader.exercises import some_of_lesson
from grader.judge import Verdict, judge
from grader.notebook.frame import dump, grade_id, is_solution, load
from grader.probe import Exercise
from grader.probe.run import run

WARNING = (
    "import sys\nimport warnings\n\nwarnings.warn('deprecated', stacklevel=1)\nsys.stderr.write('careful\\n')\n\n\n"
)
ANSWER = "In my own words: it depends on what is compared, as the table above shows."


@dataclass(frozen=True)
class Member:
    """One student: what is handed in, and what has to come out.

    expected   points of the exercises (a written answer is a person's to grade)
    mistakes   the mistakes that must be named
    late       handed in after the due date
    """

    name: str
    about: str
    content: bytes = field(repr=False)
    expected: int
    mistakes: tuple[str, ...] = ()
    late: bool = False


def members(lesson: str, release: bytes) -> list[Member]:
    """The class. The work is that of the lesson's own answers: right ones, variants and known mistakes."""
    exercises = some_of_lesson(lesson)
    return [*_right(exercises, release), *_wrong(exercises, release), *_accidents(exercises, release)]


def _right(exercises: list[Exercise], release: bytes) -> list[Member]:
    all_right = {e.id: source(e, of(e.id).reference) for e in exercises}
    unusual = {e.id: _right_text(e) for e in exercises}
    all_but_last = {e.id: all_right[e.id] for e in exercises[:-1]}
    loud = all_right | {exercises[0].id: WARNING + all_right[exercises[0].id]}
    points = sum(e.points for e in exercises)
    return [
        Member("ada", "all right, with a written answer", filled(release, all_right, ANSWER), points),
        Member("ben", "right by unusual roads", filled(release, unusual), points),
        Member("carl", "the last exercise not attempted", filled(release, all_but_last), _points(exercises[:-1])),
        Member("dora", "right, with warnings on stderr", filled(release, loud), points),
        Member("emil", "right, an hour late", filled(release, all_right, ANSWER), points, late=True),
    ]


def _wrong(exercises: list[Exercise], release: bytes) -> list[Member]:
    """One known mistake each, everything else right."""
    right = {e.id: source(e, of(e.id).reference) for e in exercises}
    made = []
    for number, name in enumerate(("fay", "gus", "hal")):
        exercise = exercises[number % len(exercises)]
        text, verdict = _wrong_text(exercise, skip=4 + number // len(exercises))
        expected = _points(exercises) - exercise.points + verdict.score
        about = f"{exercise.id}: {verdict.mistake}"
        work = filled(release, right | {exercise.id: text})
        made.append(Member(name, about, work, expected, (verdict.mistake,)))
    return made


def _wrong_text(exercise: Exercise, skip: int) -> tuple[str, Verdict]:
    """A known mistake as a student would write it, and what it is worth when judged without any notebook.

    skip   how many to pass over, so that not everyone makes the first
    """
    known = of(exercise.id).mistakes
    for mistake in known[skip:] + known[:skip]:
        text = source(exercise, mistake.implementation)
        verdict = alone(exercise, text)
        # Some build on another answer of their module, and do not stand alone.
        if verdict is not None and verdict.mistake == mistake.name:
            return text, verdict
    raise CourseError(f"No mistake of {exercise.id} can be told from its text alone.")


def _right_text(exercise: Exercise) -> str:
    """The most unusual right answer that stands alone: the last that does."""
    texts = [source(exercise, variant) for variant in of(exercise.id).variants.values()]
    verdicts = ((text, alone(exercise, text)) for text in reversed(texts))
    return next(text for text, verdict in verdicts if verdict is not None and verdict.status == "passed")


def alone(exercise: Exercise, text: str) -> Verdict | None:
    """The verdict on a text by itself, with what every lesson imports; None if it does not even define its name."""
    names = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "__name__": "demo"}
    try:
        exec(text, names)
    except NameError:
        return None
    return judge(exercise.id, run(exercise, names[exercise.name], seed=0), seed=0)


def _accidents(exercises: list[Exercise], release: bytes) -> list[Member]:
    right = {e.id: source(e, of(e.id).reference) for e in exercises}
    first, last = exercises[0], exercises[-1]
    broken = {
        "ida": ("a syntax error in the first", right | {first.id: f"def {first.name}(:\n    pass"}),
        "jim": ("an endless loop in the first", right | {first.id: "while True:\n    pass"}),
        "kay": ("ends Python in the last", right | {last.id: "import os\n\nos._exit(1)"}),
    }
    without_first, without_last = _points(exercises[1:]), _points(exercises[:-1])
    expected = {"ida": without_first, "jim": without_first, "kay": without_last}
    return [
        *(Member(n, about, filled(release, work), expected[n]) for n, (about, work) in broken.items()),
        Member("lea", "handed in untouched", release, 0),
        Member("max", "a broken file", release[: len(release) // 2], 0),
    ]


def _points(exercises: list[Exercise]) -> int:
    return sum(exercise.points for exercise in exercises)


def source(exercise: Exercise, implementation: object) -> str:
    """An answer's text with the helpers of its module that it uses, as a student would have them in a cell."""
    text = of(exercise.id).source(implementation)
    module = inspect.getmodule(implementation)
    helpers = {name: value for name, value in vars(module).items() if inspect.isfunction(value) and name[0] == "_"}
    used = [value for name, value in helpers.items() if re.search(rf"\b{name}\b", text)]
    return "\n\n".join([*map(inspect.getsource, used), text])


def filled(release: bytes, work: dict[str, str], answer: str | None = None) -> bytes:
    """The released notebook as a student saves it: solution cells with the work, written answers if given."""
    notebook = load(release)
    for cell in filter(is_solution, notebook["cells"]):
        if grade_id(cell) in work:
            cell["source"] = work[grade_id(cell)]
        elif answer is not None and cell["cell_type"] == "markdown":
            cell["source"] = answer
    return dump(notebook)
