"""What this machine can do, and what to do where it cannot.

Grading runs submissions behind a wall, which needs Linux and user namespaces. A container has to be started so that
it may make them; Ubuntu's AppArmor asks for a profile of bubblewrap; on macOS and Windows everything works but
grading: grade on a Linux machine, or in a virtual one.

Exit status: 0, or 1 when something that is needed is missing ([FAIL]).
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

INSTRUCTOR = "grader.lab.instructor"


def add_arguments(parser) -> None:
    parser.add_argument("--workspace", type=Path, default=Path("workspace"), metavar="FOLDER")


def run(args) -> int:
    from grader.lab.environment import FAIL, environment

    lines = environment(args.workspace.resolve())
    if find_spec(INSTRUCTOR) is not None:  # the edition for students grades nobody
        lines += import_module(INSTRUCTOR).instructor()
    print(*lines, sep="\n")
    return int(any(line.status == FAIL for line in lines))
