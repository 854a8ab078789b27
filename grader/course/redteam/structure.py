"""The file itself: cells and metadata edited, moved, doubled; notebooks that are none. Rebuilt from the release."""

import json
from collections.abc import Callable

from grader.course.redteam.attack import ALL, NAME, POINTS, RIGHT, WRONG, Attack, Target, place, plain

CHECKS = [f"check_{name}" for name in POINTS]
FULL = {f"check_{name}": str(points) for name, points in POINTS.items()}


def edited(change: Callable[[list[dict]], object], right: bool = False, **changed) -> Callable[[Target], bytes]:
    """The notebook with its cells changed; the work in it is wrong, or right."""

    def made(target: Target) -> bytes:
        cells = target.cells(**(RIGHT if right else WRONG))
        change(cells)
        return target.notebook(cells, **changed)

    return made


def marks(**facts) -> Callable[[list[dict]], None]:
    """Sets nbgrader's metadata of all checks."""

    def change(cells: list[dict]) -> None:
        for name in CHECKS:
            cells[place(cells, name)]["metadata"]["nbgrader"] |= facts

    return change


def sources(**new: str) -> Callable[[list[dict]], None]:
    def change(cells: list[dict]) -> None:
        for name, source in new.items():
            cells[place(cells, name)]["source"] = source

    return change


def deleted(cells: list[dict]) -> None:
    cells[:] = [c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") not in CHECKS]


def doubled(cells: list[dict]) -> None:
    cells.append(cells[place(cells, "check_rms_norm")] | {"id": "another", "source": "99"})


def moved(cells: list[dict]) -> None:
    for name in CHECKS:
        cells.insert(0, cells.pop(place(cells, name)))


def tagged(cells: list[dict]) -> None:
    for name in CHECKS:
        cells[place(cells, name)]["metadata"]["tags"] = ["skip-execution", "experiment"]


def as_text(cells: list[dict]) -> None:
    for name in CHECKS:
        cell = cells[place(cells, name)]
        cell["cell_type"] = "markdown"
        cell.pop("outputs"), cell.pop("execution_count")


def renamed(cells: list[dict]) -> None:
    for name in CHECKS:
        cells[place(cells, name)]["metadata"]["nbgrader"]["grade_id"] = f"x-{name}"


def setup(cells: list[dict]) -> None:
    """The locked setup cell with a check of one's own."""
    cells[place(cells, "setup")]["source"] += f"\ncheck = lambda name: {POINTS}[name]\n"


def stored(cells: list[dict]) -> None:
    """Results stored in the file, as if the checks had been run."""
    for name, points in FULL.items():
        data = {"text/plain": points, "application/vnd.transformer-internals.verdict+json": {"score": int(points)}}
        result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
        cells[place(cells, name)] |= {"outputs": [result], "execution_count": 1, "source": ""}


def without_ids(cells: list[dict]) -> None:
    for cell in cells:
        cell.pop("id")


def same_ids(cells: list[dict]) -> None:
    for cell in cells:
        cell["id"] = "same"


def heavy(target: Target) -> bytes:
    """Outputs that make the file larger than is read."""
    cell = plain("1") | {"outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * 70 * 2**20}]}
    return target.notebook([*target.cells(**RIGHT), cell])


def full(target: Target) -> bytes:
    """As many outputs as are still read."""
    cell = plain("1") | {"outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * 60 * 2**20}]}
    return target.notebook([*target.cells(**RIGHT), cell])


def old(target: Target) -> bytes:
    """Format 3, which has worksheets and no ids."""
    cells = [
        {"cell_type": "code", "input": c["source"], "language": "python", "outputs": [], "metadata": c["metadata"]}
        if c["cell_type"] == "code"
        else {"cell_type": "markdown", "source": c["source"], "metadata": c["metadata"]}
        for c in target.cells(**RIGHT)
    ]
    worksheets = [{"cells": cells, "metadata": {}}]
    return json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": worksheets}).encode()


def raw(content: bytes) -> Callable[[Target], bytes]:
    return lambda target: content


def elsewhere(folder, target: Target) -> None:
    (folder / "RMSNorm final (2).ipynb").write_bytes(target.notebook(target.cells(**RIGHT)))


def attack(name: str, does: str, change, says: tuple[str, ...] = ("wrong",)) -> Attack:
    return Attack(name, does, edited(change), 0, says, stock=True)


UNREADABLE = ("unreadable",)
RUBY = {"kernelspec": {"name": "ruby", "display_name": "Ruby", "language": "ruby"}}
ATTACKS = (
    attack("check-edited", "checks replaced by full marks", sources(**FULL)),
    attack("check-blanked", "checks emptied", sources(**dict.fromkeys(FULL, ""))),
    attack("check-deleted", "checks deleted", deleted),
    attack("check-doubled", "a check duplicated", doubled),
    attack("check-moved", "checks moved to the top", moved),
    attack("check-tagged", "checks tagged skip-execution", tagged),
    attack("check-as-text", "checks turned into text", as_text),
    attack("check-stored", "results stored in the file", stored),
    attack("points-raised", "100 points in the metadata", marks(points=100)),
    attack("points-off", "grade: false on the checks", marks(grade=False)),
    attack("points-solution", "solution: true on the checks", marks(solution=True)),
    attack("ids-renamed", "grade_ids of the checks changed", renamed),
    attack("setup-edited", "a check of one's own in the setup", setup),
    Attack("ids-missing", "cells without ids", edited(without_ids, right=True), ALL, ("passed",), stock=True),
    Attack("ids-same", "all cells with the same id", edited(same_ids, right=True), ALL, ("passed",), stock=True),
    Attack("no-kernelspec", "no kernelspec", edited(lambda c: None, True, metadata={}), ALL, ("passed",), stock=True),
    Attack(
        "ruby",
        "another language's kernelspec",
        edited(lambda c: None, True, metadata=RUBY),
        ALL,
        ("passed",),
        stock=True,
    ),
    Attack("format-3", "notebook format 3", old, ALL, ("passed",), stock=True),
    Attack(
        "format-9",
        "notebook format 9",
        raw(b'{"nbformat": 9, "nbformat_minor": 0, "cells": []}'),
        0,
        UNREADABLE,
        stock=True,
    ),
    Attack("empty", "an empty file", raw(b""), 0, ("unreadable (The notebook file is empty)",), stock=True),
    Attack(
        "half-a-file",
        "JSON that breaks off",
        lambda t: t.release[:999],
        0,
        ("unreadable (The notebook file is not valid",),
        stock=True,
    ),
    Attack("not-utf-8", "not UTF-8", lambda t: t.release.decode().encode("utf-16"), 0, ("is not UTF-8",), stock=True),
    Attack("nested", "JSON nested a million deep", raw(b"[" * 10**6), 0, ("nested too deeply",), stock=True),
    Attack("digits", "a number of a million digits", raw(b'{"nbformat": ' + b"4" * 10**6 + b"}"), 0, UNREADABLE),
    Attack(
        "no-cells",
        "cells that are no list",
        raw(b'{"nbformat": 4, "cells": {"a": 1}}'),
        0,
        ("no list of cells",),
        stock=True,
    ),
    Attack(
        "no-text",
        "a source that is a number",
        raw(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 7}]}'),
        0,
        UNREADABLE,
    ),
    Attack(
        "heavy", "70 MB of outputs already stored", heavy, 0, ("unreadable", "70 MiB", "clear its outputs"), slow=True
    ),
    Attack("full", "60 MB of outputs already stored", full, ALL, ("passed",), slow=True),
    Attack("renamed", f"not named {NAME}", None, 0, ("In its place there is: RMSNorm final (2).ipynb",), lay=elsewhere),
)
