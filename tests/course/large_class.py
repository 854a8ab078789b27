"""A program: grades a large class with short deadlines and tells, as JSON, what came out and what it took.

usage: python -m tests.course.large_class COURSE LESSON
"""

import json
import sys
import time
from pathlib import Path

from grader.course.autograde import Settings, autograde
from grader.course.listener import Listener
from grader.notebook import Limits
from grader.paths import Course

SHORT = Limits(cell_seconds=8.0, notebook_seconds=15.0, startup_seconds=60.0)


class Meter(Listener):
    """Notes this process's seconds of CPU (it is the one that saves) after each submission."""

    def __init__(self):
        self.seconds: list[float] = []

    def graded(self, one) -> None:
        self.seconds.append(time.process_time())


def main(root: str, lesson: str) -> None:
    meter = Meter()
    graded = autograde(Course(Path(root)), lesson, Settings(workers=3, limits=SHORT), listener=meter)
    print(json.dumps({"graded": [one.to_json() for one in graded], "seconds": meter.seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
