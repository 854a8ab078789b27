"""Which files a class gets. The one list; what it does not name is not in the student wheel.

Left out on purpose: grader/answers (references and mistakes), grader/student/reveal.py (shows them),
grader/author, grader/course, grader/notebook, grader/sandbox and what of grader/lab looks at them (an instructor's
work), and every lesson's source.
"""

from collections.abc import Iterator
from pathlib import Path

STUDENT_FILES = (
    "LICENSE",
    "grader/__init__.py",
    "grader/__main__.py",
    "grader/errors.py",
    "grader/files.py",
    "grader/paths.py",
    "grader/table.py",
    "grader/cli/__init__.py",
    "grader/cli/check.py",
    "grader/cli/doctor.py",
    "grader/cli/lab.py",
    "grader/exercises/**/*.py",
    "grader/judge/**/*.py",
    "grader/lab/__init__.py",
    "grader/lab/changed.py",
    "grader/lab/environment.py",
    "grader/lab/progress.py",
    "grader/lab/server.py",
    "grader/lab/start.py",
    "grader/lab/start_page.py",
    "grader/lab/syllabus.py",
    "grader/lab/versions.py",
    "grader/lab/workspace.py",
    "grader/probe/**/*.py",
    "grader/student/__init__.py",
    "grader/student/check.py",
    "grader/student/find.py",
    "grader/student/hint.py",
    "grader/student/load.py",
    "grader/student/log.py",
    "grader/student/page.py",
    "grader/student/rounds/**/*",
    "grader/student/source.py",
    "grader/student/watching.py",
    "lessons/__init__.py",
    "lessons/support/**/*",
    "quiz/**/*",
)


def student_files(root: Path) -> Iterator[Path]:
    """The files of the list that are there, as paths below `root`, in order."""
    found = {path for pattern in STUDENT_FILES for path in root.glob(pattern) if path.is_file()}
    return (path.relative_to(root) for path in sorted(found) if "__pycache__" not in path.parts)
