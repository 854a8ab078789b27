"""What a student calls in a notebook: `check`, `hint`, and, where the course has answers, `reveal`.

Finding the object, choosing the seed and talking to a person happen here; running and judging do not.
"""
