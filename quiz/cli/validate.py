"""Checks the question bank and counts it by lesson, type and difficulty."""

from collections import Counter
from pathlib import Path

from quiz.bank import FOLDER, read
from quiz.engine import TYPES
from quiz.errors import QuizError
from quiz.lint import lint
from quiz.outside import unknown
from quiz.schema import Bank

LEVELS = ("easy", "medium", "hard")


def add_arguments(parser) -> None:
    parser.add_argument("--bank", type=Path, default=FOLDER, help="a folder of bank files, if not the course's own")


def run(args) -> int:
    """Prints the counts and every problem; 0 when there is none, 1 otherwise."""
    paths = sorted(args.bank.glob("*.yaml"))
    if not paths:
        raise QuizError(f"There is no bank file (*.yaml) in {args.bank}.")
    read_all = [read(path) for path in paths]
    banks = [bank for bank, _ in read_all if bank]
    problems = [p for _, found in read_all for p in found]
    problems += [p for bank in banks for p in (*lint(bank), *unknown(bank))]
    print(_table(banks))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problem{'' if len(problems) == 1 else 's'}")
    return 1 if problems else 0


def _table(banks: list[Bank]) -> str:
    columns = [*TYPES, *LEVELS, "total"]
    rows = [("lesson", columns), *((bank.lesson, _counts(bank.questions, columns)) for bank in banks)]
    rows.append(("all", _counts([q for bank in banks for q in bank.questions], columns)))
    return "\n".join(f"{name:<24}" + "".join(f"{cell:>9}" for cell in cells) for name, cells in rows)


def _counts(questions: list, columns: list[str]) -> list[int]:
    count = Counter(q.type for q in questions) + Counter(q.difficulty for q in questions)
    count["total"] = len(questions)
    return [count[column] for column in columns]
