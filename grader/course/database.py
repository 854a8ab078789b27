"""nbgrader's database as a URL: opened, made whole, and in words where that cannot be."""

from nbgrader.api import Assignment, Gradebook, Student, get_alembic_version
from sqlalchemy import inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from grader.errors import CourseError

VERSION = "alembic_version"


def opened(url: str, course_id: str) -> Gradebook:
    """Raises CourseError if the URL is none, its driver is not installed, or a server would refuse all rows."""
    if not course_id and not url.startswith("sqlite"):
        raise CourseError(
            f"The gradebook {shown(url)} needs a course's name, which its tables refer to: set "
            "c.CourseDirectory.course_id in nbgrader_config.py."
        )
    try:
        return Gradebook(url, course_id)
    except ModuleNotFoundError as error:
        raise CourseError(
            f"The gradebook {shown(url)} needs the package {error.name}, which is not installed. For PostgreSQL: "
            "`pip install '.[postgres]'`, and a db_url that begins with postgresql://."
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise CourseError(
            f"c.CourseDirectory.db_url in nbgrader_config.py is no database's URL ({error}). It looks like "
            "sqlite:////folder/gradebook.db or postgresql://user:password@host/database."
        ) from error


def shown(url: str) -> str:
    """Without the password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "of nbgrader_config.py"


def complete(book: Gradebook) -> None:
    """nbgrader notes the version of its tables after it has made them: if it was killed in between, never."""
    if book.db.query(Assignment).first() or book.db.query(Student).first() or _has_version(book):
        return
    if not inspect(book.engine).has_table(VERSION):
        book.db.execute(text(f"CREATE TABLE {VERSION} (version_num VARCHAR(32) NOT NULL)"))
    book.db.execute(text(f"INSERT INTO {VERSION} (version_num) VALUES (:head)"), {"head": get_alembic_version()})
    book.db.commit()


def _has_version(book: Gradebook) -> bool:
    return inspect(book.engine).has_table(VERSION) and bool(book.db.execute(text(f"SELECT * FROM {VERSION}")).first())
