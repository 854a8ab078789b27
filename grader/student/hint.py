"""`hint("rms_norm")`: the next hint, from a nudge to nearly the answer."""

from collections import Counter

from grader.errors import CourseError
from grader.exercises import exercise
from grader.student.page import Page

_shown: Counter[str] = Counter()


def hint(exercise_id: str) -> Page:
    """The next hint of an exercise; after the last one, that one again."""
    try:
        hints = exercise(exercise_id).hints
    except CourseError as error:
        return Page("No hint.", str(error))
    number = min(_shown[exercise_id] + 1, len(hints))
    _shown[exercise_id] = number
    more = "Call it again for the next." if number < len(hints) else "That was the last."
    return Page(f"Hint {number} of {len(hints)}.", f"{hints[number - 1]} ({more})")
