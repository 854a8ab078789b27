"""What a worker process imports and does before its first job. Imported by the process that workers are forked from."""

import contextlib
from functools import partial

from grader.notebook.walled import view
from grader.sandbox.bubblewrap import NoWall
from grader.sandbox.warm import use


def begin_with(address: str) -> partial:
    """For a pool's `begin`: the worker asks for its kernels at this address."""
    return partial(_begin, address)


def _begin(address: str) -> None:
    import torch

    torch.set_num_threads(1)  # one a worker: several are at work
    with contextlib.suppress(NoWall):  # it is gone: this worker makes its own, and where it cannot, its jobs say why
        use(view(), address)
