"""All that a course's gradebook and autograded folder hold, to be compared: without random ids and durations."""

import json
import stat

from nbgrader.api import Gradebook
from sqlalchemy import text

from grader.course.gradebook import Book
from grader.paths import Course
from tests.course.classroom import LESSON


def contents(course: Course) -> dict:
    return {"gradebook": gradebook(course), "files": files(course)}


def gradebook(course: Course) -> dict:
    with Book(course, LESSON).open() as book:
        assignment = book.find_assignment(LESSON)
        (notebook,) = assignment.notebooks
        return {
            "version": [tuple(row) for row in book.db.execute(text("SELECT * FROM alembic_version"))],
            "assignment": (str(assignment.duedate), assignment.max_score),
            "cells": sorted((cell.name, cell.cell_type, cell.max_score) for cell in notebook.grade_cells),
            "solutions": sorted(cell.name for cell in notebook.solution_cells),
            "sources": sorted((cell.name, cell.source, cell.locked) for cell in notebook.source_cells),
            "submissions": {one.student.id: _submission(one) for one in assignment.submissions},
            "students": sorted(student.id for student in book.students),
        }


def _submission(one) -> dict:
    (notebook,) = one.notebooks
    return {
        "timestamp": str(one.timestamp),
        "score": one.score,
        "penalty": (one.late_submission_penalty, notebook.late_submission_penalty),
        "grades": sorted(
            (grade.name, grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade)
            for grade in notebook.grades
        ),
        "comments": sorted((c.name, c.auto_comment, c.manual_comment) for c in notebook.comments),
    }


def files(course: Course) -> dict:
    paths = [path for path in course.autograded.rglob("*") if path.is_file()]
    return {str(path.relative_to(course.root)): (_mode(path), _content(path)) for path in paths}


def _mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _content(path):
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook = json.loads(path.read_bytes())
    run = notebook["metadata"].get("run", {})
    notebook["metadata"]["run"] = {key: value for key, value in run.items() if key not in ("seconds", "steps")}
    return notebook


def give(book: Gradebook, student: str, score: float, words: str) -> None:
    """As formgrader does when a teaching assistant marks the written answer."""
    name = ("written_speed", LESSON[3:], LESSON, student)
    grade, comment = book.find_grade(*name), book.find_comment(*name)
    grade.manual_score, grade.needs_manual_grade = score, False
    comment.manual_comment = words
    book.db.commit()
