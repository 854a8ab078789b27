"""Lesson 10: right and wrong implementations of each exercise, as students write them."""
