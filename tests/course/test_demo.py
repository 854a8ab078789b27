"""`make grade`: every score is the one the class was generated with, and a person can see that."""

import subprocess
import sys

import pytest

from grader.course.demo_class import members
from tests.course.classroom import LESSON, built


def test_the_class():
    made = members(LESSON, built())
    assert len({member.name for member in made}) == len(made) >= 12
    assert len({name for member in made for name in member.mistakes}) == 3
    assert {0, 20} < {member.expected for member in made}
    assert sum(member.late for member in made) == 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_command(course, tmp_path):
    folder = tmp_path / "demo"
    command = [sys.executable, "-m", "grader", "demo", "--keep", str(folder)]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every score and mistake is the generated one." in done.stdout
    names = [member.name for member in members(LESSON, built())]
    assert all((folder / "feedback" / name / LESSON / "rms_norm.html").is_file() for name in names)
    assert (folder / "grades.csv").read_text().count("\n") == len(names) + 1
    assert (
        (folder / "report.csv").is_file() and (folder / "report.html").is_file() and (folder / "gradebook.db").is_file()
    )
    again = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert again.returncode == 2 and "is not empty" in again.stderr
