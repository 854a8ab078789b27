"""Ways to try out what a question says: its code run, its steps taken in any order."""

import torch
from torch import Tensor

from quiz.schema import Order


def rows(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) + 0.4


def filled(code: str, **names) -> Tensor | None:
    """What `y` is after the code, or None when it raises."""
    try:
        exec(code, names)
    except (TypeError, RuntimeError, SyntaxError, AttributeError):
        return None
    return names["y"]


def done(steps: dict, order: list[str], x: Tensor) -> Tensor:
    state = {"row": x}
    for step in order:
        steps[step](state)
    return state["row"]


def exchanged(order: list[str], first: str, then: str) -> list[str]:
    """The order with one step moved right before another."""
    rest = [step for step in order if step != first]
    return [*rest[: rest.index(then)], first, *rest[rest.index(then) :]]


def orders(question: Order) -> tuple[list[str], list[list[str]]]:
    """The right order of an order question's steps, and the wrong ones that its swaps explain."""
    right = [step.id for step in question.steps]
    return right, [exchanged(right, swap.first, swap.then) for swap in question.swaps]
