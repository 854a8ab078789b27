"""Preprocessors for stock `nbgrader autograde`, named in nbgrader_config.py: the same grades as ours, one by one.

They are nbgrader's way to the same steps (`grader.course.job`), behind the same wall. Nothing here finds
submissions or saves grades: that is nbgrader's own work.
"""

from grader.course.stock.extension import Extend
from grader.course.stock.steps import Execute, Judge, Rebuild
from grader.paths import CONFIG, Course

__all__ = ["Execute", "Extend", "Judge", "Rebuild", "use_nbgraders_own"]


def use_nbgraders_own(course: Course) -> None:
    """Makes a course's `nbgrader autograde` what it is without this grader: to be compared with."""
    with (course.root / CONFIG).open("a", encoding="utf-8") as config:
        config.write("\nc.pop('Autograde', None)  # nbgrader's own preprocessors\n")
