"""axe over what the project renders in JupyterLab, light and dark: every lesson's text, and each kind of output.

The quiz is looked at in tests/quiz, the start page beside this, the report and feedback in tests/course.
"""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from grader.paths import FOLDERS, find_course
from tests.browser import lab
from tests.browser.axe import axe, axe_in_both_themes

LESSONS = find_course(Path(__file__)).lessons
NOTEBOOKS = sorted(path.relative_to(LESSONS).as_posix() for path in LESSONS.glob(f"{FOLDERS}/*.ipynb"))
# All cells are in the page, not only those in view.
WHOLE = ("@jupyterlab/notebook-extension", "tracker.jupyterlab-settings", '{"windowingMode": "none"}')
SHOWN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
TEXT, OUTPUT = f"{SHOWN} .jp-RenderedMarkdown", f"{SHOWN} .jp-RenderedHTML"
# As high as the longest lesson: contrast is only judged of what is in the window.
WINDOW = {"width": 1280, "height": 30_000}
# Every kind of output that a lesson has, but the quiz.
KINDS = """
from grader import check, hint, reveal
from grader.judge import CheckResult, STATUSES, Verdict
from IPython.display import display
from lessons.support import plots
from lessons.support.claims import Claim, ClaimTable

checks = tuple(CheckResult(n, p, 2 * p, 2 * (n != "shape"), f"What `{n}` found.") for n, p in zip(
    ("shape", "values", "gradient"), (True, False, True)))
for status in STATUSES:
    display(Verdict("rms_norm", 2, 4, status, checks, "eps outside the root", "Move `eps` *inside*.", ("A note.",)))
display(Verdict("rms_norm", 0, 0, "not attempted", (CheckResult("check", False, 0, 0, "One reason."),)))
display(Verdict("rms_norm", 0, 4, "wrong", (CheckResult("shape", False, 0, 0, "A gate."), checks[1])))
rms_norm = lambda x, weight, eps: x
display(check("rms_norm"), hint("rms_norm"), reveal("rms_norm"))
figure, ax = plots.new_axes()
ax.plot([0, 1], [0, 1])
ax.set(xlabel="steps", ylabel="loss")
display(plots.show(figure, "The loss rises", "The line goes up."))
display(ClaimTable(Claim("a radius", "length", 1.0, 1.0), Claim("b", "c", (1, 2), 3.0),
    Claim("d", "e", 1, None, missing="no GPU")))
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lessons")
    for name in NOTEBOOKS:
        (folder / name).parent.mkdir()
        shutil.copyfile(LESSONS / name, folder / name)
    kinds = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(KINDS)])
    kinds.metadata["kernelspec"] = json.loads((folder / NOTEBOOKS[0]).read_bytes())["metadata"]["kernelspec"]
    nbformat.write(kinds, folder / "kinds.ipynb")
    with lab.lab_server(folder, settings=[WHOLE]) as url, lab.chromium(viewport=WINDOW) as page:
        lab.open_notebook(page, url, "kinds.ipynb")
        yield page


def test_every_kind_of_output(page):
    lab.command(page, "notebook:run-all-cells")
    page.locator(OUTPUT).get_by_text("holds here").wait_for(timeout=60_000)
    assert page.locator(OUTPUT).count() > 15
    assert axe_in_both_themes(page, OUTPUT) == ""


def test_axe_sees_what_is_wrong(page):
    page.locator(OUTPUT).first.evaluate('e => { e.innerHTML = \'<img src="x.png"><p style="color:#ddd">pale</p>\' }')
    found = axe(page, OUTPUT)
    assert "image-alt" in found and "color-contrast" in found


@pytest.mark.parametrize(
    "name", [NOTEBOOKS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in NOTEBOOKS[1:])]
)
def test_a_lessons_text(page, name):
    lab.command(page, "docmanager:open", path=name, kernelPreference={"shouldStart": False, "canStart": False})
    cells = json.loads((LESSONS / name).read_bytes())["cells"]
    texts = sum(cell["cell_type"] == "markdown" for cell in cells)
    page.wait_for_function(
        "([text, count]) => document.querySelectorAll(text + ' h1').length === 1 && "
        "document.querySelectorAll(text).length === count",
        arg=[TEXT, texts],
        timeout=60_000,
    )
    page.wait_for_function("() => !document.querySelector('mjx-container:empty')")
    try:
        assert axe_in_both_themes(page, TEXT) == ""
    finally:
        lab.command(page, "application:close")
