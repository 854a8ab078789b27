"""Lesson 04's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("rms_norm_mixed", "gemma_rms_norm")
