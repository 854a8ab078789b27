"""Lesson 03's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("rms_norm", "rms_norm_module", "rms_norm_backward")
