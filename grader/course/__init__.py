"""Grading a class: finds submissions, runs the notebook steps over them, keeps results, saves, reports.

What happens to one notebook is `grader.notebook`'s; here is everything that knows folders, students, the
gradebook and how many of them there are.
"""
