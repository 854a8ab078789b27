"""Where an author's file is broken, in words: for errors that are raised in code of the course, not a student's."""

import traceback
from pathlib import Path

LESSON = "lesson_"  # how the folders begin in which an author's files lie


def place(error: BaseException) -> str:
    """File and line: the error's own for bad syntax, else the last one of the author's files."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).as_posix()}, line {error.lineno}"
    steps = traceback.extract_tb(error.__traceback__)
    last = next((step for step in reversed(steps) if LESSON in step.filename), steps[-1])
    return f"{Path(last.filename).as_posix()}, line {last.lineno}"


def sentence(error: BaseException) -> str:
    """File, line, and what was raised there."""
    says = error.msg if isinstance(error, SyntaxError) else error
    return f"{place(error)}: {type(error).__name__}: {says}"
