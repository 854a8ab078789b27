"""nbgrader's database as a URL: opened, made whole, and in words where that cannot be."""

from nbgrader.api import Assignment, Base, Gradebook, Student
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect, text
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
        made = _make_tables(url)
        book = Gradebook(url, course_id)
        if made:
            complete(book)
        return book
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


def _make_tables(url: str) -> bool:
    """nbgrader's tables in a new gradebook; False where there are some. For their version nbgrader itself starts the
    command `alembic`, which takes seconds, and is not found where the environment that it lies in is not activated.
    """
    engine = create_engine(url)
    try:
        if inspect(engine).get_table_names():
            return False
        Base.metadata.create_all(engine)
        return True
    finally:
        engine.dispose()


def complete(book: Gradebook) -> None:
    """The version of the tables is noted after they are made: by one that was killed in between, never."""
    if book.db.query(Assignment).first() or book.db.query(Student).first() or _has_version(book):
        return
    if not inspect(book.engine).has_table(VERSION):
        book.db.execute(text(f"CREATE TABLE {VERSION} (version_num VARCHAR(32) NOT NULL)"))
    book.db.execute(text(f"INSERT INTO {VERSION} (version_num) VALUES (:head)"), {"head": _head()})
    book.db.commit()


def _has_version(book: Gradebook) -> bool:
    return inspect(book.engine).has_table(VERSION) and bool(book.db.execute(text(f"SELECT * FROM {VERSION}")).first())


def _head() -> str:
    """The version of the installed nbgrader's tables."""
    from alembic.script import ScriptDirectory  # only a new gradebook needs it

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()
