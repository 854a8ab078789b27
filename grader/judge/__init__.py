"""Compares records and says what they show: gates, points, diagnosis, the verdict and its card.

Nothing here runs a student's code or knows of notebooks and classes.
"""

from grader.judge.expected import Expected, KnownMistake, expected
from grader.judge.judge import judge, judge_against, unjudged
from grader.judge.output import VERDICT_MIME, as_output
from grader.judge.source import forbidden_in_source
from grader.judge.verdict import INSIDE, OUTSIDE, STATUSES, CheckResult, Verdict

__all__ = [
    "INSIDE",
    "OUTSIDE",
    "STATUSES",
    "VERDICT_MIME",
    "CheckResult",
    "Expected",
    "KnownMistake",
    "Verdict",
    "as_output",
    "expected",
    "forbidden_in_source",
    "judge",
    "judge_against",
    "unjudged",
]
