"""One thread for probes whose tensors are tiny: on a busy machine two threads were seen to take 25 times as long."""

import contextlib
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Inside, or in a function that it decorates, torch computes with one thread; afterwards with as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
