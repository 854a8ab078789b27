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

# Pages with students' work in them, for the student (feedback) and for the instructor (formgrader): nothing in
# them may run. See grader/course/safe_html.py.
c.HTMLExporter.preprocessors = ["grader.course.safe_html.SafeOutputs"]
c.HTMLExporter.filters = {"markdown2html": "grader.course.safe_html.markdown"}
