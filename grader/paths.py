"""Where a course lies on disk. The course directory is nbgrader's: the folder with nbgrader_config.py."""

import re
from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError

CONFIG = "nbgrader_config.py"
NUMBERED = re.compile(r"\d\d[a-z]?_\w+")  # 10b comes between 10 and 11
FOLDERS = "[0-9][0-9]*_*"  # those of lessons, for a glob


def short_name(lesson: str) -> str:
    """Without the number: "rms_norm" of "03_rms_norm"."""
    return lesson.partition("_")[2]


def number_of(lesson: str) -> str:
    """ "03" of "03_rms_norm"."""
    return lesson.partition("_")[0]


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
        found = {path.parent.name for path in self.solutions.glob(f"{FOLDERS}/*.py")}
        return sorted(name for name in found if NUMBERED.fullmatch(name))

    def notebooks(self, lesson: str) -> list[str]:
        """The names of an assignment's notebooks. A lesson has one, made from its .py; anybody's assignment has
        those that lie in its folder of solutions.

        Raises CourseError for one that is not there.
        """
        if self._is_lesson(lesson):
            return [short_name(lesson)]
        folder = self.solutions / lesson
        names = sorted(path.stem for path in folder.glob("*.ipynb")) if _plain_name(lesson) else []
        if not names:
            name = f"{short_name(lesson)}.py" if NUMBERED.fullmatch(lesson) else "NAME.ipynb"
            known = f"known lessons: {', '.join([*self.lesson_names(), *self.assignment_names()])}"
            raise CourseError(f"There is no {self.solutions.name}/{lesson}/{name}: {known}.")
        return names

    def assignment_names(self) -> list[str]:
        """Assignments that are notebooks made by hand, in order."""
        found = {path.parent.name for path in self.solutions.glob("*/*.ipynb")}
        return sorted(name for name in found if not self._is_lesson(name))

    def source(self, lesson: str, name: str | None = None) -> Path:
        """The hand-edited source: a lesson's .py, or an assignment's notebook of this name (default: its first).

        Raises CourseError for one that is not there.
        """
        names = self.notebooks(lesson)
        return self.solutions / lesson / f"{name or names[0]}.{'py' if self._is_lesson(lesson) else 'ipynb'}"

    def release(self, lesson: str, name: str | None = None) -> Path:
        """The student copy of a notebook. Raises CourseError for one that is not there."""
        names = self.notebooks(lesson)
        path = self.lessons / lesson / f"{name or names[0]}.ipynb"
        if not path.is_file():
            command = "python -m grader build" if self._is_lesson(lesson) else "nbgrader generate_assignment"
            remedy = f"make it with `{command} {lesson}`"
            raise CourseError(f"There is no {path.relative_to(self.root)}: {remedy}.")
        return path

    def _is_lesson(self, lesson: str) -> bool:
        return bool(NUMBERED.fullmatch(lesson)) and (self.solutions / lesson / f"{short_name(lesson)}.py").is_file()


def _plain_name(lesson: str) -> bool:
    """Whether it is a folder's name, and no path that leads elsewhere."""
    return Path(lesson).name == lesson and lesson not in ("", ".", "..")


def find_course(start: Path | None = None) -> Course:
    """The course that `start` (default: the working directory) lies in. Raises CourseError if none."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            return Course(folder)
    raise CourseError(
        f"{start} is not inside a course: no {CONFIG} in it or above it. Change to the course's folder first."
    )
