"""Questions answered by putting steps in order."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, distinct


class Step(Strict):
    """One thing to put in its place."""

    id: Name
    text: Text


class Swap(Strict):
    """A wrong order that people really give: `first` placed before `then`, though it comes after it."""

    first: Name
    then: Name
    misconception: Text
    feedback: Text
    mistake: MistakeName | None = None

    @property
    def id(self) -> str:
        """The swap's name in a log."""
        return f"{self.first}_before_{self.then}"


class Order(Question):
    """`steps` stand in the right order; each swap says why somebody would turn two of them round."""

    type: Literal["order"]
    steps: Annotated[list[Step], Field(min_length=3), distinct("step")]
    swaps: Annotated[list[Swap], Field(min_length=1), distinct("swap")]

    @field_validator("swaps")
    @classmethod
    def _are_wrong(cls, swaps: list[Swap], info: ValidationInfo) -> list[Swap]:
        place = {step.id: i for i, step in enumerate(info.data.get("steps", []))}
        for swap in swaps if place else []:  # without steps, they are what is wrong
            if unknown := {swap.first, swap.then} - set(place):
                raise ValueError(f"a swap names {', '.join(sorted(unknown))}, which is no step")
            if place[swap.first] <= place[swap.then]:
                raise ValueError(f"the swap {swap.id} is the right order")
        return swaps
