"""A class for a journey: a course with one short lesson, an exchange folder, and the students' own environment."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from grader.author import wheel
from grader.paths import CONFIG, Course, find_course, short_name
from tests.author.empty_environment import environment_with
from tests.course.classroom import IDS, LESSON

PROJECT = find_course(Path(__file__)).root
SHORT = PROJECT / "tests" / "author" / "fixture" / LESSON / f"{short_name(LESSON)}.py"
COURSE_ID = "transformer-internals"
# nbgrader calls `alembic` by its name: it is to be run where the environment is activated, as the README says.
ACTIVATED = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
WRITTEN, POINTS, WRITTEN_POINTS = "written_why", 20, 5  # as the short lesson has them


@dataclass(frozen=True)
class School:
    """An instructor's course folder and the exchange folder that the class shares."""

    course: Course
    exchange: Path

    def run(self, module: str, *arguments: str) -> str:
        """Gives a command as the instructor does, in the course's folder; what it printed."""
        command, pipe = [sys.executable, "-m", module, *arguments], subprocess.PIPE
        done = subprocess.run(
            command, cwd=self.course.root, env=ACTIVATED, stdout=pipe, stderr=subprocess.STDOUT, text=True
        )
        assert done.returncode == 0, f"{module} {' '.join(arguments)}:\n{done.stdout}"
        return done.stdout

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.course.root / 'gradebook.db'}", COURSE_ID)

    def score(self, student: str) -> float:
        """The gradebook's score of a student for the lesson."""
        with self.gradebook() as book:
            return book.find_submission(LESSON, student).score


def school(folder: Path, exchange: Path | None = None) -> School:
    """A course with the short lesson, built, and an exchange, empty if not given, that its configuration names."""
    made = School(Course(folder / "course"), exchange or folder / "exchange")
    source = made.course.solutions / LESSON
    source.mkdir(parents=True)
    shutil.copy(SHORT, source)
    text = (PROJECT / CONFIG).read_text(encoding="utf-8")
    (made.course.root / CONFIG).write_text(f"{text}\n{exchange_line(made.exchange)}", encoding="utf-8")
    made.run("grader", "build", LESSON)
    return made


def exchange_line(folder: Path) -> str:
    """What everybody's nbgrader_config.py has to say in a class with an exchange."""
    return f"c.Exchange.root = {str(folder)!r}\n"


def student_edition(folder: Path) -> Path:
    """The student wheel, with recorded answers for the short lesson's exercises only: recording all takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wheel, "recordable", lambda: IDS)
        return wheel.build_wheel(Course(PROJECT), folder)


def student_python(folder: Path, *more: str) -> Path:
    """The Python of an environment with the student wheel, what it requires, nbgrader, and `more`."""
    wanted = [*wheel.requirements(Course(PROJECT)), "nbgrader", *more]
    python = environment_with(student_edition(folder), wanted, folder)
    # What pip puts beside the packages: pages, Lab's extensions and their settings, the kernel.
    for name in ("share/jupyter", "share/jupyterhub", "etc/jupyter"):
        if (there := Path(sys.prefix, name)).is_dir():
            (python.parents[1] / name).parent.mkdir(exist_ok=True)
            (python.parents[1] / name).symlink_to(there)
    looked = "import grader, importlib.util as u; print(grader.__file__, u.find_spec('grader.answers'))"
    environment = os.environ | {"PYTHONPATH": ""}
    found = subprocess.check_output([python, "-c", looked], cwd=folder, env=environment, text=True)
    assert found.startswith(str(folder)) and found.endswith("None\n"), f"not the students' edition: {found}"
    return python
