"""Questions answered by choosing: `single` and `multi`."""

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, distinct


class Option(Strict):
    """One thing to choose. A wrong one (a distractor) says which misconception it is and why it is wrong."""

    id: Name
    text: Text
    correct: bool = False
    misconception: Text | None = None
    feedback: Text | None = None
    mistake: MistakeName | None = None
    pinned: bool = False  # stays at its place when the others are shuffled

    @model_validator(mode="after")
    def _explains_itself(self) -> "Option":
        lacking = [] if self.correct else [n for n in ("misconception", "feedback") if not getattr(self, n)]
        if lacking:
            raise ValueError(f"a wrong option needs `{'` and `'.join(lacking)}`")
        if self.correct and (self.misconception or self.mistake):
            raise ValueError("a right option has no `misconception` and no `mistake`")
        return self


class Choice(Question):
    """Options, of which some are right."""

    options: Annotated[list[Option], Field(min_length=3), distinct("option")]


class Single(Choice):
    """Exactly one option is right."""

    type: Literal["single"]

    @field_validator("options")
    @classmethod
    def _one_key(cls, options: list[Option]) -> list[Option]:
        keys = [o.id for o in options if o.correct]
        if len(keys) != 1:
            raise ValueError(f"exactly one option is `correct: true`; here: {', '.join(keys) or 'none'}")
        return options


class Multi(Choice):
    """At least one option is right, at least one is wrong."""

    type: Literal["multi"]

    @field_validator("options")
    @classmethod
    def _mixed(cls, options: list[Option]) -> list[Option]:
        if len({o.correct for o in options}) != 2:
            raise ValueError("at least one option is right and at least one is wrong")
        return options
