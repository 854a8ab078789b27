"""What one cell of a lesson must look like: a generator of sentences for each kind of nbgrader cell."""

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from grader.author.solution_text import BEGIN, END
from grader.probe import Exercise

SETUP, CHECK, WRITTEN, EXPERIMENT = "setup", "check_", "written_", "experiment"
VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FLAGS = ("grade", "locked", "solution")
HIDDEN_BEGIN, HIDDEN_END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
STUB = "raise NotImplementedError()"


def metadata(meta: dict) -> Iterator[str]:
    """Fields that every nbgrader cell has, and their types."""
    for flag in FLAGS:
        if not isinstance(meta.get(flag), bool):
            yield f"{flag}: must be true or false, is {meta.get(flag)!r}"
    if meta.get("schema_version") != 3:
        yield f"schema_version: must be 3, is {meta.get('schema_version')!r}"
    if not VALID_ID.fullmatch(str(meta.get("grade_id", ""))):
        yield (
            f"grade_id: must be 1 to 64 letters, digits, - or _ (it becomes the cell's id), is {meta.get('grade_id')!r}"
        )
    points = meta.get("points")
    if meta.get("grade") and (type(points) is not int or points < 0):
        yield f"points: must be a whole number, is {points!r}: students could get more than all points"


def setup(cell: NotebookNode) -> Iterator[str]:
    if cell.cell_type != "code" or not cell.metadata.nbgrader.get("locked"):
        yield "locked: the setup cell must be a locked code cell"


def check(cell: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    """A check cell belongs to an exercise of the lesson, agrees with its points, and only calls check."""
    meta = cell.metadata.nbgrader
    exercise = exercises.get(meta.get("grade_id", "").removeprefix(CHECK))
    if exercise is None or not meta["grade_id"].startswith(CHECK):
        names = ", ".join(CHECK + name for name in exercises) or "none, the lesson has no exercises"
        yield f"grade_id: a graded code cell is the check of one of the lesson's exercises ({names})"
        return
    if exercise.extra:
        yield f"grade: {exercise.id} is extra credit, so the cell must not be graded: nobody shall lose its points"
    elif meta.get("points") != exercise.points:
        said = f"the exercise gives {exercise.points}, the cell {meta.get('points')!r}"
        yield f"points: {said} (`build --points` writes it there)"
    if not meta.get("locked"):
        yield "locked: a check cell must be locked"
    yield from _check_source(cell.source, exercise.id)


def extra_check(cell: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    """The check of extra credit: locked, not graded, nothing but the call."""
    exercise = exercises.get(cell.metadata.nbgrader["grade_id"].removeprefix(CHECK))
    if exercise is None or not exercise.extra:
        yield "grade: only the check of an exercise for extra credit is not graded"
    elif not cell.metadata.nbgrader.get("locked"):
        yield "locked: a check cell must be locked"
    elif cell.source.strip() != f'check("{exercise.id}")':
        yield f'source: a check cell of extra credit is exactly\ncheck("{exercise.id}")\nbut is\n{cell.source}'


def check_source(exercise_id: str) -> str:
    """What a check cell's source is, to the letter."""
    hidden = f'check("{exercise_id}", seed="held-out")'
    return f'check("{exercise_id}")\n{HIDDEN_BEGIN}\n{hidden}\n{HIDDEN_END}'


def _check_source(source: str, exercise_id: str) -> Iterator[str]:
    if source.strip() != check_source(exercise_id):
        yield f"source: a check cell is exactly\n{check_source(exercise_id)}\nbut is\n{source}"


def solution(cell: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    """A solution cell belongs to an exercise and has its region where the stub can stand."""
    grade_id = cell.metadata.nbgrader.get("grade_id")
    if grade_id not in exercises:
        yield f"grade_id: a solution cell is one of the lesson's exercises ({', '.join(exercises) or 'none'})"
    if BEGIN not in cell.source:
        yield f"source: no ### {BEGIN} region, so students would get an empty cell without a signature"
    else:
        yield from _stub_placement(cell.source)


def _stub_placement(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(with_stubs(source))
    except SyntaxError as error:
        yield f"source: the student's copy is not valid Python: line {error.lineno}: {error.msg}"
        return
    for where in _raised_at_definition(tree):
        yield (
            f"source: a ### {BEGIN} region stands around {where}, so the student's copy raises "
            "NotImplementedError when the cell runs; put the regions inside the functions and methods"
        )


def with_stubs(source: str) -> str:
    """A cell's source as the student gets it: each region replaced as nbgrader's ClearSolutions does it."""
    lines, inside = [], False
    for line in source.split("\n"):
        if BEGIN in line:
            inside = True
            lines.append(line[: len(line) - len(line.lstrip())] + STUB)
        elif END in line:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def _raised_at_definition(node: ast.AST, where: str = "code outside any function") -> Iterator[str]:
    """Where a stub would run as soon as the cell does: not in the body of a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) and ast.unparse(child) == STUB:
            yield where
        elif isinstance(child, ast.ClassDef):
            yield from _raised_at_definition(child, f"the body of class {child.name}")
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _raised_at_definition(child, where)


def written(cell: NotebookNode) -> Iterator[str]:
    grade_id = cell.metadata.nbgrader.get("grade_id", "")
    if not grade_id.startswith(WRITTEN):
        yield f"grade_id: a written answer's is {WRITTEN}<topic>, this is {grade_id!r}"


def syntax(cell: NotebookNode) -> Iterator[str]:
    """A code cell is Python. One with IPython's own commands is left to IPython."""
    if cell.cell_type != "code" or re.search(r"^\s*[%!]", cell.source, re.MULTILINE):
        return
    try:
        ast.parse(cell.source)
    except SyntaxError as error:
        yield f"source: line {error.lineno} of the cell is not Python: {error.msg}"


def regions(cell: NotebookNode) -> Iterator[str]:
    """Solution regions are closed, not nested, and only where nbgrader takes them out."""
    meta = cell.metadata.get("nbgrader", {})
    marks = re.findall(f"{BEGIN}|{END}", cell.source)
    if marks != [BEGIN, END] * (len(marks) // 2):
        yield f"source: every ### {BEGIN} needs its ### {END}, and none may stand inside another"
    if marks and not meta.get("solution"):
        yield f"source: a ### {BEGIN} region in a cell that is no solution cell"
    if "HIDDEN TESTS" in cell.source and not meta.get("grade"):
        yield "source: a hidden tests region in a cell that is no check cell"
