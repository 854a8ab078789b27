"""The project's own files: versions, what git leaves out, start.py, the rules for skipping tests."""
