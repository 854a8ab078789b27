"""Lesson 06's exercises: contract, cases and probe of each, and the small models they are tried on. No answers."""

ORDER = ("warmup_cosine", "decay_groups")
