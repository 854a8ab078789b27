"""What a question is: one class a type, told apart by `type`; a bank file is one `Bank`. Nothing here marks.

A new type is a module here with a subclass of `Question`, its class in `AnyQuestion`, and its namesake in
`quiz/engine`.
"""

from typing import Annotated, get_args

from pydantic import Field, StringConstraints

from quiz.schema.base import MistakeName, Question, Strict, Text, distinct
from quiz.schema.choice import Multi, Option, Single
from quiz.schema.match import Confusion, Item, Match, Target
from quiz.schema.numeric import Numeric, Tolerance, Trap
from quiz.schema.order import Order, Step, Swap
from quiz.schema.short import Short, WrongWords

__all__ = [
    "TYPE_NAMES",
    "AnyQuestion",
    "Bank",
    "Confusion",
    "Item",
    "Match",
    "MistakeName",
    "Multi",
    "Numeric",
    "Option",
    "Order",
    "Question",
    "Short",
    "Single",
    "Step",
    "Swap",
    "Target",
    "Tolerance",
    "Trap",
    "WrongWords",
]

AnyQuestion = Annotated[Single | Multi | Numeric | Order | Match | Short, Field(discriminator="type")]
TYPE_NAMES = [get_args(kind.model_fields["type"].annotation)[0] for kind in get_args(get_args(AnyQuestion)[0])]


class Bank(Strict):
    """The questions of one lesson."""

    lesson: Annotated[str, StringConstraints(pattern=r"^\d\d[a-z]?_[a-z0-9_]+$")]
    title: Text
    questions: Annotated[list[AnyQuestion], Field(min_length=1), distinct("question")]
