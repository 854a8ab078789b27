"""Lesson 09's exercises: contract, cases and probe of each, and the lesson's own inputs. No answers."""

ORDER = ("causal_attention", "apply_rope", "grouped_query_attention", "attention_module", "cached_attention")
