"""Build a lesson: source (.py) -> source notebook (for nbgrader) -> student copy, and compare."""

from dataclasses import dataclass
from pathlib import Path

import nbformat

from grader import answers, exercises
from grader.author import frame, solution_text
from grader.author.convert import as_text, to_release
from grader.author.edits import generated, refuse_if_edited, stamp, was_generated
from grader.author.source import read_source, short
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import FOLDERS, Course, short_name


@dataclass(frozen=True)
class Built:
    """What a lesson's source gives: two notebooks. The same source gives the same bytes anywhere."""

    source: bytes
    release: bytes


def build(course: Course, lesson: str) -> Built:
    """Make both notebooks in memory. Raises CourseError if the frame is wrong or a solution leaks."""
    path = _source(course, lesson)
    notebook = stamp(read_source(path))
    _try_exercises(lesson)
    frame.verify(notebook, exercises.of_lesson(lesson), path)
    release = to_release(course, lesson, notebook)
    _refuse_leaks(solution_text.lines_of(notebook), release, path)
    return Built(as_text(notebook).encode(), release.encode())


def write(course: Course, lesson: str) -> list[Path]:
    """Build and write; the files that changed. Raises CourseError rather than overwrite someone's edits."""
    path = _source(course, lesson)
    refuse_if_edited(path, lesson)
    built = build(course, lesson)
    wanted = {generated(path): built.source, _release_path(course, lesson): built.release}
    return [path for path, content in wanted.items() if write_atomically(path, content)]


def differences(course: Course, lesson: str) -> list[str]:
    """How the committed student copy differs from what the source gives, in sentences; writes nothing."""
    built, path = build(course, lesson), _release_path(course, lesson)
    found = [f"{short(extra)} does not belong there" for extra in _extra_files(path)]
    if not path.is_file():
        return [f"{short(path)} is missing", *found]
    if path.read_bytes() != built.release:
        found.append(f"{short(path)} is not what the source gives: {_what_differs(path, built.release)}")
    return found


def orphans(course: Course) -> list[str]:
    """Student copies whose lesson has no source."""
    known = set(course.lesson_names())
    folders = (path for path in course.lessons.glob(FOLDERS) if path.is_dir())
    return [f"lessons/{path.name} has no source in solutions/" for path in sorted(folders) if path.name not in known]


def _try_exercises(lesson: str) -> None:
    """Raises CourseError where an exercise's answers or cases cannot be had."""
    for exercise in exercises.of_lesson(lesson):
        answers.of(exercise.id)
        exercise.drawn(0)


def _source(course: Course, lesson: str) -> Path:
    path = course.source(lesson)
    if path.suffix != ".py":
        if was_generated(path):
            source = short(path.with_suffix(".py"))
            raise CourseError(f"There is no {source}, from which {path.name} beside it was made: bring it back.")
        raise CourseError(f"{short(path)} is made by hand: `nbgrader generate_assignment {lesson}` releases it.")
    return path


def _release_path(course: Course, lesson: str) -> Path:
    return course.lessons / lesson / f"{short_name(lesson)}.ipynb"


def _extra_files(release: Path) -> list[Path]:
    """Anything beside the notebook, such as a copied .py with the solutions. Lab's checkpoints are ignored."""
    files = (path for path in release.parent.rglob("*") if path.is_file() and path != release)
    return sorted(path for path in files if ".ipynb_checkpoints" not in path.parts)


def _refuse_leaks(lines: list[str], release: str, path: Path) -> None:
    cells = nbformat.reads(release, as_version=4).cells
    found = [
        f"{short(path)}, cell {number} ({frame.name_of(cell)}): source: students would read a solution's {line!r}"
        for number, cell in enumerate(cells, 1)
        for line in solution_text.found_in(lines, cell.source)
    ]
    if found:
        raise CourseError("\n".join(found))


def _what_differs(path: Path, wanted: bytes) -> str:
    try:
        there = nbformat.read(path, as_version=4).cells
    except (ValueError, KeyError, AttributeError) as error:
        return f"it is no readable notebook ({error})"
    expected = nbformat.reads(wanted.decode(), as_version=4).cells
    for number, (old, new) in enumerate(zip(there, expected, strict=False), 1):
        for field in sorted(set(old) | set(new)):
            if old.get(field) != new.get(field):
                return f"cell {number} ({frame.name_of(new)}) differs in its {field}"
    if len(there) != len(expected):
        return f"it has {len(there)} cells instead of {len(expected)}"
    return "the notebook's metadata or the file's layout"
