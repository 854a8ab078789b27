"""Imported by the process from which workers are forked, so that none of them has to import it: no work, no threads."""

import importlib

from grader.answers import of
from grader.exercises import ids
from grader.shown import LATER

# `lean` first: it makes the other imports quicker.
for name in ("grader.lean", "grader.course.worker", "grader.course.job", *LATER):
    importlib.import_module(name)

for exercise in ids():  # every lesson's references and mistakes
    of(exercise)
