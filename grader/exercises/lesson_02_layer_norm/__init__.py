"""Lesson 02's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("layer_norm", "layer_norm_module")
