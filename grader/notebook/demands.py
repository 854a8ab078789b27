"""What a frame's graded cells must be, so that a score can be had for each."""

import re
from collections.abc import Iterator

from grader.errors import CourseError
from grader.exercises import exercise, ids
from grader.notebook.frame import CALL, CHECK, HIDDEN, exercise_of, grade_id, is_check, is_plain_test, nbgrader

ANY_CALL = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")


def demand_gradable(released: dict, lesson: str) -> None:
    """Raises CourseError, naming the cells of the released notebook that cannot be graded, and why."""
    found = [sentence for cell in filter(is_check, released["cells"]) for sentence in _problems(cell)]
    if found:
        raise CourseError(f"The released notebook of {lesson} cannot be graded: {'; '.join(found)}.")


def _problems(cell: dict) -> Iterator[str]:
    name = f"the cell {grade_id(cell)}"
    points = nbgrader(cell).get("points")
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < float("inf"):
        yield f"{name} has {points!r} points, which is no number of points"
    elif (chosen := exercise_of(cell)) is not None:
        if chosen not in ids():
            yield f"{name} checks {chosen!r}, which is not one of the exercises ({', '.join(ids())})"
        elif points != exercise(chosen).points:
            yield f"{name} has {points} points, and its exercise gives {exercise(chosen).points}"
    elif is_plain_test(cell):
        # Where a notebook is graded `check` does nothing, so a test that relies on it would pass everybody.
        source = cell["metadata"].get(HIDDEN, cell["source"])
        for called in {found for found in ANY_CALL.findall(source) if found in ids() or CALL.fullmatch(source.strip())}:
            yield f'{name} calls check("{called}"): such a cell is nothing but that call, and named {CHECK}{called}'
