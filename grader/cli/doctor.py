"""What this machine can do, and what to do where it cannot.

Exit status: 0, or 1 when something that is needed is missing ([FAIL]).
"""

from pathlib import Path


def add_arguments(parser) -> None:
    parser.add_argument("--workspace", type=Path, default=Path("workspace"), metavar="FOLDER")


def run(args) -> int:
    from grader.lab.environment import FAIL, environment
    from grader.lab.instructor import instructor

    lines = [*environment(args.workspace.resolve()), *instructor()]
    print(*lines, sep="\n")
    return int(any(line.status == FAIL for line in lines))
