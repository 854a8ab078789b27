"""Lesson 08's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("ffn_params", "ffn_flops")
