"""The student copies (generated notebooks, one folder a lesson) and `support`, what they import.

Nothing here is written by hand but `support/`: the lessons' text is in `solutions/`.
"""
