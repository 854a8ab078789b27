"""The self-check: a bank of questions (`bank/*.yaml`), what marks them (`engine`) and what shows them (`widget`).

It grades nothing for a course: that is `grader`, of which nothing is imported here. A new question goes into
its lesson's file in `bank/`; `python -m quiz validate` says whether it is sound.
"""

import os

from quiz.errors import QuizError

__all__ = ["QuizError", "quiz"]


def quiz(lesson: str) -> None:
    """Shows the questions of a lesson, such as "03_rms_norm", in the notebook.

    Raises QuizError for a lesson without questions. While a notebook is graded (COURSE_GRADING=1) it does
    nothing at all: a grading kernel need not have the widget's packages.
    """
    if os.environ.get("COURSE_GRADING") == "1":
        return
    from quiz.notebook import show  # the widget's packages take 0.3 s to import: only when they are shown

    show(lesson)
