"""Tests of what students read and run: the lessons' sources, their execution, and `lessons/support`."""
