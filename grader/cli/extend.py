"""Give a student more time for a lesson, also before anything is handed in.

    python -m grader extend ada 03_rms_norm 3d
    python -m grader extend ada 03_rms_norm 2026-12-05
    python -m grader extend ada 03_rms_norm --remove
    python -m grader extend --list

It counts from the lesson's due date (a date counts by itself) and in the penalty for lateness, at once for what is
graded already. A second extension takes the place of the first.
"""

import argparse

from grader.errors import CourseError
from grader.paths import Course, find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("student", metavar="STUDENT", nargs="?", help="the student's id")
    parser.add_argument("lesson", metavar="LESSON", nargs="?", help="for example 03_rms_norm")
    parser.add_argument("amount", metavar="TIME", nargs="?", help="3d, 12h, 1d12h, 2026-12-05, '2026-12-05 18:00'")
    parser.add_argument("--remove", action="store_true", help="take the extension back")
    parser.add_argument("--list", action="store_true", help="show all extensions of the course")


def run(args: argparse.Namespace) -> int:
    course = find_course()
    if args.list:
        print(_all(course))
        return 0
    if not (args.student and args.lesson and (args.amount or args.remove)) or (args.amount and args.remove):
        raise CourseError("Say who, which lesson, and either how long or --remove: extend ada 03_rms_norm 3d.")
    import grader.lean  # noqa: F401
    from grader.course.extending import extend
    from grader.course.extensions import read_amount

    given = None if args.remove else read_amount(args.amount)
    print(extend(course, args.lesson, args.student, given))
    return 0


def _all(course: Course) -> str:
    from grader.course.extensions import Extensions
    from grader.table import table

    kept = Extensions(course)
    rows = [[lesson, who, given] for lesson in kept.lessons() for who, given in sorted(kept.all(lesson).items())]
    return table(["lesson", "student", "extension"], rows) if rows else "Nobody has an extension."
