"""Lesson 01's exercises: contract, cases and probe of each, and the layers they are run with. No answers."""

ORDER = ("residual_stream", "stream_jacobian", "residual_init_std")
