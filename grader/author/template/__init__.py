"""The texts that `python -m grader new` fills in: one file for each of a new lesson's. Nothing here is imported.

`@@id@@` is the exercise, `@@lesson@@` the lesson, `@@number@@` its number, `@@title@@` its title,
`@@quiz_title@@` that of its quiz, quoted.
"""
