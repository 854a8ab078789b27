"""The student wheel of a class: what students need, the released lessons, and recorded answers as data."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from grader.author.build import build
from grader.author.student_files import student_files
from grader.errors import CourseError
from grader.exercises import exercise, ids
from grader.judge import recorded
from grader.paths import Course, short_name
from grader.student.check import PUBLIC_SEED

# The distribution keeps the course's name, so that pip never has both editions' files in one environment;
# the version says which one it is.
EDITION = "class"
PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = {name}
version = {version}
description = {description}
license = {license}
requires-python = {python}
dependencies = {dependencies}

[tool.setuptools]
packages = {packages}

[tool.setuptools.package-data]
"*" = ["**/*"]
"""
# The oldest date that a zip archive can hold: the same course gives the same bytes on any day.
EPOCH = "315532800"


def build_wheel(course: Course, out: Path, lessons: Sequence[str] = ()) -> Path:
    """Build the wheel into `out` and return its path. lessons: only these; default: all.

    Raises CourseError if a lesson or the wheel fails.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        stage(course, Path(folder), lessons)
        return out / _run_setuptools(Path(folder), out.resolve())


def stage(course: Course, folder: Path, lessons: Sequence[str] = ()) -> None:
    """Lay out everything that goes into the wheel, and the pyproject.toml that packs it. lessons: as above."""
    for lesson in lessons:
        course.source(lesson)  # one that is not there is the first thing to say
    for name in student_files(course.root):
        _copy(course.root / name, folder / name)
    for lesson in lessons or course.lesson_names():
        release = folder / "lessons" / lesson / f"{short_name(lesson)}.ipynb"
        release.parent.mkdir()
        release.write_bytes(build(course, lesson).release)
    for exercise_id in recordable():
        recorded.write(folder / "grader" / "recorded", exercise_id, (PUBLIC_SEED,))
    (folder / "pyproject.toml").write_text(_project(course, folder), encoding="utf-8")


def recordable() -> list[str]:
    """The exercises whose answers can be recorded on this machine. What is left out is extra credit."""
    return [exercise_id for exercise_id in ids() if not exercise(exercise_id).missing()]


def requirements(course: Course) -> list[str]:
    """The course's dependencies, each with its version from constraints.txt."""
    names = tomllib.loads((course.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    pins = re.findall(r"^([\w.-]+)==(\S+)", (course.root / "constraints.txt").read_text(encoding="utf-8"), re.M)
    versions = {_normal(name): version for name, version in pins}
    missing = [name for name in names if _normal(name) not in versions]
    if missing:
        raise CourseError(f"constraints.txt has no version for {', '.join(missing)}: pin it there first.")
    return [f"{name}=={versions[_normal(name)]}" for name in names]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _project(course: Course, folder: Path) -> str:
    project = tomllib.loads((course.root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = sorted(path.parent.relative_to(folder) for path in folder.rglob("__init__.py"))
    fields = {
        "name": project["name"],
        "version": f"{project['version']}+{EDITION}",
        "description": project["description"],
        "license": project["license"],
        "python": project["requires-python"],
        "dependencies": requirements(course),
        "packages": [".".join(package.parts) for package in packages],
    }
    # A string or a list of strings is written the same in JSON and in TOML.
    return PROJECT.format(**{key: json.dumps(value) for key, value in fields.items()})


def _run_setuptools(folder: Path, out: Path) -> str:
    """Call the build backend in a process of its own; no pip and no network is needed. The file's name."""
    code = "import sys, setuptools.build_meta as backend; print(backend.build_wheel(sys.argv[1]), end='')"
    done = subprocess.run(
        [sys.executable, "-c", code, str(out)],
        cwd=folder,
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CourseError(f"setuptools could not build the student wheel:\n{done.stderr.strip()}")
    return done.stdout.splitlines()[-1]
