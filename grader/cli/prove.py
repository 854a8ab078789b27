"""Prove a lesson: solution right, nothing free, every mistake caught and named, right variants accepted.

Writes nothing; a student copy that is out of date is only told. Exit status: 0 if all holds, 1 if not, 2 if the
lesson cannot be built or run.
"""

import time

from grader.errors import CourseError
from grader.paths import find_course


def add_arguments(parser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="such as 03_rms_norm")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="try each answer on N inputs (default: 3)")


def run(args) -> int:
    from grader.author.proof_text import text
    from grader.author.prove import prove

    if args.seeds < 1:
        raise CourseError("--seeds must be at least 1: with no inputs nothing is proved.")
    started = time.perf_counter()
    proof = prove(find_course(), args.lesson, range(args.seeds))
    print(text(proof))
    print(f"({time.perf_counter() - started:.0f} s)")
    return 1 if proof.problems() else 0
