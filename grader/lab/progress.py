"""How far a student is: from the log of checks and the quiz's log in a workspace. Nothing is written here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.lab.syllabus import CORE, Lesson
from grader.student import log


@dataclass(frozen=True)
class Progress:
    """A lesson and what is done of it. The quiz's numbers are questions; `right` at the last round's first try."""

    lesson: Lesson
    passed: tuple[str, ...]  # exercises that had full marks once
    tried: tuple[str, ...]  # and those that had less
    questions: int = 0
    answered: int = 0
    right: int = 0
    due: int = 0

    @property
    def done(self) -> bool:
        """All checks passed; of a lesson without exercises, all questions answered."""
        if self.lesson.exercises:
            return set(self.lesson.exercises) <= set(self.passed)
        return 0 < self.questions == self.answered

    @property
    def begun(self) -> bool:
        return bool(self.passed or self.tried or self.answered)

    @property
    def next_exercise(self) -> str | None:
        """The first that has not had full marks."""
        return next((name for name in self.lesson.exercises if name not in self.passed), None)


def of_workspace(lessons: Sequence[Lesson], workspace: Path, now: datetime | None = None) -> list[Progress]:
    """Where the student of a workspace stands with each lesson."""
    best, quiz = log.best_scores(log.place(workspace)), _quiz(workspace, now or datetime.now(UTC))
    return [_one(lesson, best, quiz.get(lesson.name, {})) for lesson in lessons]


def next_lesson(progress: Sequence[Progress]) -> Progress | None:
    """What to do now: a core lesson that is not done, in order; then the electives. None when all is done."""
    waiting = [one for one in progress if not one.done]
    return min(waiting, key=lambda one: (one.lesson.kind != CORE, one.lesson.name), default=None)


def _one(lesson: Lesson, best: dict[str, float], quiz: dict[str, int]) -> Progress:
    names = [name for name in (*lesson.exercises, *lesson.extra) if name in best]
    passed = tuple(name for name in names if best[name] >= 1)
    return Progress(lesson, passed, tuple(name for name in names if best[name] < 1), **quiz)


def _quiz(workspace: Path, now: datetime) -> dict[str, dict[str, int]]:
    """Counts by lesson; {} where the bank cannot be read, which the quiz itself says better."""
    from quiz import QuizError
    from quiz.bank import load_all
    from quiz.reporting import of_person
    from quiz.store import FileStore, place

    try:
        said = of_person(FileStore(place(workspace)).events(), load_all(), now)
    except QuizError:
        return {}
    due = Counter(key.partition("/")[0] for key in said["due"])
    names = ("questions", "answered", "right")
    return {one["lesson"]: {name: one[name] for name in names} | {"due": due[one["lesson"]]} for one in said["lessons"]}
