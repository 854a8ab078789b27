"""Open JupyterLab on your own copy of the lessons.

The lessons are copied to workspace/ the first time. Later starts bring new versions, say what has changed and never
overwrite your work. For another editor: with --copy-only the copy is made and nothing is started.

Exit status: that of JupyterLab; with --check-only 0, or 1 when something that is needed is missing.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from grader.errors import CourseError
from grader.paths import find_course


def add_arguments(parser) -> None:
    parser.add_argument("--workspace", type=Path, metavar="FOLDER", help="where your copy is (default: workspace)")
    parser.add_argument("--port", type=int, help="the server's port (default: 8888 or the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--quiz", action="store_true", help="open the quiz instead of the start page")
    parser.add_argument("--copy-only", action="store_true", help="only copy, for VS Code or another program")
    parser.add_argument("--check-only", action="store_true", help="only look at the machine; copy, start nothing")


def run(args) -> int:
    from grader.lab.environment import FAIL, environment

    lessons, workspace = _folders(args.workspace)
    lines = environment(workspace)
    print(*lines, sep="\n", flush=True)
    if args.check_only:
        return int(any(line.status == FAIL for line in lines))
    return _open(lessons, workspace, args)


def _open(lessons: Path, workspace: Path, args) -> int:
    from grader.lab import server, versions
    from grader.lab import workspace as copy

    changes = copy.refresh(lessons, workspace)
    print(f"\nYour copy of the lessons: {workspace}", *(f"  {line}" for line in copy.summary(changes)), sep="\n")
    quiz, start = _pages(workspace)
    if args.copy_only:
        print("Open start.ipynb in it with the program of your choice, and this Python as its kernel:", sys.executable)
        return 0
    if not versions.installed("jupyterlab"):
        raise CourseError("JupyterLab is not installed: run `python3 start.py lab`, which installs it.")
    first = (quiz if args.quiz else start).name
    print(f"JupyterLab opens {first}; stop it here with Ctrl-C.\n", flush=True)
    return server.serve(server.command(workspace, first, args.port, not args.no_browser), workspace)


def _pages(workspace: Path) -> Iterator[Path]:
    """The notebooks that are no lesson, written where they are not there: the quiz, and the start page."""
    from grader.lab import start
    from quiz import alone

    try:
        yield alone.write(workspace)
        yield start.write(workspace)
    except OSError as error:
        raise CourseError(f"Cannot write {error.filename}: {error.strerror}.") from error


def _folders(chosen: Path | None) -> tuple[Path, Path]:
    """The lessons (in a class: those in the installed package) and the workspace."""
    try:
        course = find_course()
        lessons, workspace = course.lessons, course.root / "workspace"
    except CourseError:
        import lessons as package

        lessons, workspace = Path(package.__file__).parent, Path.cwd() / "workspace"
    return lessons, (chosen or workspace).expanduser().resolve()
