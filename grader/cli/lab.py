"""Open JupyterLab on your own copy of the lessons.

The lessons are copied to workspace/ the first time. Later starts bring new versions and never overwrite your
work. Exit status: that of JupyterLab; with --check-only 0, or 1 when something that is needed is missing.
"""

from pathlib import Path

from grader.errors import CourseError
from grader.paths import find_course


def add_arguments(parser) -> None:
    parser.add_argument("--workspace", type=Path, metavar="FOLDER", help="where your copy is (default: workspace)")
    parser.add_argument("--port", type=int, help="the server's port (default: 8888 or the next free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--quiz", action="store_true", help="open the quiz instead of the first lesson")
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
    if not versions.installed("jupyterlab"):
        raise CourseError("JupyterLab is not installed: run `python3 start.py lab`, which installs it.")
    first = _quiz(workspace) if args.quiz else copy.first_notebook(lessons)
    print(f"JupyterLab opens {first}; stop it here with Ctrl-C.\n", flush=True)
    return server.serve(server.command(workspace, first, args.port, not args.no_browser), workspace)


def _quiz(workspace: Path) -> str:
    """The path, below the workspace, of the notebook that is only the quiz."""
    from quiz import alone

    try:
        return alone.write(workspace).name
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
