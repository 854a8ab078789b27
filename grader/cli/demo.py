"""Show the instructor's job on a generated class: release, autograde, feedback, export and report.

Ends with 1 if a score is not the one that the class was generated with.
"""

import argparse
import shutil
from pathlib import Path

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", nargs="?", metavar="LESSON", help="default: the course's first")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="make the class here (default: .grader/demo, anew)")


def run(args: argparse.Namespace) -> int:
    from grader.course.demo import HEAD, demo
    from grader.table import table

    course = find_course()
    lesson = args.lesson or course.lesson_names()[0]
    folder = (args.keep or course.state / "demo").resolve()
    if not args.keep:
        shutil.rmtree(folder, ignore_errors=True)
    outcomes = demo(course, lesson, folder, lambda command: print(f"$ {command}", flush=True))
    print("\n" + table(HEAD, [outcome.row() for outcome in outcomes], right=["expected", "score"]))
    wrong = [outcome.member.name for outcome in outcomes if not outcome.as_made]
    print(f"\nFeedback pages: {folder / 'feedback'}")
    print(f"Gradebook: {folder / 'gradebook.db'} · scores: {folder / 'grades.csv'} · report: {folder / 'report.html'}")
    print(f"NOT as generated: {', '.join(wrong)}" if wrong else "Every score and mistake is the generated one.")
    return 1 if wrong else 0
