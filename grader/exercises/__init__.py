"""The exercises, one package a lesson (`lesson_03_rms_norm`), one module an exercise: contract, cases, probe.

Discovered, never listed: a module with an `EXERCISE` is one. What is right and what is wrong stands in
`grader/answers/`, which students in a class do not have; no judgement is made here.
"""

import difflib
import functools
import importlib
import pkgutil
from types import ModuleType

from grader.errors import CourseError
from grader.probe import Exercise, blame

PREFIX = blame.LESSON
HINTS = 3


def load(name: str) -> ModuleType:
    """The module that an author wrote. Raises CourseError, with file and line, where it is broken.

    One that is not there stays a ModuleNotFoundError: a class edition has no answers.
    """
    try:
        return importlib.import_module(name)
    except CourseError as error:
        raise CourseError(f"{blame.place(error)}: {error}") from error
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise
        raise CourseError(f"{blame.sentence(error)}. Until it is mended, {name} cannot be loaded.") from error


@functools.cache
def _all() -> dict[str, Exercise]:
    found: dict[str, Exercise] = {}
    for lesson in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith(PREFIX)):
        package = load(f"{__name__}.{lesson}")
        for module in pkgutil.iter_modules(package.__path__):
            chosen = getattr(load(f"{package.__name__}.{module.name}"), "EXERCISE", None)
            if not isinstance(chosen, Exercise):
                raise CourseError(
                    f"grader/exercises/{lesson}/{module.name}.py has no `EXERCISE = Exercise(...)`: add it."
                )
            _demand_sound(chosen, f"grader/exercises/{lesson}/{module.name}.py", lesson.removeprefix(PREFIX))
            if chosen.id in found:
                raise CourseError(f"Two exercises have the id {chosen.id!r}; ids are unique in the course.")
            found[chosen.id] = chosen
    return found


def _demand_sound(chosen: Exercise, file: str, lesson: str) -> None:
    """Raises CourseError where an exercise does not say what its place says, or has not its three hints."""
    if chosen.lesson != lesson:
        raise CourseError(f"{file}: `lesson` is {chosen.lesson!r}, but the file lies in the folder of {lesson!r}.")
    if isinstance(chosen.hints, str) or len(chosen.hints) != HINTS:
        found = "one text" if isinstance(chosen.hints, str) else len(chosen.hints)
        raise CourseError(
            f"{file}: `hints` is a tuple of {HINTS} texts, from a nudge to nearly the answer; it is {found}."
        )


def ids() -> list[str]:
    return list(_all())


def exercise(exercise_id: str) -> Exercise:
    """The exercise with this id. Raises CourseError, with the nearest id, for one that is not there."""
    if exercise_id in _all():
        return _all()[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), ids(), n=1, cutoff=0.4)
    guess = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(ids())}."
    raise CourseError(f"There is no exercise {exercise_id!r}.{guess}")


def of_lesson(lesson: str) -> list[Exercise]:
    """A lesson's exercises in the order in which the lesson sets them; none for a lesson without any."""
    try:
        order = getattr(load(f"{__name__}.{PREFIX}{lesson}"), "ORDER", None)
    except ModuleNotFoundError:
        return []
    if not isinstance(order, (tuple, list)):
        raise CourseError(
            f'grader/exercises/{PREFIX}{lesson}/__init__.py: ORDER is a tuple of ids, such as ("rms_norm",) with its '
            f"comma; it is {order!r}."
        )
    return [exercise(name) for name in order]


def some_of_lesson(lesson: str) -> list[Exercise]:
    """The same, for who needs one at least. Raises CourseError for a lesson without any."""
    if found := of_lesson(lesson):
        return found
    raise CourseError(f"The lesson {lesson} has no exercise that `check` judges: choose another one.")
