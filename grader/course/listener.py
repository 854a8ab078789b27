"""What whoever shows the progress of grading is told."""

from grader.course.changes import Change
from grader.notebook.graded import Graded


class Listener:
    """Is told what happens while a class is graded. This one does not listen."""

    def migrated(self, sentence: str) -> None:
        """The gradebook followed a change of the lesson."""

    def begun(self, submissions: int) -> None:
        """So many are going to be graded."""

    def saved(self, student: str, changes: list[Change] | None) -> None:
        """A result is in the gradebook. changes: of a student who was graded before; None for a new one."""

    def graded(self, one: Graded) -> None:
        """A submission is done, with a verdict or without."""
