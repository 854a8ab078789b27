"""The frame: the released notebook of a lesson, and what each of its cells is for. Trusted."""

import copy
import json

from grader.notebook.reading import EXPERIMENT

CHECK = "check_"


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


def exercise_id(check_cell: dict) -> str:
    return grade_id(check_cell).removeprefix(CHECK)


def exercise_ids(notebook: dict) -> list[str]:
    """The exercises a frame grades, in its order."""
    return [exercise_id(cell) for cell in notebook["cells"] if is_check(cell)]


def fresh(cell: dict) -> dict:
    """A copy of a cell as it was released: not run."""
    new = copy.deepcopy(cell)
    if new["cell_type"] == "code":
        new |= {"execution_count": None, "outputs": []}
    return new
