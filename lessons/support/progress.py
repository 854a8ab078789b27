"""A bar for cells that take a while. On stdout, since a notebook paints stderr red."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
WIDTH = 30


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yields the items one by one and draws how many are done: `what [#####.....] 5 of 10`."""
    for done, item in enumerate(_and_end(items)):
        filled = WIDTH * done // max(1, len(items))
        end = "\n" if done == len(items) else ""
        bar = "#" * filled + "." * (WIDTH - filled)
        print(f"\r{what} [{bar}] {done} of {len(items)}", end=end, flush=True)
        if done < len(items):
            yield item


def _and_end(items: Iterable[Item]) -> Iterator[Item | None]:
    yield from items
    yield None
