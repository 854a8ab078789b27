"""Lesson 05's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("post_norm", "pre_norm", "sandwich_norm", "pre_norm_block", "pre_norm_stack")
