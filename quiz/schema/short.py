"""Questions answered by a word or two, or a line of code."""

from typing import Annotated, Literal

from pydantic import Field

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, distinct


class WrongWords(Strict):
    """A wrong answer that people really type, in all its spellings."""

    id: Name
    accept: list[Text] = Field(min_length=1)
    misconception: Text
    feedback: Text
    mistake: MistakeName | None = None


class Short(Question):
    """`accept` lists the right answers; letter case, spaces, quotes and hyphens within words do not count."""

    type: Literal["short"]
    accept: list[Text] = Field(min_length=1)
    traps: Annotated[list[WrongWords], Field(min_length=1), distinct("trap")]
