"""Finds what a student has defined, in the notebook or in the calling module."""

import sys
from collections.abc import Mapping


def student_namespace() -> Mapping[str, object]:
    """The notebook's own names; outside IPython those of the first caller that is not this package."""
    if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()) is not None:
        return shell.user_ns
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "grader":
        frame = frame.f_back
    return frame.f_globals if frame is not None else {}
