"""Imported by the process from which workers are forked, so that none of them has to import it: no work, no threads."""

import importlib

from grader.answers import of
from grader.exercises import ids

# `lean` first: before what it keeps out.
for name in ("grader.lean", "grader.course.worker", "grader.course.job"):
    importlib.import_module(name)

for exercise in ids():  # every lesson's references and mistakes
    of(exercise)
