"""Counts the memory traffic of eager torch code, kernel by kernel. It counts; timing is in `timing`."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def bytes_moved(call: Callable[[], object]) -> int:
    """Bytes that the torch kernels of `call()` read and write, if each reads its inputs and writes its outputs once.

    A model, not a hardware counter: what the processor's caches save is not subtracted. Views move nothing.
    `torch.compile`d code hides its kernels and cannot be counted.
    """
    counter = _Counter()
    with counter:
        call()
    return counter.bytes


class _Counter(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.bytes = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if not func.is_view:
            read, written = _tensors((args, kwargs)), _tensors(result)
            self.bytes += sum(map(_size, read)) + sum(map(_size, written))
        return result


def _tensors(tree: object) -> list[Tensor]:
    """The distinct tensors of one side: in `x * x` a kernel reads x once."""
    return list({id(leaf): leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)}.values())


def _size(tensor: Tensor) -> int:
    stored = [size for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if stride != 0]
    return tensor.element_size() * torch.Size(stored).numel()
