"""A bar for cells that take a while. On stdout, since a notebook paints stderr red."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yields the items one by one and draws a bar that grows by a mark for each: `what, 4 steps: ####`.

    It only ever appends: what overwrites itself fills pages where a notebook is merely viewed.
    """
    print(f"{what}, {len(items)} steps: ", end="", flush=True)
    for item in items:
        yield item
        print("#", end="", flush=True)
    print(" done")
