"""The rounds of the interview: a blank page with a clock, a program with a bug to find, and what to study next.

They choose, show and tell. Judging is `check`'s alone, and no answer is kept here: a blank page takes its stub from the
released lesson, and `bugs.yaml` holds wrong programs only.
"""
