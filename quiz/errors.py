"""The one exception of the quiz that is meant for a person."""


class QuizError(Exception):
    """What happened, where, and what to do, in words for the person who reads it."""
