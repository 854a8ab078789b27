"""Show what a class got right and wrong in a lesson, and which mistakes it makes."""

import argparse
import json
from pathlib import Path

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="also write one row for each student and exercise")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    from grader.course.report import as_csv, as_json, as_text, graded_class

    graded = graded_class(find_course(), args.lesson)
    if args.csv:
        args.csv.write_text(as_csv(graded), encoding="utf-8")
    print(json.dumps(as_json(args.lesson, graded), indent=1) if args.json else as_text(args.lesson, graded))
    return 0
