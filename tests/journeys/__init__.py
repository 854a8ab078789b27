"""Whole journeys of a class through the real programs: nbgrader's exchange, its panel, formgrader, JupyterHub.

What a program does by itself is tested beside its kind; helpers of more than one journey stand here, too.
"""
