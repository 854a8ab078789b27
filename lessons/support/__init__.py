"""What a lesson imports so that its cells stay about the subject: device, timing, traffic, plots, claims, norms.

Nothing here grades, asks or knows an exercise: `grader` and `quiz` are never imported. Importing a piece is
cheap and starts nothing: no plot library, no GPU, no parallel torch operation before a function is called.
"""
