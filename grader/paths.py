"""Where a course lies on disk. The course directory is nbgrader's: the folder with nbgrader_config.py."""

from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError

CONFIG = "nbgrader_config.py"


@dataclass(frozen=True)
class Course:
    """A course directory and its folders, as nbgrader_config.py names them."""

    root: Path

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def lessons(self) -> Path:
        return self.root / "lessons"

    @property
    def submitted(self) -> Path:
        return self.root / "submitted"

    @property
    def autograded(self) -> Path:
        return self.root / "autograded"

    @property
    def state(self) -> Path:
        """What the grader itself keeps: the seed's secret, the results, the lock. Never committed."""
        return self.root / ".grader"

    def lesson_names(self) -> list[str]:
        """Lessons that have a source, in order: discovered, never listed."""
        return sorted(p.parent.name for p in self.solutions.glob("[0-9][0-9]_*/*.py"))

    def source(self, lesson: str) -> Path:
        """The hand-edited source of a lesson. Raises CourseError for a lesson that is not there."""
        return self._one(self.solutions, lesson, "py", f"known lessons: {', '.join(self.lesson_names())}")

    def release(self, lesson: str) -> Path:
        """The generated student copy of a lesson. Raises CourseError for one that is not there."""
        return self._one(self.lessons, lesson, "ipynb", f"make it with `python -m grader build {lesson}`")

    def _one(self, folder: Path, lesson: str, ending: str, remedy: str) -> Path:
        path = folder / lesson / f"{lesson[3:]}.{ending}"
        if not path.is_file():
            raise CourseError(f"There is no {path.relative_to(self.root)}: {remedy}.")
        return path


def find_course(start: Path | None = None) -> Course:
    """The course that `start` (default: the working directory) lies in. Raises CourseError if none."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            return Course(folder)
    raise CourseError(
        f"{start} is not inside a course: no {CONFIG} in it or above it. Change to the course's folder first."
    )
