"""Give any verdict again, from its stored seeds: for an appeal.

Runs the file that was graded (a copy is kept) behind the wall once more, with the same inputs and the same limits,
compares with the verdict that was given, and says what has changed since in code and versions.

Exit status: 0 when it is the same verdict, 1 when it differs, 2 when it cannot be given again.
"""

import argparse
import json

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", metavar="STUDENT", help="the student's id")
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("--exercise", metavar="ID", help="compare only this exercise")
    parser.add_argument("--unsafe-no-sandbox", action="store_true", help="run it with your rights")
    parser.add_argument("--json", action="store_true", help="print both verdicts and what decided them as JSON")


def run(args: argparse.Namespace) -> int:
    from grader.course.autograde import demand_wall
    from grader.course.replay import replay
    from grader.course.replay_words import as_json, as_text

    if not args.unsafe_no_sandbox:
        demand_wall()
    found = replay(find_course(), args.lesson, args.student, args.exercise, not args.unsafe_no_sandbox)
    print(json.dumps(as_json(found), indent=1) if args.json else as_text(found))
    return 0 if found.same else 1
