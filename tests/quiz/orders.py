"""Tries every order of the steps of an `order` question, to see which ones give the right result."""

from collections.abc import Callable, Iterator, Mapping

Step = Callable[[dict], None]


def orders_that_work(steps: Mapping[str, Step], right: Callable[[dict], bool]) -> list[list[str]]:
    """All orders of the steps that can be carried out and end in a state for which `right` holds.

    A step changes the state (a dict) and raises KeyError, RuntimeError or ValueError where it cannot be done.
    """
    return [order for order, state in _carried_out(steps, {}, []) if right(state)]


def _carried_out(steps: Mapping[str, Step], state: dict, done: list[str]) -> Iterator[tuple[list[str], dict]]:
    if len(done) == len(steps):
        yield done, state
    for name in steps.keys() - set(done):
        after = dict(state)
        try:
            steps[name](after)
        except (KeyError, RuntimeError, ValueError):
            continue
        yield from _carried_out(steps, after, [*done, name])
