"""How many threads torch computes with, for a while."""

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Inside, torch computes with one thread; afterwards with as many as before.

    For networks so small that threads cost more than they gain: on a busy machine they wait for each other, and the
    same work was seen to take 40 times as long.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
