"""What all types of question share when they are shown and marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quiz.errors import QuizError
from quiz.formula import fill
from quiz.schema import Option, Question, Step, Target

# What a person answers: option ids for a choice, step ids for an order, "item=target" for a match, the text
# typed for a number or a word.
Answer = Sequence[str] | str


class Unreadable(QuizError):
    """The answer cannot be marked (empty, not a number): it is asked for again."""


@dataclass(frozen=True)
class Variant:
    """A question as one seed shows it: options, steps or targets in their order, parameters with their values."""

    question: Question
    options: tuple[Option | Step | Target, ...] = ()
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
    misconceptions: tuple[str, ...] = ()  # ids of the distractors, traps, swaps, confusions met, for reports
