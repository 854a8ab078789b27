"""What is exported: some lessons' banks, and the seed that fills in their parameters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quiz import bank
from quiz.engine import Variant, vary
from quiz.errors import QuizError
from quiz.schema import Bank


@dataclass(frozen=True)
class Batch:
    """Banks, a seed, and when each lesson's bank was last changed (seconds since 1970)."""

    banks: tuple[Bank, ...]
    seed: int = 0
    changed: Mapping[str, int] = field(default_factory=dict)

    def variants(self, bank: Bank) -> Iterator[Variant]:
        """A bank's questions, parameters filled in. No question's variant depends on another question."""
        return (vary(question, self.seed) for question in bank.questions)


def gather(lessons: Sequence[str] = (), seed: int = 0, folder: Path = bank.FOLDER) -> Batch:
    """The named lessons, or all. Raises QuizError for an unknown one, and for a damaged or absent bank."""
    names = list(dict.fromkeys(lessons)) or bank.lessons(folder)
    if not names:
        raise QuizError(f"There is no bank file (*.yaml) in {folder}.")
    banks = tuple(bank.load(name, folder) for name in names)
    return Batch(banks, seed, {name: int((folder / f"{name}.yaml").stat().st_mtime) for name in names})
