"""`torch.compile` where a notebook is graded: gives back what it is given, as it would run uncompiled anyway.

There the environment disables torch's compiler (TORCH_COMPILE_DISABLE); torch still imports all of it at the first
`torch.compile`, which takes ten times as long as everything else in a notebook's grading.
"""

import os
from collections.abc import Callable

import torch


def uncompiled(model: Callable | None = None, **_options) -> Callable:
    """As a function, and as a decorator with or without arguments."""
    return model if model is not None else lambda function: function


if os.environ.get("TORCH_COMPILE_DISABLE") == "1":
    torch.compile = uncompiled
