"""Which lesson's notebook a file is: by what stands in it, whatever it is called."""

from collections import Counter
from dataclasses import dataclass

from grader.errors import CourseError
from grader.notebook.frame import grade_id, is_check, is_solution, load
from grader.notebook.reading import Unreadable, read_cells
from grader.paths import Course


@dataclass(frozen=True)
class Match:
    """The notebook that a file is: a lesson's and its name; or why none can be told."""

    lesson: str | None = None
    name: str | None = None
    why: str = ""


class Which:
    """The released notebooks of a course, by the marks that only one of them has."""

    def __init__(self, course: Course):
        marks = {where: _marks(load(path.read_bytes())) for where, path in _released(course)}
        often = Counter(mark for some in marks.values() for mark in some)
        self.marks = {where: {mark for mark in some if often[mark] == 1} for where, some in marks.items()}

    def match(self, content: bytes) -> Match:
        try:
            cells = read_cells(content)
        except Unreadable as error:
            return Match(why=str(error))
        there = {cell.grade_id for cell in cells} | {cell.source.strip() for cell in cells if cell.kind == "code"}
        found = Counter({where: len(some & there) for where, some in self.marks.items()})
        (best, most), *others = [*found.most_common(2), (None, 0)]
        if not most:
            return Match(why="it is a notebook, but of no lesson of this course")
        if others[0][1] == most:
            return Match(why=f"it has cells of {best[0]} and of {others[0][0][0]}")
        return Match(*best)


def _released(course: Course):
    for lesson in sorted({path.parent.name for path in course.lessons.glob("*/*.ipynb")}):
        try:
            for name in course.notebooks(lesson):
                yield (lesson, name), course.release(lesson, name)
        except CourseError:  # released once, and no longer in the course
            continue


def _marks(released: dict) -> set[str]:
    """The ids of cells that are graded or answered, and the text of checks (for copies that lost their metadata)."""
    cells = [cell for cell in released["cells"] if is_check(cell) or is_solution(cell)]
    return {grade_id(cell) for cell in cells} | {cell["source"].strip() for cell in cells if is_check(cell)}
