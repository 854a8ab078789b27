"""Edits made to the generated source notebook: never overwritten, and taken back into the .py."""

import nbformat
import pytest

from grader.author.source import read_source
from tests.author.conftest import LESSON, edit

TAKE = f"`python -m grader build --take-edits {LESSON}`"


@pytest.fixture
def generated(course, run):
    """The path of the generated source notebook, just built."""
    assert run("build")[0] == 0
    return course.root / "solutions" / LESSON / "rms_norm.ipynb"


def change(path, edit_cells):
    """Edit the notebook as Lab saves it: ids kept, its own metadata added."""
    notebook = nbformat.read(path, as_version=4)
    edit_cells(notebook.cells)
    notebook.metadata["language_info"]["version"] = "3.99"
    for cell in notebook.cells:
        cell.metadata["trusted"] = True
    nbformat.write(notebook, path)


def new_points(cells):
    cells[4].metadata["nbgrader"]["points"] = 7


def new_text(cells):
    cells[2].source += "\n\nA new paragraph."


def new_cell(cells):
    cells.insert(3, nbformat.v4.new_code_cell("1 + 1"))


def swapped(cells):
    cells[10], cells[12] = cells[12], cells[10]


def deleted(cells):
    del cells[5]


@pytest.mark.parametrize(
    ("edited", "named"),
    [
        (new_points, "cell 5 (check_rms_norm)"),
        (new_text, "cell 3 (markdown, '## Write it')"),
        (new_cell, "cell 4 (code, '1 + 1')"),
        (deleted, "a cell that was deleted (code, 'hint(\"rms_norm\")')"),
        (swapped, "the order of its cells"),
    ],
)
def test_build_refuses_to_overwrite_an_edit_and_names_it(generated, run, edited, named):
    change(generated, edited)
    before = generated.read_bytes()
    status, text = run("build")
    assert status == 2
    assert named in text and TAKE in text
    assert generated.read_bytes() == before


def test_running_and_saving_a_notebook_is_no_edit(generated, run):
    change(generated, lambda cells: cells[1].update(execution_count=3))
    assert run("build")[0] == 0


def test_a_copy_that_the_source_has_left_behind_is_no_edit(generated, course, run):
    edit(course.source(LESSON), "A small lesson", "A tiny lesson")
    assert run("build")[0] == 0
    assert "A tiny lesson" in generated.read_text(encoding="utf-8")


def test_an_unreadable_notebook_is_one_clear_sentence(generated, run):
    generated.write_text("{", encoding="utf-8")
    status, text = run("build")
    assert status == 2 and "is no readable notebook" in text and "Delete it" in text


def test_a_notebook_that_build_did_not_make_is_not_overwritten(generated, run):
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("precious")]), generated)
    status, text = run("build")
    assert status == 2 and "precious" in text


@pytest.mark.parametrize("edited", [new_text, new_cell, deleted, swapped])
def test_edits_are_taken_into_the_source_and_built(generated, course, run, edited):
    change(generated, edited)
    wanted = [cell.source for cell in nbformat.read(generated, as_version=4).cells]
    status, text = run("build", "--take-edits", LESSON)
    assert status == 0 and f"took the edits into solutions/{LESSON}/rms_norm.py" in text
    assert [cell.source for cell in read_source(course.source(LESSON)).cells] == wanted
    assert run("build", "--check")[0] == 0


@pytest.mark.parametrize(
    ("edited", "old", "new"),
    [
        (new_text, "# ```\n\n\n# %%", "# ```\n#\n# A new paragraph.\n\n\n# %%"),
        (deleted, '# %%\nhint("rms_norm")\n\n\n', ""),
    ],
)
def test_taking_edits_leaves_every_other_byte_as_it_was(generated, course, run, edited, old, new):
    source = course.source(LESSON)
    before = source.read_text(encoding="utf-8")
    assert before.count(old) == 1
    change(generated, edited)
    run("build", "--take-edits", LESSON)
    after = source.read_text(encoding="utf-8")
    assert "".join(after.split()) == "".join(before.replace(old, new).split())
    changed = set(after.splitlines()) ^ set(before.splitlines())
    assert changed <= set(old.splitlines()) | set(new.splitlines())


def test_edits_are_taken_even_if_the_frame_is_wrong_and_the_error_is_shown(generated, course, run):
    change(generated, new_points)
    status, text = run("build", "--take-edits", LESSON)
    assert status == 2 and "points: the exercise gives 6, the cell 7" in text
    assert '"points": 7' in course.source(LESSON).read_text(encoding="utf-8")


def test_taking_edits_without_any_changes_nothing(generated, course, run):
    before = course.source(LESSON).read_bytes()
    status, text = run("build", "--take-edits", LESSON)
    assert status == 0 and "took" not in text
    assert course.source(LESSON).read_bytes() == before


def test_edits_on_both_sides_are_left_to_the_author(generated, course, run):
    change(generated, new_text)
    edit(course.source(LESSON), "A small lesson", "A tiny lesson")
    before = course.source(LESSON).read_bytes(), generated.read_bytes()
    status, text = run("build", "--take-edits", LESSON)
    assert status == 2 and "has changed too" in text and "cell 3" in text
    assert (course.source(LESSON).read_bytes(), generated.read_bytes()) == before


def test_an_edit_that_the_percent_format_cannot_hold_is_refused(generated, course, run):
    change(generated, lambda cells: cells[5].update(source="1\n# %%\n2"))
    before = course.source(LESSON).read_bytes()
    status, text = run("build", "--take-edits", LESSON)
    assert status == 2 and "cannot hold what was edited" in text
    assert course.source(LESSON).read_bytes() == before
