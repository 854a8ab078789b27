"""nbgrader's settings for this course: its own workflow and gradebook, on this course's folder names.

Read by every `nbgrader` command and by formgrader when they are started in this folder, and by
`python -m grader build`, so that all of them release the same notebooks.
"""

c = get_config()  # noqa: F821  (nbgrader puts it there)

c.CourseDirectory.course_id = "transformer-internals"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "lessons"
# nbgrader copies every file of a source folder that is no notebook to the students. The lessons' sources are
# .py files with the solutions in them, so they must be named here; setting the list replaces nbgrader's own.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.py"]

# Lessons whose written answers nobody is going to mark: their cells become plain text when the lesson is released.
# Before students are graded; then `python -m grader build LESSON`.
c.GenerateAssignment.preprocessors.prepend(["grader.author.written.WithoutWritten"])
# c.WithoutWritten.lessons = ["03_rms_norm"]

# Pages with students' work in them, for the student (feedback) and for the instructor (formgrader): nothing in
# them may run. See grader/course/safe_html.py.
c.HTMLExporter.preprocessors = ["grader.course.safe_html.SafeOutputs"]
c.HTMLExporter.filters = {"markdown2html": "grader.course.safe_html.markdown"}

# nbgrader would keep a feedback page that is there until the student hands in again: a mark that was given since, a
# mended test or an extension would not be in it.
c.GenerateFeedback.force = True

# `nbgrader autograde` and formgrader's button grade as `python -m grader autograde` does, one notebook at a time:
# rebuilt from the released notebook, run behind a wall, judged outside. See grader/course/stock/.
c.Autograde.sanitize_preprocessors = [
    "grader.course.stock.Rebuild",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "grader.course.stock.Execute",
    "nbgrader.preprocessors.LimitOutput",
    "grader.course.stock.Judge",
    "nbgrader.preprocessors.SaveAutoGrades",
    "grader.course.stock.Extend",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# What lateness costs: nothing, unless a line here says so. Days count from the due date with the student's extension
# (`python -m grader extend`) and the hours of grace, and each day that has begun counts whole. Give
# `python -m grader autograde LESSON` again after a change here, and after written answers were marked.
c.AssignLatePenalties.plugin_class = "grader.course.late.LatePenalty"
# c.LatePenalty.grace_hours = 1
# c.LatePenalty.percent_per_day = 10  # of the student's own points
# c.LatePenalty.points_per_day = 2  # in place of percent, or on top
# c.LatePenalty.most_percent = 50  # never more than this share of the student's own points
