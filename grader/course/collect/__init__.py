"""Collecting a folder or zip of downloads from a learning platform: whose file, which lesson's, and where to.

What is not clear is asked, never guessed. Reading who is in the class is `grader.course.roster`'s; grading is not here.
"""

from grader.course.collect.collecting import Collected, collect
from grader.course.collect.plan import LEAVE, Question

__all__ = ["LEAVE", "Collected", "Question", "collect"]
