"""Gives an extension, or takes it back: into the course's file, and at once into what is graded."""

from grader.course.extensions import Extension, Extensions, apply, submission_of
from grader.course.gradebook import Book
from grader.course.lock import only_grader
from grader.course.storage import in_one_sentence
from grader.course.submissions import STUDENT
from grader.errors import CourseError
from grader.paths import Course


def extend(course: Course, lesson: str, student: str, given: Extension | None) -> str:
    """given: None takes it back. What is so now, in sentences. Raises CourseError where it cannot be given."""
    books = [Book(course, lesson, name) for name in course.notebooks(lesson)]
    if not STUDENT.fullmatch(student):
        raise CourseError(f"{student!r} is no student's id (letters and digits, then also . _ @ -).")
    with in_one_sentence(course, books[0].directory.db_url), only_grader(course):
        kept = Extensions(course)
        if given is None and kept.get(lesson, student) is None and not _in_gradebook(books[0], student):
            raise CourseError(f"{student} has no extension in {lesson}: `python -m grader extend --list` shows all.")
        due = _due(books[0])
        if given and given.until and due and given.until <= due:
            raise CourseError(
                f"{lesson} is due {due:%Y-%m-%d %H:%M} UTC, so {given} is no more time. Give a later date, or days: 3d."
            )
        kept.put(lesson, student, given)
        said = [f"{student}, {lesson}: {given or 'no extension'}."]
        if due is None:
            said.append(f"The lesson has no due date yet: nbgrader db assignment add {lesson} --duedate=DATE sets it.")
        return " ".join([*said, *_in_what_is_graded(course, books, student, given)])


def _in_gradebook(book: Book, student: str) -> bool:
    with book.open() as opened:
        submission = submission_of(opened, book.lesson, student)
        return bool(submission and submission.extension)


def _due(book: Book):
    with book.open() as opened:
        return next((one.duedate for one in opened.assignments if one.name == book.lesson), None)


def _in_what_is_graded(course: Course, books: list[Book], student: str, given: Extension | None) -> list[str]:
    lesson = books[0].lesson
    with books[0].open() as opened:
        submission = submission_of(opened, lesson, student)
        if submission is None:
            known = any(one.id == student for one in opened.students) or (course.submitted / student).is_dir()
            unknown = f" Nobody of the id {student} is known so far: look whether it is spelled so."
            return ["Nothing is graded yet; it will count then." + ("" if known else unknown)]
        if given is None:
            submission.extension = None
            opened.db.commit()
        before = submission.late_submission_penalty or 0.0
        apply(course, opened, lesson, student)
    for book in books:
        book.penalise(student)
    with books[0].open() as opened:
        after = submission_of(opened, lesson, student).late_submission_penalty or 0.0
    return [f"Penalty for lateness: {after:g} points" + (f" (it was {before:g})." if before != after else ".")]
