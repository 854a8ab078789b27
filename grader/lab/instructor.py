"""What an instructor needs on top of a student: versions as pinned, the course's folders, the gradebook."""

import os
import sqlite3
from contextlib import closing

from grader.errors import CourseError
from grader.lab.environment import FAIL, NOTE, OK, REINSTALL, Line
from grader.lab.grading_node import grading_node
from grader.lab.versions import differing
from grader.paths import Course, find_course


def instructor() -> list[Line]:
    """Lines for grading. Outside a course only what needs no course."""
    try:
        course = find_course()
    except CourseError as error:
        return [Line(NOTE, f"No course here: {error}"), *grading_node()]
    return [versions(), lessons(course), submissions(course), gradebook(course), processors(), *grading_node()]


def versions() -> Line:
    if wrong := differing():
        return Line(NOTE, f"Other versions than the course was proved with: {', '.join(wrong)}", REINSTALL)
    return Line(OK, "Installed versions are those of constraints.txt")


def lessons(course: Course) -> Line:
    names = course.lesson_names()
    missing = [name for name in names if not any((course.lessons / name).glob("*.ipynb"))]
    if missing or not names:
        text = f"Not released yet: {', '.join(missing)}" if missing else f"No lessons in {course.solutions}"
        return Line(FAIL, text, "python -m grader build")
    return Line(OK, f"Lessons: {', '.join(names)}")


def submissions(course: Course) -> Line:
    counts = {name: len(list(course.submitted.glob(f"*/{name}"))) for name in course.lesson_names()}
    told = [f"{name}: {count}" for name, count in counts.items() if count]
    return Line(OK, f"Submissions: {', '.join(told) or 'none yet, they go to submitted/STUDENT/LESSON/'}")


def gradebook(course: Course) -> Line:
    path = course.root / "gradebook.db"
    if not path.is_file():
        return Line(OK, "Gradebook: none yet, the first grading makes gradebook.db")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        answer = str(error)
    if answer != "ok" or not os.access(path, os.W_OK):
        text = f"Gradebook {path.name}: {answer if answer != 'ok' else 'cannot be written'}"
        return Line(FAIL, text, "give it the right permissions, or put it aside: grading again fills a new one")
    return Line(OK, f"Gradebook: {path.name}, {path.stat().st_size // 1024} kB")


def processors() -> Line:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Line(OK, f"Processors for grading: {count}")
