"""Show what a class got right and wrong in a lesson: scores, its mistakes by frequency, submissions to look at.

To look at are those that were tampered with, died, ran out of time or memory or ran without a sandbox, those that
were slow, and answers of different students that are the same after normalising (which proves nothing).
"""

import argparse
import json
from pathlib import Path

from grader.errors import CourseError
from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="also write one row for each student and exercise")
    parser.add_argument("--html", metavar="FILE", type=Path, help="also write a page with plots, complete in one file")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    from grader.course.alike import alike
    from grader.course.late import lateness
    from grader.course.report import as_csv, as_json, as_text, graded_class

    course = find_course()
    graded = graded_class(course, args.lesson)
    groups, late = alike(course, args.lesson, graded), lateness(course, args.lesson)
    if args.csv:
        _write(args.csv, as_csv(graded))
    if args.html:
        from grader.course.page import page  # plots take a second to import

        _write(args.html, page(args.lesson, graded, groups, late))
    print(
        json.dumps(as_json(args.lesson, graded, groups, late), indent=1)
        if args.json
        else as_text(args.lesson, graded, groups, late)
    )
    return 0


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{path} cannot be written ({error.strerror}). Name another file.") from error
