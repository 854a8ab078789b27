"""A lesson that changed after students were graded: what the gradebook can follow, and what it must refuse."""

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry, Notebook
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from grader.errors import CourseError
from grader.notebook.frame import grade_id

SHOWN = 12  # names in a sentence; a class may be large
KINDS = {"grade": is_grade, "solution": is_solution, "task": is_task}


def migrate(book: Gradebook, lesson: str, name: str, source: NotebookNode) -> list[str]:
    """Makes the gradebook's cells those of the source where nbgrader itself would not; what changed, in sentences.

    source   the lesson with nbgrader's metadata, as it is about to be saved

    Text and points may change, and cells with read-only text come and go: no grade or comment hangs on them. What
    is graded or answered may not, nor may points fall below a grade given by hand: CourseError, with the students.
    """
    try:
        notebook = book.find_notebook(name, lesson)
    except MissingEntry:
        return []
    if not notebook.submissions:
        return []
    _demand_same_cells(lesson, notebook, source)
    points = _points(lesson, notebook, source)
    _read_only_cells(book, lesson, notebook, source)
    return points


def _demand_same_cells(lesson: str, notebook: Notebook, source: NotebookNode) -> None:
    gone, new = set(), set()
    for kind, is_kind in KINDS.items():
        before = {cell.name for cell in getattr(notebook, f"{kind}_cells")}
        now = {grade_id(cell) for cell in source.cells if is_kind(cell)}
        gone, new = gone | (before - now), new | (now - before)
    if not gone and not new:
        return
    said = [f"{', '.join(sorted(names))} {what}" for names, what in ((gone, "gone"), (new, "new")) if names]
    by_hand = _marked_by_hand(notebook)
    lost = f"; given by hand and lost would be those of {_names(by_hand)}" if by_hand else ""
    raise CourseError(
        f"Graded or answered cells of {lesson} were added or removed ({'; '.join(said)}) after students were graded: "
        f"{_names(_students(notebook))}. Their grades cannot follow. What to do: take the change back; or put it into "
        f"a lesson with a new name; or give up all grades and comments of {lesson} and grade again "
        f"(`nbgrader db assignment remove {lesson} --force`{lost})."
    )


def _points(lesson: str, notebook: Notebook, source: NotebookNode) -> list[str]:
    """Sentences about points that change. Raises CourseError if grades given by hand are more than they."""
    now = {grade_id(c): float(c.metadata.nbgrader.points) for c in source.cells if is_grade(c) or is_task(c)}
    said = []
    for cell in [*notebook.grade_cells, *notebook.task_cells]:
        if cell.max_score == now[cell.name]:
            continue
        above = [g.notebook.student.id for g in cell.grades if (g.manual_score or 0) > now[cell.name]]
        if above:
            raise CourseError(
                f"{cell.name} of {lesson} now has {now[cell.name]:g} points, but grades given by hand are higher: "
                f"{_names(above)}. Lower them in formgrader first, or take the change back."
            )
        said.append(
            f"{cell.name} now has {now[cell.name]:g} points, it had {cell.max_score:g}: "
            "grades of students who are not graded again stay what they are."
        )
    return said


def _read_only_cells(book: Gradebook, lesson: str, notebook: Notebook, source: NotebookNode) -> None:
    now = {grade_id(cell): cell for cell in source.cells if _has_source(cell)}
    for row in list(notebook.source_cells):
        if row.name not in now:
            book.db.delete(row)
    for new in now.keys() - {row.name for row in notebook.source_cells}:
        cell = now[new]
        facts = {"cell_type": cell.cell_type, "locked": is_locked(cell), "source": cell.source}
        book.add_source_cell(new, notebook.name, lesson, **facts)
    book.db.commit()


def _has_source(cell: NotebookNode) -> bool:
    return is_grade(cell) or is_solution(cell) or is_task(cell) or is_locked(cell)


def _students(notebook: Notebook) -> list[str]:
    return [submitted.student.id for submitted in notebook.submissions]


def _marked_by_hand(notebook: Notebook) -> list[str]:
    return [
        submitted.student.id
        for submitted in notebook.submissions
        if any(grade.manual_score is not None or grade.extra_credit is not None for grade in submitted.grades)
        or any(comment.manual_comment for comment in submitted.comments)
    ]


def _names(students: list[str]) -> str:
    shown = sorted(students)[:SHOWN]
    more = len(students) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
