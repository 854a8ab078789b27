"""Grade all submissions of a lesson into nbgrader's gradebook.

Give the same command again to continue one that was stopped: what is graded already is not graded twice. After a
test was mended, it grades everyone anew; a line says whose grades have changed. Grades and comments given by hand
stay as they are.

Every submission runs behind a wall: bubblewrap, with no network, no file of this machine but the system's programs
and Python, and limits on time, memory, processes and output. Where no wall can be built, nothing is graded, and
`python -m grader doctor` says why.

On a Dask cluster: `dask scheduler` on one machine, `dask worker tcp://HOST:8786 --nthreads 1` on each of the
others, once for each processor, in the same environment as here; then --scheduler tcp://HOST:8786. For tls:// Dask's
own configuration names the certificates, for all three: DASK_DISTRIBUTED__COMM__TLS__CA_FILE, and for this command
DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and …__CLIENT__KEY, or the same in ~/.config/dask/distributed.yaml.
"""

import argparse
import contextlib
import json
import os
import sys
from dataclasses import replace

from grader.course.ctrl_c import ends_at_once
from grader.paths import Course, find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="03_rms_norm, or any folder of notebooks in solutions/")
    parser.add_argument("--jobs", type=_positive, default=default_jobs(), help="notebooks side by side on this machine")
    parser.add_argument(
        "--scheduler", type=_address, metavar="URL", help="grade on this Dask cluster: tcp://… or tls://… (see above)"
    )
    parser.add_argument("--wait", action="store_true", help="if another grader is at work on the course, wait for it")
    parser.add_argument("--student", metavar="ID", help="only this student's submission")
    parser.add_argument("--exercise", metavar="ID", help="change only this exercise's grades")
    parser.add_argument("--again", action="store_true", help="run all notebooks again, even unchanged ones")
    parser.add_argument("--cell-seconds", type=float, help="then a cell is interrupted (default: 30)")
    parser.add_argument("--notebook-seconds", type=float, default=120.0, help="then a notebook is stopped")
    parser.add_argument(
        "--unsafe-no-sandbox", action="store_true", help="run submissions with your rights; results are stamped so"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no table: only what is wrong")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every submission has a verdict, else 1."""
    with ends_at_once("Stopped. What is graded is kept: give the same command again to continue."):
        graded, progress = _graded(args)
    if args.json:
        print(json.dumps({"lesson": args.lesson, "submissions": [one.to_json() for one in graded]}, indent=1))
    else:
        _show(args, graded, progress)
    return 1 if any(one.problem for one in graded) else 0


def _graded(args: argparse.Namespace) -> tuple:
    """The verdicts, and what was seen of the work."""
    import grader.lean  # noqa: F401

    course = find_course()
    with _begun_early(args) as pool:
        from grader.cli._progress import Progress
        from grader.course.autograde import autograde

        settings = _settings(args, course)
        if pool is not None:
            settings = replace(settings, pool=pool)
        with Progress(args.lesson, shown=not (args.json or args.quiet)) as progress:
            return autograde(course, args.lesson, settings, args.student, args.exercise, progress), progress


def _begun_early(args: argparse.Namespace) -> contextlib.AbstractContextManager:
    """The pool for grading on this machine, behind the wall."""
    if args.unsafe_no_sandbox or args.scheduler is not None:
        return contextlib.nullcontext()
    from grader.course.pool import begun_early

    return begun_early(args.jobs)


def _settings(args: argparse.Namespace, course: Course):
    from grader.course.assignment import limits
    from grader.course.autograde import Settings

    walled, usual = not args.unsafe_no_sandbox, limits(course)
    seconds = args.cell_seconds or usual.cell_seconds
    chosen = replace(usual, cell_seconds=seconds, notebook_seconds=args.notebook_seconds)
    settings = Settings(args.jobs, chosen, args.again, walled, wait=_waiting if args.wait else None)
    if args.scheduler is None:
        return settings
    from grader.course.cluster import cluster_pool

    return replace(settings, pool=cluster_pool(args.scheduler, walled))


def _waiting(who: str) -> None:
    print(f"Waiting for another grader: {who}.", file=sys.stderr, flush=True)


def _show(args: argparse.Namespace, graded: list, progress) -> None:
    from grader.course.report import overview

    shown = [one for one in graded if one.problem] if args.quiet else graded
    if shown:
        print(overview(shown))
    print(*progress.sentences, sep="\n", end="\n" if progress.sentences else "")
    if (changed := progress.changed()) is not None:
        print(changed)
    if any(one.sandboxed is False for one in graded):
        print("\nThe notebooks ran without a sandbox: with the rights of this user, on this machine.")
    if not args.quiet:
        print(_next(args.lesson))


def _next(lesson: str) -> str:
    """Marks come before feedback: without them a page says 0 points for a written answer."""
    from grader.course.export.grades import grades
    from grader.course.gradebook import Book

    with Book(find_course(), lesson).open() as book:
        waiting = sum(not one.complete for one in grades(book, lesson).values())
    steps = [f"nbgrader generate_feedback {lesson}", f"python -m grader report {lesson}"]
    if waiting:
        steps.insert(0, f"mark {waiting} by hand (`jupyter lab`, Nbgrader, Formgrader, Manual Grading)")
    return f"\nNext: {' · '.join(steps)}"


def default_jobs() -> int:
    """One more than processors: a notebook waits for its kernel, and a disk, now and then."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (usable or 1) + 1


def _address(text: str) -> str:
    if not text.startswith(("tcp://", "tls://")):
        raise argparse.ArgumentTypeError(f"{text!r} does not begin with tcp:// or tls://")
    return text


def _positive(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError(text)
    return value
