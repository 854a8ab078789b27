"""What a notebook is graded against: the released notebook, with what only the instructor's copy has.

For a lesson of this course that is the released notebook as it is. A plain test is run with its hidden tests, in a
folder with the assignment's files, and read as nbgrader's settings say.
"""

import base64
import logging
from pathlib import Path

import nbformat
from jupyter_core.paths import jupyter_config_path
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError
from nbgrader.preprocessors import NbGraderPreprocessor, SaveCells
from nbgrader.utils import find_all_files
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader
from traitlets.utils.importstring import import_item

from grader.author.source import read_source
from grader.errors import CourseError
from grader.notebook import Limits
from grader.notebook.demands import demand_gradable
from grader.notebook.frame import GRADING, HIDDEN, dump, grade_id, load
from grader.notebook.plain import plain_tests
from grader.paths import CONFIG, Course

SILENT = logging.Logger("nbgrader", logging.CRITICAL)
MAX_FILES = 16 * 2**20  # bytes: they are sent with every notebook
DAMAGED = (AttributeError, KeyError, TypeError, ValueError, SchemaTooNewError, SchemaTooOldError)


def frame_of(course: Course, lesson: str, name: str) -> bytes:
    """The frame of one notebook of an assignment. Raises CourseError if it cannot be graded."""
    release = course.release(lesson, name).read_bytes()
    released = load(release)
    demand_gradable(released, f"{lesson}/{name}")
    if not (plain := plain_tests(released)):
        return release
    _demand_python(released, course.release(lesson, name))
    config = nbgrader_config(course)
    directory = CourseDirectory(config=config, root=str(course.root), log=SILENT)
    whole = until_saved(course, lesson, name, None, config, directory)
    sources = {grade_id(cell): cell.source for cell in whole.cells}
    for test, cell in plain.items():
        if test not in sources:
            raise CourseError(
                f"{course.source(lesson, name).relative_to(course.root)} has no test {test}, which was released: "
                f"release it again, or take the change back."
            )
        if sources[test] != cell["source"]:
            cell["metadata"][HIDDEN] = sources[test]
    released["metadata"][GRADING] = {"files": _files(course, lesson, directory), **_ignored(config)}
    return dump(released)


def until_saved(
    course: Course,
    lesson: str,
    name: str,
    last: type[NbGraderPreprocessor] | None,
    config: Config,
    directory: CourseDirectory,
) -> NotebookNode:
    """An instructor's notebook after the course's own chain for releasing, up to where its cells are saved in the
    gradebook: hidden tests and all. last: SaveCells, if they are to be saved.

    Raises RuntimeError if cells were added or removed since grades were saved, CourseError if nbgrader cannot read it.
    """
    chain = GenerateAssignment(config=config, coursedir=directory, log=SILENT).preprocessors
    path = course.source(lesson, name)
    names = {"student": ".", "assignment": lesson, "notebook": name, "db_url": directory.db_url}
    resources = {"nbgrader": names, "unique_key": name}
    try:
        notebook = read_source(path) if path.suffix == ".py" else nbformat.read(path, as_version=4)
        for preprocessor in [*chain[: chain.index(SaveCells)], *filter(None, [last])]:
            made = import_item(preprocessor) if isinstance(preprocessor, str) else preprocessor
            notebook, resources = made(config=config, log=SILENT)(notebook, resources)
    except DAMAGED as error:
        said = str(error) or type(error).__name__
        raise CourseError(f"nbgrader cannot release {path.relative_to(course.root)}: {said}") from error
    return notebook


def _demand_python(released: dict, path: Path) -> None:
    language = released["metadata"].get("kernelspec", {}).get("language", "python")
    if language != "python":
        raise CourseError(f"{path.name} is a notebook in {language}; only Python runs behind the wall.")


def _files(course: Course, lesson: str, directory: CourseDirectory) -> dict[str, str]:
    """What nbgrader gives to the students beside the notebooks, by path: its content, base64."""
    folder = course.lessons / lesson
    paths = [Path(found) for found in sorted(find_all_files(str(folder), [*directory.ignore, "*.ipynb"]))]
    if (size := sum(path.stat().st_size for path in paths)) > MAX_FILES:
        raise CourseError(
            f"The files in {folder.relative_to(course.root)} have {size / 2**20:.0f} MiB, more than the "
            f"{MAX_FILES // 2**20} that are sent along with each notebook. Make them smaller."
        )
    return {path.relative_to(folder).as_posix(): base64.b64encode(path.read_bytes()).decode() for path in paths}


def _ignored(config: Config) -> dict[str, str]:
    chosen = config.IgnorePattern
    return {"ignored_stderr": str(chosen.pattern)} if chosen.get("enabled") and chosen.get("pattern") else {}


def limits(course: Course) -> Limits:
    """How long a cell may run: nbgrader's own setting, if the course has one."""
    seconds = nbgrader_config(course).Execute.get("timeout")
    return Limits(cell_seconds=float(seconds)) if seconds else Limits()


def nbgrader_config(course: Course) -> Config:
    """nbgrader's settings as its own commands read them: the machine's, the user's, then the course's."""
    config = Config()
    for folder in [*reversed(jupyter_config_path()), str(course.root)]:
        if Path(folder, CONFIG).is_file():
            config.merge(PyFileConfigLoader(CONFIG, path=folder).load_config())
    return config
