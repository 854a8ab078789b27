"""What all types of question share."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
# "rms_norm/subtracts_mean": an exercise and one of its mistakes.
MistakeName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*/[a-z][a-z0-9_]*$")]
Difficulty = Literal["easy", "medium", "hard"]


class Strict(BaseModel):
    """A part of a bank file: a field that is not known is an error, not ignored."""

    model_config = ConfigDict(extra="forbid")


class Question(Strict):
    """Common fields. All texts are Markdown with `$TeX$`; `prompt` is a sentence or two, without paragraphs."""

    id: Name
    difficulty: Difficulty
    setting: Text | None = None  # what one needs to know before the question: paragraphs, code
    prompt: Text
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


def no_doubles(kind: str, ids: list[str]) -> None:
    """Raises ValueError, for pydantic to report, when two ids are the same."""
    doubles = sorted({i for i in ids if ids.count(i) > 1})
    if doubles:
        raise ValueError(f"the {kind} id {', '.join(doubles)} is used more than once")
