"""Lesson 12's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers, no timing."""

ORDER = ("bytes_moved", "lean_rms_norm", "triton_rms_norm")
