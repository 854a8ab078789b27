"""What all types of question share when they are shown and marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quiz.errors import QuizError
from quiz.formula import fill
from quiz.schema import Option, Question

# What a person answers: option ids for a choice, the text typed for a number.
Answer = Sequence[str] | str


class Unreadable(QuizError):
    """The answer cannot be marked (empty, not a number): it is asked for again."""


@dataclass(frozen=True)
class Variant:
    """A question as one seed shows it: options in their order, parameters with their values."""

    question: Question
    options: tuple[Option, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    # What only texts shown after the answer may use: `{{ answer }}`.
    secrets: Mapping[str, float] = field(default_factory=dict, repr=False)

    def before(self, text: str) -> str:
        """A text that is shown before the answer, parameters filled in."""
        return fill(text, self.values)

    def after(self, text: str) -> str:
        """A text that is shown after the right answer, `{{ answer }}` filled in too."""
        return fill(text, {**self.values, **self.secrets})


@dataclass(frozen=True)
class Grade:
    """Whether an answer is right, in a sentence of plain text, and the feedback (Markdown) for what it was."""

    right: bool
    verdict: str
    feedback: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()  # ids of the distractors chosen or the trap met, for reports
