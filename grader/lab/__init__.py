"""What `python -m grader lab` and `doctor` do: a private copy of the lessons, a look at the machine, the server.

Nothing here knows an exercise, runs a student's code or grades; it is part of the student wheel.
"""
