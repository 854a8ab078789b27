"""The self-check: a bank of questions (`bank/*.yaml`), what marks them (`engine`) and what shows them (`widget`).

It grades nothing for a course: that is `grader`, of which nothing is imported here. A new question goes into
its lesson's file in `bank/`; `python -m quiz validate` says whether it is sound.
"""

import os

from quiz.errors import QuizError

__all__ = ["QuizError", "quiz"]


def quiz(lesson: str | None = None, *, most: int = 10) -> None:
    """Shows the first questions of a lesson, such as "03_rms_norm", in the notebook.

    Without a lesson: what is due, weakest first, then what is new, up to `most` questions. `quiz.report()` shows
    what you know and what you only think you know, `quiz.overview()` how you stand with each lesson, and `quiz.round()`
    asks across all lessons. Raises QuizError for a lesson without questions. While a
    notebook is graded (COURSE_GRADING=1) it does nothing at all: a grading kernel need not have the packages.
    """
    if _graded():
        return
    from quiz.notebook import show  # the widget's packages take 0.3 s to import: only when they are shown

    show(lesson, most)


def _report() -> None:
    """Shows how well you know what you think you know, from your own log. Does nothing while graded."""
    if _graded():
        return
    from quiz.notebook import report

    report()


def _overview() -> None:
    """Shows for each lesson how many questions are due, weak and not seen yet. Does nothing while graded."""
    if _graded():
        return
    from quiz.notebook import overview

    overview()


def _round(most: int = 10) -> None:
    """A round over all lessons: what is due, weakest first, then new ones of every lesson in turn, weak lessons first.

    Up to `most` questions; raises QuizError for less than one. Does nothing while graded.
    """
    if _graded():
        return
    from quiz.notebook import show_round

    show_round(most)


def _graded() -> bool:
    return os.environ.get("COURSE_GRADING") == "1"


quiz.report = _report
quiz.overview = _overview
quiz.round = _round
