"""Runs a plain Python file for what it defines."""

import runpy
import sys
from pathlib import Path

from grader.errors import CourseError
from grader.probe.watch import traceback_line


def load(path: Path) -> dict[str, object]:
    """The names a file defines. Raises CourseError when it is not there, no Python, or does not run."""
    if not path.is_file():
        raise CourseError(f"There is no file {path}.")
    sys.path.insert(0, str(path.resolve().parent))  # it may import its neighbours, as when run by itself
    try:
        return runpy.run_path(str(path), run_name="student")
    except SyntaxError as error:
        raise CourseError(f"{path}, line {error.lineno}: this is not valid Python: {error.msg}.") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() at the end of a script included
        line = traceback_line(error)
        raise CourseError(
            f"{path}, line {line['line']}: running the file raised {type(error).__name__}: {error}. "
            f"The line is `{line['text']}`."
        ) from error
    finally:
        sys.path.pop(0)
