"""Grade all submissions of a lesson into nbgrader's gradebook.

Give the same command again to continue one that was stopped: what is graded already is not graded twice.
"""

import argparse
import json
import os
import sys

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, help="notebooks side by side")
    parser.add_argument("--student", metavar="ID", help="only this student's submission")
    parser.add_argument("--again", action="store_true", help="run all notebooks again, even unchanged ones")
    parser.add_argument("--cell-seconds", type=float, default=30.0, help="then a cell is interrupted")
    parser.add_argument("--notebook-seconds", type=float, default=120.0, help="then a notebook is stopped")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every submission has a verdict, else 1."""
    from tqdm import tqdm

    from grader.course.autograde import Settings, autograde
    from grader.notebook import Limits

    limits = Limits(cell_seconds=args.cell_seconds, notebook_seconds=args.notebook_seconds)
    settings = Settings(workers=args.jobs, limits=limits, again=args.again)
    hidden = args.json or not sys.stderr.isatty()
    with tqdm(disable=hidden, unit="notebook", desc=args.lesson, file=sys.stderr) as bar:

        def tell(total: int, one) -> None:
            bar.total = total
            bar.update()

        graded = autograde(find_course(), args.lesson, settings, args.student, tell)
    _show(args, graded)
    return 1 if any(one.problem for one in graded) else 0


def _show(args: argparse.Namespace, graded: list) -> None:
    from grader.course.report import overview

    if args.json:
        print(json.dumps({"lesson": args.lesson, "submissions": [one.to_json() for one in graded]}, indent=1))
        return
    print(overview(graded))
    if any(one.sandboxed is False for one in graded):
        print("\nThe notebooks ran without a sandbox: with the rights of this user, on this machine.")
    print(f"\nNext: nbgrader generate_feedback {args.lesson} · python -m grader report {args.lesson}")


def _positive(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError(text)
    return value
