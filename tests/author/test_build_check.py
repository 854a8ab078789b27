"""`python -m grader build --check`: says how the student copy differs from the source, and writes nothing."""

import nbformat
import pytest

from tests.author.conftest import LESSON, edit
from tests.author.test_build import RELEASE, SOURCE, files_of


def test_check_passes_after_a_build_and_writes_nothing(course, run):
    run("build")
    before = files_of(course.root)
    assert run("build", "--check") == (0, "")
    assert files_of(course.root) == before


def test_check_says_that_the_student_copy_is_missing(course, run):
    status, text = run("build", "--check")
    assert status == 1
    assert f"{RELEASE} is missing" in text and f"`python -m grader build {LESSON}`" in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("A small lesson", "A smaller lesson", "cell 1 (markdown, '# A smaller lesson for the tests') differs"),
        ('\n# %%\nhint("rms_norm")\n', "", "(rms_norm_module) differs in its"),
        ("keepdim=True)\n    return x *", "keepdim=True)\n    return 1 * x *", "the notebook's metadata"),
    ],
)
def test_check_names_what_differs(course, run, old, new, said):
    run("build")
    edit(course.root / SOURCE, old, new)
    status, text = run("build", "--check")
    assert status == 1
    assert f"{RELEASE} is not what the source gives" in text and said in text


def test_check_names_a_student_copy_that_was_edited_by_hand(course, run):
    run("build")
    notebook = nbformat.read(course.root / RELEASE, as_version=4)
    notebook.cells[3].source = "def rms_norm(x, weight, eps): ..."
    nbformat.write(notebook, course.root / RELEASE)
    status, text = run("build", "--check")
    assert status == 1 and "cell 4 (rms_norm) differs in its source" in text


def test_check_names_files_that_do_not_belong_to_a_release(course, run):
    run("build")
    (course.root / RELEASE).with_suffix(".py").write_text("solution = 1\n")
    (course.root / "lessons/09_gone").mkdir()
    status, text = run("build", "--check")
    assert status == 1
    assert f"lessons/{LESSON}/rms_norm.py does not belong there" in text
    assert "lessons/09_gone has no source" in text
