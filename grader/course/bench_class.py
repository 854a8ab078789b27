"""A class of any size for measuring: right answers, unusual ones, mistakes and untouched cells, drawn by a seed."""

from collections.abc import Iterator
from random import Random

from grader.answers import of
from grader.course.demo_class import alone, filled, source
from grader.exercises import some_of_lesson
from grader.notebook.frame import dump, is_experiment, load
from grader.probe import Exercise

# Of ten exercises handed in: about half right, a third wrong, the rest not attempted.
KINDS = ("right", "right", "right", "variant", "variant", "mistake", "mistake", "mistake", "mistake", "untouched")
MOST = 12  # of each kind and exercise: more texts make no other work


# What one in so many is in place of an answer, for classes with hostile and broken work. (What takes all the memory
# that a notebook may have, as a flood of output does, is not among them: a measurement would show nothing else. Those
# are in the red team.)
SPOILED = (
    "while True:\n    pass",
    "import os\nos._exit(1)",
    "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "import os\nwhile True:\n    os.fork()",
    "x = [0] * 10**11",
    "for _ in range(10**5):\n    print()",
    "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "def f(:",
)


def with_spoiled(lesson: str, release: bytes, students: int, one_in: int) -> Iterator[tuple[str, bytes]]:
    """As `hand_ins`, and every so many-th is hostile, or a file cut short."""
    frame, first = without_experiments(release), some_of_lesson(lesson)[0].id
    for number, (name, content) in enumerate(hand_ins(lesson, release, students)):
        turn, left = divmod(number, one_in)
        if left != one_in - 1:
            yield name, content
        elif (which := turn % (len(SPOILED) + 1)) < len(SPOILED):
            yield name, filled(frame, {first: SPOILED[which]})
        else:
            yield name, content[: len(content) // 2]


def hand_ins(lesson: str, release: bytes, students: int) -> Iterator[tuple[str, bytes]]:
    """Name and notebook of each student, without the experiments; the same for the same release."""
    random, frame = Random(lesson), without_experiments(release)
    texts = {exercise.id: _texts(exercise) for exercise in some_of_lesson(lesson)}
    for number in range(students):
        work = {name: random.choice(kinds[random.choice(KINDS)]) for name, kinds in texts.items()}
        chosen = {name: text for name, text in work.items() if text is not None}
        yield f"student{number:04}", filled(frame, chosen, "It depends on what is compared.")


def without_experiments(release: bytes) -> bytes:
    notebook = load(release)
    return dump(notebook | {"cells": [cell for cell in notebook["cells"] if not is_experiment(cell)]})


def _texts(exercise: Exercise) -> dict[str, list[str | None]]:
    known = of(exercise.id)
    mistakes = [m.implementation for m in known.mistakes]
    kinds = {"right": [known.reference], "variant": list(known.variants.values()), "mistake": mistakes}
    return {"untouched": [None]} | {kind: _standing(exercise, some) for kind, some in kinds.items()}


def _standing(exercise: Exercise, implementations: list) -> list[str | None]:
    """The texts of those that need nothing but what the lesson imports."""
    texts = [source(exercise, implementation) for implementation in implementations[:MOST]]
    return [text for text in texts if alone(exercise, text) is not None]
