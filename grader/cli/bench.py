"""Measure how fast a check answers, beside the bare run of the same cases.

For each exercise: the median of a full check (run, reference, mistakes, diagnosis, card) and of the cases
alone, taken in turn in one run.
"""

import argparse
import json
import statistics
import time


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeats", type=int, default=30, help="checks of each exercise (default: 30)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    from grader.exercises import ids

    rows = [_row(name, args.repeats) for name in ids()]
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
