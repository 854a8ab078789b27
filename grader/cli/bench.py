"""Measure, side by side in one run: checks beside the bare cases, a class beside stock nbgrader, or kernels.

Without --students, for each exercise: the median of a full check (run, reference, mistakes, diagnosis, card) and
of the cases alone, taken in turn. With --students N: the same N submissions through stock `nbgrader autograde`
and through this grader, with --otter also through `otter run`. With --kernels: lesson 12's kernels beside a plain copy.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeats", type=int, default=30, help="checks of each exercise (default: 30)")
    parser.add_argument("--students", type=int, metavar="N", help="grade a class of N, beside stock nbgrader")
    parser.add_argument("--otter", action="store_true", help="with --students: otter's `run` beside them, if installed")
    parser.add_argument("--lesson", default="03_rms_norm", metavar="LESSON", help="with --students")
    parser.add_argument("--kernels", action="store_true", help="norms and SwiGLU as kernels, beside a plain copy")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0, or 1 when the two graders do not agree."""
    if args.kernels:
        from lessons.support import bench

        return bench.main(["--json"] * args.json)
    return _class(args) if args.students else _checks(args)


def _class(args: argparse.Namespace) -> int:
    from grader.course.bench import bench
    from grader.paths import find_course

    def tell(what: str) -> None:
        print(what, file=sys.stderr)

    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        found = bench(find_course(), args.lesson, args.students, Path(folder), tell, args.otter)
    equal = found["grades_equal"] and found.get("otter_grades_equal", True)
    print(json.dumps(found, indent=2) if args.json else _as_text(found, equal))
    return 0 if equal else 1


def _as_text(found: dict, equal: bool) -> str:
    runs = ", ".join(f"{taken:.1f}" for taken in found["all_seconds"])
    lines = [
        f"{found['students']} notebooks of {found['lesson']}",
        f"python -m grader autograde {found['seconds']:8.1f} s    (the median of {runs})",
        f"stock nbgrader autograde   {found['nbgrader_seconds']:8.1f} s    {found['ratio']:.1f} times as long",
    ]
    if "otter_seconds" in found:
        lines.append(
            f"otter run, each notebook   {found['otter_seconds']:8.1f} s    {found['otter_ratio']:.1f} times as long"
        )
    steps = ", ".join(f"{step} {seconds:.1f}" for step, seconds in found["steps"].items())
    lines.append(f"seconds in each of our steps, summed over notebooks side by side: {steps}")
    return "\n".join([*lines, "Equal grades." if equal else "The grades are NOT equal."])


def _checks(args: argparse.Namespace) -> int:
    from grader.exercises import exercise, ids

    rows = [_row(name, args.repeats) for name in ids() if not exercise(name).missing()]
    if args.json:
        print(json.dumps({"check": rows}, indent=2))
        return 0
    print(f"{'exercise':<28}{'first check':>14}{'check, median':>16}{'cases alone':>14}{'ratio':>8}")
    for row in rows:
        print(
            f"{row['exercise']:<28}{row['first_ms']:>11.0f} ms{row['check_ms']:>13.1f} ms"
            f"{row['cases_ms']:>11.1f} ms{row['ratio']:>8.1f}"
        )
    return 0


def _row(exercise_id: str, repeats: int) -> dict:
    from grader import answers
    from grader.exercises import exercise
    from grader.probe import run
    from grader.student.check import check

    chosen, implementation = exercise(exercise_id), answers.of(exercise_id).reference

    def full() -> None:
        check(exercise_id, namespace={chosen.name: implementation})._repr_html_()

    first = _seconds(full)
    pairs = [(_seconds(full), _seconds(lambda: run(chosen, implementation, 0))) for _ in range(repeats)]
    check_ms, cases_ms = (1000 * statistics.median(side) for side in zip(*pairs, strict=True))
    return {
        "exercise": exercise_id,
        "first_ms": 1000 * first,
        "check_ms": check_ms,
        "cases_ms": cases_ms,
        "ratio": check_ms / cases_ms,
    }


def _seconds(action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
