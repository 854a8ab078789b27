"""Attack the grader with every submission of the red team, and print what came of it.

Beside it stands what stock nbgrader gives to those that are harmless to this machine without a wall (–: not tried).
Ends with 1 if an attack gained a point or was not told in the right words.
"""

import argparse
import os
import tempfile
from pathlib import Path

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="only these, by name (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="notebooks side by side")
    parser.add_argument("--no-stock", action="store_true", help="leave stock nbgrader out, which takes minutes")


def run(args: argparse.Namespace) -> int:
    from grader.course.redteam import ATTACKS, trial
    from grader.errors import CourseError
    from grader.table import table

    course = find_course()
    chosen = [attack for attack in ATTACKS if not args.attacks or attack.name in args.attacks]
    if not chosen:
        raise CourseError(f"No such attack. Known: {', '.join(attack.name for attack in ATTACKS)}.")
    with tempfile.TemporaryDirectory(prefix="redteam-") as folder:
        made = trial.new_course(course, Path(folder, "ours"))
        trial.hand_in(made, chosen)
        by_us = trial.ours(made, args.jobs)
        by_stock = {} if args.no_stock else trial.stock(course, chosen, Path(folder), args.jobs)
    print(table(trial.HEAD, trial.rows(chosen, by_us, by_stock), right=["worth", "stock", "ours"]))
    wrong = [attack.name for attack in chosen if not attack.as_it_should(by_us[attack.name])]
    points = sum(
        float(score) > attack.earned for attack in chosen if (score := by_stock.get(attack.name, "–"))[0].isdigit()
    )
    print(f"\nStock nbgrader gave points that were not earned to {points} of {len(by_stock)}." if by_stock else "")
    print(f"NOT as it should be: {', '.join(wrong)}" if wrong else f"{len(chosen)} attacks, and no point was gained.")
    return 1 if wrong else 0
