"""Which device an experiment runs on, and its name for the person who reads the numbers."""

import platform

import torch


def choose_device() -> torch.device:
    """CUDA where there is one, else the CPU; prints which.

    Apple's GPU is left out on purpose: it has no float64, which some measurements need.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(f"Runs on: {describe(device)}.")
    return device


def describe(device: torch.device) -> str:
    """The device in words: the GPU's product name, or the processor and torch's number of threads."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    threads = torch.get_num_threads()
    return f"CPU ({platform.machine() or 'unknown processor'}), {threads} thread{'s' * (threads != 1)}"
