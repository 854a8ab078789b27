"""Lesson 10's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("block", "decoder", "count_params")
