"""The exercises, one package a lesson (`lesson_03_rms_norm`), one module an exercise: contract, cases, probe.

Discovered, never listed: a module with an `EXERCISE` is one. What is right and what is wrong stands in
`grader/answers/`, which students in a class do not have; no judgement is made here.
"""

import difflib
import functools
import importlib
import pkgutil
import traceback
from pathlib import Path
from types import ModuleType

from grader.errors import CourseError
from grader.probe import Exercise

PREFIX = "lesson_"


def load(name: str) -> ModuleType:
    """The module that an author wrote. Raises CourseError, with file and line, where it is broken.

    One that is not there stays a ModuleNotFoundError: a class edition has no answers.
    """
    try:
        return importlib.import_module(name)
    except CourseError:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("grader."):
            raise
        raise CourseError(_where(error, name)) from error


def _where(error: Exception, name: str) -> str:
    """The sentence for it: the line is the error's own for bad syntax, else the last one of the author's files."""
    if isinstance(error, SyntaxError) and error.filename:
        file, line, says = error.filename, error.lineno, error.msg
    else:
        steps = traceback.extract_tb(error.__traceback__)
        last = next((step for step in reversed(steps) if PREFIX in step.filename), steps[-1])
        file, line, says = last.filename, last.lineno, error
    return (
        f"{Path(file).as_posix()}, line {line}: {type(error).__name__}: {says}. "
        f"Until it is mended, {name} cannot be loaded."
    )


@functools.cache
def _all() -> dict[str, Exercise]:
    found: dict[str, Exercise] = {}
    for lesson in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith(PREFIX)):
        package = importlib.import_module(f"{__name__}.{lesson}")
        for module in pkgutil.iter_modules(package.__path__):
            chosen = getattr(load(f"{package.__name__}.{module.name}"), "EXERCISE", None)
            if not isinstance(chosen, Exercise):
                raise CourseError(
                    f"grader/exercises/{lesson}/{module.name}.py has no `EXERCISE = Exercise(...)`: add it."
                )
            if chosen.id in found:
                raise CourseError(f"Two exercises have the id {chosen.id!r}; ids are unique in the course.")
            found[chosen.id] = chosen
    return found


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
        order = importlib.import_module(f"{__name__}.{PREFIX}{lesson}").ORDER
    except ModuleNotFoundError:
        return []
    return [exercise(name) for name in order]


def some_of_lesson(lesson: str) -> list[Exercise]:
    """The same, for who needs one at least. Raises CourseError for a lesson without any."""
    if found := of_lesson(lesson):
        return found
    raise CourseError(f"The lesson {lesson} has no exercise that `check` judges: choose another one.")
