"""The frame: the released notebook of a lesson, and what each of its cells is for. Trusted."""

import copy
import json
import re

from grader.notebook.reading import EXPERIMENT

CHECK = "check_"
CALL = re.compile(r"""check\(\s*(["'])(\w+)\1\s*\)""")
# A frame's own metadata, put there when grading begins and never on any page: of a test cell, its source with the
# hidden tests in it; of the notebook, what else its plain tests need (see `grader.course.assignment`).
HIDDEN, GRADING = "with_hidden_tests", "grading"


def load(notebook: bytes) -> dict:
    """One of our own notebooks (released, rebuilt, executed) with every source as one string."""
    loaded = json.loads(notebook)
    for cell in loaded["cells"]:
        if isinstance(cell["source"], list):
            cell["source"] = "".join(cell["source"])
    return loaded


def dump(notebook: dict) -> bytes:
    """The same notebook gives the same bytes."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")


def nbgrader(cell: dict) -> dict:
    return cell["metadata"].get("nbgrader", {})


def grade_id(cell: dict) -> str | None:
    return nbgrader(cell).get("grade_id")


def is_solution(cell: dict) -> bool:
    """A cell the student fills in: code of an exercise, or a written answer."""
    return bool(nbgrader(cell).get("solution"))


def is_check(cell: dict) -> bool:
    """A cell that is graded by running it."""
    return bool(nbgrader(cell).get("grade")) and not is_solution(cell)


def is_locked(cell: dict) -> bool:
    """A cell the student's version of which never counts."""
    return is_check(cell) or (bool(nbgrader(cell).get("locked")) and not is_solution(cell))


def is_experiment(cell: dict) -> bool:
    graded = is_solution(cell) or is_check(cell)
    return EXPERIMENT in cell["metadata"].get("tags", []) and not graded


def exercise_of(cell: dict) -> str | None:
    """The exercise that a cell of the frame is the check of; None for every other cell."""
    call = CALL.fullmatch(cell["source"].strip()) if is_check(cell) else None
    return call[2] if call and grade_id(cell) == CHECK + call[2] else None


def is_plain_test(cell: dict) -> bool:
    """A cell of the frame that is run as it is and graded by how it ends, as in any nbgrader assignment."""
    return is_check(cell) and cell["cell_type"] == "code" and exercise_of(cell) is None


def exercise_ids(notebook: dict) -> list[str]:
    """The exercises a frame grades, in its order."""
    return [name for cell in notebook["cells"] if (name := exercise_of(cell)) is not None]


def has_hidden_tests(notebook: dict) -> bool:
    return any(HIDDEN in cell["metadata"] for cell in notebook["cells"])


def page(released: dict) -> dict:
    """The notebook without what is only there for grading."""
    return released | {"metadata": {key: value for key, value in released["metadata"].items() if key != GRADING}}


def fresh(cell: dict) -> dict:
    """A copy of a cell as it was released: not run."""
    new = copy.deepcopy(cell)
    new["metadata"].pop(HIDDEN, None)
    if new["cell_type"] == "code":
        new |= {"execution_count": None, "outputs": []}
    return new
