"""Reports what a person does not know yet or, from exported logs, what is hard for a class.

Without a LOG: your own progress. One LOG: that person's. Several, or a folder of them: the class's.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

from quiz.bank import load_all
from quiz.errors import QuizError
from quiz.reporting import as_text, of_class, of_person, page
from quiz.store import FileStore, place, read_log


def add_arguments(parser) -> None:
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG", help="exported logs, or folders of them")
    parser.add_argument("--json", action="store_true", help="print the report as data")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page")


def run(args) -> int:
    """Prints the report, or writes it."""
    report = _report(args.logs)
    if args.html:
        _write(args.html, page(report))
        return 0
    print(json.dumps(report, indent=2) if args.json else as_text(report), end="\n" if args.json else "")
    return 0


def _report(logs: list[Path]) -> dict:
    banks, now = load_all(), datetime.now(UTC)
    if not logs:
        return of_person(FileStore(place()).events(), banks, now)
    files = [file for log in logs for file in (sorted(log.glob("*.jsonl")) if log.is_dir() else [log])]
    if not files:
        raise QuizError(f"There is no log (*.jsonl) in {', '.join(map(str, logs))}.")
    if len(files) == 1 and not logs[0].is_dir():
        return of_person(read_log(files[0]), banks, now)
    return of_class([read_log(file) for file in files], banks)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise QuizError(f"The report cannot be written to {path}: {error.strerror}.") from None
    print(f"The report is in {path}.")
