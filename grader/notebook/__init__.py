"""The steps from a submitted file to a judged notebook, each a function from bytes to bytes.

    submitted --rebuild--> clean --execute--> executed --judge_notebook--> judged

Nothing here knows a folder, a gradebook or a class of students; `grader.course` does.
"""

from grader.notebook.judged import judge_notebook, unjudged_notebook
from grader.notebook.reading import Unreadable
from grader.notebook.rebuild import rebuild
from grader.notebook.runner import CannotRun, Limits, Runner, execute

__all__ = [
    "CannotRun",
    "Limits",
    "Runner",
    "Unreadable",
    "execute",
    "judge_notebook",
    "rebuild",
    "unjudged_notebook",
]
