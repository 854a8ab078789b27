"""Lesson 11's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("qk_norm", "family_block")
