"""Questions answered by giving each item its target."""

from typing import Literal

from pydantic import Field, model_validator

from quiz.schema.base import MistakeName, Name, Question, Strict, Text, no_doubles


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


class Match(Question):
    """`items` with their `targets`; every target that no item has is explained by a confusion."""

    type: Literal["match"]
    items: list[Item] = Field(min_length=2)
    targets: list[Target] = Field(min_length=2)
    confusions: list[Confusion] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_together(self) -> "Match":
        right, targets = {i.id: i.target for i in self.items}, {t.id for t in self.targets}
        no_doubles("item", [i.id for i in self.items])
        no_doubles("target", [t.id for t in self.targets])
        no_doubles("confusion", [c.id for c in self.confusions])
        for item in self.items:
            if item.target not in targets:
                raise ValueError(f"the item {item.id} has the target {item.target}, which is not there")
        for confusion in self.confusions:
            if confusion.item not in right or confusion.target not in targets:
                raise ValueError(f"the confusion {confusion.id} names an item or a target that is not there")
            if right[confusion.item] == confusion.target:
                raise ValueError(f"the confusion {confusion.id} is the right match")
        if unexplained := targets - set(right.values()) - {c.target for c in self.confusions}:
            raise ValueError(f"no item and no confusion has the target {', '.join(sorted(unexplained))}")
        return self
