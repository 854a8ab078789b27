"""Questions answered by giving each item its target."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, distinct


class Target(Strict):
    """Something that items are matched with: by one item, by several, or (a distractor) by none."""

    id: Name
    text: Text


class Item(Strict):
    """Something that has exactly one target."""

    id: Name
    text: Text
    target: Name


class Confusion(Strict):
    """A wrong target that people really choose for an item."""

    item: Name
    target: Name
    misconception: Text
    feedback: Text
    mistake: MistakeName | None = None

    @property
    def id(self) -> str:
        """The confusion's name in a log."""
        return f"{self.item}={self.target}"

    def fits(self, right: dict[str, str], targets: set[str]) -> None:
        """Raises ValueError unless it is a wrong match that can be given."""
        if self.item not in right or self.target not in targets:
            raise ValueError(f"the confusion {self.id} names an item or a target that is not there")
        if right[self.item] == self.target:
            raise ValueError(f"the confusion {self.id} is the right match")


class Match(Question):
    """`items` with their `targets`; every target that no item has is explained by a confusion."""

    type: Literal["match"]
    items: Annotated[list[Item], Field(min_length=2), distinct("item")]
    targets: Annotated[list[Target], Field(min_length=2), distinct("target")]
    confusions: Annotated[list[Confusion], Field(min_length=1), distinct("confusion")]

    @field_validator("targets")
    @classmethod
    def _all_there(cls, targets: list[Target], info: ValidationInfo) -> list[Target]:
        for item in info.data.get("items", []):
            if item.target not in {t.id for t in targets}:
                raise ValueError(f"the item {item.id} has the target {item.target}, which is not there")
        return targets

    @field_validator("confusions")
    @classmethod
    def _are_wrong(cls, confusions: list[Confusion], info: ValidationInfo) -> list[Confusion]:
        if {"items", "targets"} <= set(info.data):  # or they are what is wrong
            right, targets = {i.id: i.target for i in info.data["items"]}, {t.id for t in info.data["targets"]}
            for confusion in confusions:
                confusion.fits(right, targets)
            if unexplained := targets - set(right.values()) - {c.target for c in confusions}:
                raise ValueError(f"no item and no confusion has the target {', '.join(sorted(unexplained))}")
        return confusions
