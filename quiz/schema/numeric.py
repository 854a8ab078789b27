"""Questions answered by a number, worked out from parameters that a seed draws."""

from typing import Annotated, Literal

from pydantic import Field

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, distinct


class Tolerance(Strict):
    """A number passes when it is off by at most `abs`, or by at most `rel` times the key."""

    rel: float = Field(default=0.0, ge=0, lt=1)
    abs: float = Field(default=0.0, ge=0)


class Trap(Strict):
    """A wrong number that people really arrive at, with its own feedback."""

    id: Name
    formula: Text
    misconception: Text
    feedback: Text
    mistake: MistakeName | None = None


class Numeric(Question):
    """`formula` gives the key from the parameters."""

    type: Literal["numeric"]
    formula: Text
    tolerance: Tolerance
    unit: Text | None = None
    traps: Annotated[list[Trap], Field(min_length=1), distinct("trap")]
