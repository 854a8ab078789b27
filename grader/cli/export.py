"""Export a lesson's grades, or its feedback pages, for another program.

    csv              nbgrader's own: a row for each student
    exercises        a row for each student and exercise
    canvas           the gradebook that you have downloaded from Canvas (--roster), with the grades in it
    moodle           Moodle's grading worksheet, or another table of its people (--roster), with the grades in it
    canvas-feedback  a zip of feedback pages, named as Canvas wants them back
    moodle-feedback  the same for Moodle

Download the table just before: it is given back whole. People who are in the gradebook only are listed.

Exit status: 0 done, 1 somebody's grade or page has no place there, 2 it cannot be done.
"""

import argparse
from pathlib import Path

from grader.errors import CourseError
from grader.paths import Course, find_course

FORMATS = ("csv", "exercises", "canvas", "moodle", "canvas-feedback", "moodle-feedback")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("--format", required=True, choices=FORMATS, help="see above")
    parser.add_argument("--roster", metavar="FILE", type=Path, help="for canvas and moodle: the downloaded table")
    parser.add_argument("--column", metavar="HEADING", default="", help="the column to fill (default: the lesson's)")
    parser.add_argument("--to", metavar="FILE", type=Path, help="default: exports/LESSON_FORMAT.csv or .zip")


def run(args: argparse.Namespace) -> int:
    import grader.lean  # noqa: F401

    course = find_course()
    course.notebooks(args.lesson)  # a lesson that is not there is the first thing to say
    feedback = args.format.endswith("-feedback")
    ending = "zip" if feedback else "csv"
    to = args.to or course.root / "exports" / f"{args.lesson}_{args.format}.{ending}"
    said, status = _feedback(course, args, to) if feedback else _grades(course, args, to)
    print(*said, f"Written: {to}", sep="\n")
    return status


def _grades(course: Course, args: argparse.Namespace, to: Path) -> tuple[list[str], int]:
    from nbgrader.plugins import CsvExportPlugin

    from grader.course.export import Exercises, export
    from grader.course.export.grades import submissions
    from grader.course.gradebook import Book

    with Book(course, args.lesson).open() as book:
        submissions(book, args.lesson)
        if args.format in ("csv", "exercises"):
            plugin = CsvExportPlugin if args.format == "csv" else Exercises
            try:
                to.parent.mkdir(parents=True, exist_ok=True)
                plugin(to=str(to), assignment=[args.lesson]).export(book)
            except OSError as error:
                raise CourseError(f"{to} cannot be written ({error.strerror}). Name another file.") from error
            return [], 0
        if args.roster is None:
            raise CourseError(
                f"Name the table that you have downloaded from {args.format.capitalize()}: --roster FILE."
            )
        filled, said = export(book, args.format, args.lesson, args.roster, to, args.column)
    return said, 1 if filled.unmatched else 0


def _feedback(course: Course, args: argparse.Namespace, to: Path) -> tuple[list[str], int]:
    from grader.course.export import feedback_zip

    packed = feedback_zip(course, args.lesson, args.format.removesuffix("-feedback"), to)
    said = [f"Pages of {len(packed.students)} students."]
    if packed.without_page:
        said.append(
            f"No page yet: {', '.join(packed.without_page)}. `nbgrader generate_feedback {args.lesson}` makes them."
        )
    if packed.from_elsewhere:
        said.append(f"Not in it, for the file came another way: {', '.join(packed.from_elsewhere)}.")
    return said, 1 if packed.without_page or packed.from_elsewhere else 0
