"""The one exception that is meant for a person."""


class CourseError(Exception):
    """What happened, where, and what to do, in words for the person who reads it.

    The command line prints the message without a traceback and exits with 2.
    """
