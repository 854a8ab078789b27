"""Check a plain Python file that defines an exercise's object.

Exit status: 0 for full marks, 1 for less, 2 when the file cannot be graded.
"""

import argparse
import contextlib
import json
import sys
from pathlib import Path

from grader.errors import CourseError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help='the id, as in check("rms_norm")')
    parser.add_argument("file", type=Path, help="a Python file that defines it, and defines or imports all it uses")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--seed", type=int, default=0, help="which inputs are drawn (default: 0)")


def run(args: argparse.Namespace) -> int:
    from grader.exercises import exercise
    from grader.student.check import check
    from grader.student.load import load

    # A wrong id, and what this machine lacks, are told before the file is run.
    if reason := exercise(args.exercise).missing():
        raise CourseError(reason)
    # What the file prints must not stand in the middle of the JSON.
    with contextlib.redirect_stdout(sys.stderr):
        verdict = check(args.exercise, args.seed, load(args.file))
    if not verdict.points:
        raise CourseError(verdict.checks[0].message)
    print(json.dumps(_public(verdict), indent=2) if args.json else str(verdict))
    return 0 if verdict.score == verdict.points else 1


def _public(verdict) -> dict:
    keys = ("exercise", "score", "points", "status", "checks", "mistake", "hint", "notes")
    return {key: verdict.to_json()[key] for key in keys}
