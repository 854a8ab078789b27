"""What all types of question share."""

import itertools
import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
# "rms_norm/subtracts_mean": an exercise and one of its mistakes.
MistakeName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*/[a-z][a-z0-9_]*$")]
Difficulty = Literal["easy", "medium", "hard"]
MOST_VARIANTS = 1000  # the linter looks at every one


class Strict(BaseModel):
    """A part of a bank file: a field that is not known is an error, not ignored."""

    model_config = ConfigDict(extra="forbid")


class Question(Strict):
    """Common fields. All texts are Markdown with `$TeX$`; `prompt` is a sentence or two, without paragraphs.

    A seed draws each parameter from its list in `params`; a text holds its value as `{{ name }}`, or a formula's
    as `{{ 2 * name }}`.
    """

    id: Name
    difficulty: Difficulty
    setting: Text | None = None  # what one needs to know before the question: paragraphs, code
    prompt: Text
    params: dict[Name, Annotated[list[int | float], Field(min_length=1)]] = Field(default_factory=dict)
    heading: Text | None = None  # of the lesson, where the question is answered; the link after the last hint
    hints: list[Text] = Field(min_length=2)  # from a nudge to nearly the answer
    explanation: Text
    source: Text

    @field_validator("explanation")
    @classmethod
    def _long_enough(cls, text: str) -> str:
        sentences = len(re.findall(r"[.!?](?=\s|$)", text))
        if sentences < 3:
            raise ValueError(f"an explanation has at least 3 sentences; this one has {sentences}")
        return text

    def variants(self) -> Iterator[dict[str, float]]:
        """Every set of values that a seed can draw; the first MOST_VARIANTS of them if there are more."""
        rows = (dict(zip(self.params, row, strict=True)) for row in itertools.product(*self.params.values()))
        return itertools.islice(rows, MOST_VARIANTS)


def distinct(kind: str) -> AfterValidator:
    """For a list of parts with ids: no two may be the same."""

    def check(parts: list) -> list:
        ids = [part.id for part in parts]
        if doubles := sorted({i for i in ids if ids.count(i) > 1}):
            raise ValueError(f"the {kind} id {', '.join(doubles)} is used more than once")
        return parts

    return AfterValidator(check)
