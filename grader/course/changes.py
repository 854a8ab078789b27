"""What saving a result again changes for a student, and what an instructor has to look at again because of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook

from grader.notebook.frame import CHECK, grade_id


@dataclass(frozen=True)
class Change:
    """An automatic score that is another one now.

    by_hand   the score an instructor has given instead, which stays; None if there is none
    """

    exercise: str
    before: float
    after: float
    by_hand: float | None = None

    def __str__(self) -> str:
        scores = f"{self.exercise} {self.before:g} → {self.after:g}"
        return scores if self.by_hand is None else f"{scores}, but {self.by_hand:g} given by hand stays"


class Before:
    """A student's grades of a notebook before a result is saved."""

    def __init__(self, book: Gradebook, lesson: str, notebook: str, student: str):
        self._rows = list(book.find_submission_notebook(notebook, lesson, student).grades)
        self._were = {row.name: (row.auto_score, row.needs_manual_grade) for row in self._rows}

    def compared(self, old: NotebookNode | None, new: NotebookNode) -> list[Change] | None:
        """The automatic scores that have changed; None if nothing was graded before.

        nbgrader marks every grade given by hand for another look. Where nothing has changed that the person who
        gave it had seen, that mark is taken back.
        """
        changes = []
        for row in self._rows:
            before, waited = self._were[row.name]
            if before != row.auto_score and before is not None and row.auto_score is not None:
                changes.append(Change(row.name.removeprefix(CHECK), before, row.auto_score, row.manual_score))
            elif before == row.auto_score and row.manual_score is not None and _same_work(row, old, new):
                row.needs_manual_grade = waited
        graded = any(row.manual_score is not None or self._were[row.name][0] is not None for row in self._rows)
        return sorted(changes, key=lambda change: change.exercise) if graded else None


def _same_work(row: Grade, old: NotebookNode | None, new: NotebookNode) -> bool:
    """Whether what the grade is for stands as it stood: the answer, or for a check the whole notebook's code."""
    if old is None:
        return False
    check = row.auto_score is not None
    return _work(old, row.name, check) == _work(new, row.name, check)


def _work(notebook: NotebookNode, name: str, check: bool) -> list[str]:
    return [cell.source for cell in notebook.cells if (check and cell.cell_type == "code") or grade_id(cell) == name]


def in_a_line(changes: Iterable[tuple[str, list[Change]]], saved_before: int) -> str:
    """For how many of those who had a grade before it is another one now, and for whom."""
    of = "1 student who was" if saved_before == 1 else f"{saved_before} students who were"
    found = [(student, some) for student, some in changes if some]
    if not found:
        return f"Grades changed: none, of {of} graded before."
    said = "; ".join(f"{student} ({', '.join(map(str, some))})" for student, some in found)
    count = sum(len(some) for _, some in found)
    return f"Grades changed: {count}, for {len(found)} of {of} graded before: {said}."
