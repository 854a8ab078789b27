"""What an author does with a lesson: build the student copy, prove the lesson, pack the student wheel.

Nothing here is in the student wheel, and nothing here grades a submission (that is `grader.notebook` and
`grader.course`).
"""
