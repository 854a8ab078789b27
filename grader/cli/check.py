"""Check a plain Python file that defines an exercise's object.

With --watch it is checked again each time that you save it, until Ctrl-C. In your copy of the lessons the points are
remembered for the start page. Exit status: 0 for full marks, 1 for less, 2 when the file cannot be graded; with
--watch that of the last check.
"""

import argparse
import contextlib
import json
import linecache
import sys
from pathlib import Path

from grader.errors import CourseError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help='the id, as in check("rms_norm")')
    parser.add_argument("file", type=Path, help="a Python file that defines it, and defines or imports all it uses")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print the verdict as JSON")
    how.add_argument("--watch", action="store_true", help="check again each time that the file is saved")
    parser.add_argument("--seed", type=int, default=0, help="which inputs are drawn (default: 0)")


def run(args: argparse.Namespace) -> int:
    from grader.exercises import exercise

    # A wrong id, and what this machine lacks, are told before the file is run.
    if reason := exercise(args.exercise).missing():
        raise CourseError(reason)
    return _watch(args) if args.watch else _once(args)


def _once(args: argparse.Namespace) -> int:
    verdict = _verdict(args)
    print(json.dumps(_public(verdict), indent=2) if args.json else str(verdict), flush=True)
    return 0 if verdict.score == verdict.points else 1


def _watch(args: argparse.Namespace) -> int:
    """Checks at every save; what is wrong with the file is a sentence, and the next save is waited for."""
    from grader.student.watching import saves

    status = 2
    print(f"Watching {args.file}: save it to check it again, Ctrl-C to stop.", flush=True)
    try:
        for there in saves(args.file):
            status = _look(args, there)
    except KeyboardInterrupt:
        print("\nStopped watching.")
    return status


def _look(args: argparse.Namespace, there: bool) -> int:
    from datetime import datetime

    from grader.student.watching import forget_neighbours

    print(f"\n{datetime.now():%H:%M:%S}  ", end="")
    if not there:
        print(f"There is no file {args.file}, or it cannot be read: waiting for it.", flush=True)
        return 2
    linecache.checkcache()  # or lines would be those of the text before
    forget_neighbours(args.file.parent)
    try:
        return _once(args)
    except CourseError as error:
        print(error, flush=True)
        return 2


def _verdict(args: argparse.Namespace):
    from grader.exercises import exercise
    from grader.judge import unjudged
    from grader.student import log
    from grader.student.check import check
    from grader.student.load import load

    # What the file prints must not stand in the middle of the JSON.
    with contextlib.redirect_stdout(sys.stderr):
        names = load(args.file)
        if (name := exercise(args.exercise).name) not in names:
            message = f"{args.file} does not define `{name}`. Write it there, under this name."
            return unjudged(args.exercise, "not attempted", message)
        verdict = check(args.exercise, args.seed, names)
    if not verdict.points:
        raise CourseError(verdict.checks[0].message)
    if log.in_workspace():
        log.remember(verdict)
    return verdict


def _public(verdict) -> dict:
    keys = ("exercise", "score", "points", "status", "checks", "mistake", "hint", "notes")
    return {key: verdict.to_json()[key] for key in keys}
