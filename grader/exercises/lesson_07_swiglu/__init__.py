"""Lesson 07's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("silu", "swiglu", "swiglu_module", "ffn_hidden_dim")
