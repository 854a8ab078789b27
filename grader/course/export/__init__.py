"""Grades for other programs: nbgrader's export plugins, and what a learning platform takes back.

Numbers are the gradebook's own; nothing is graded or changed here.
"""

from grader.course.export.feedback import feedback_zip
from grader.course.export.plugins import Canvas, Exercises, Moodle, export

__all__ = ["Canvas", "Exercises", "Moodle", "export", "feedback_zip"]
