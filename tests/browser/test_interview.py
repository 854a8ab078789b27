"""The interview as a student plays it, in a real browser: the cells that appear, the clock, the last page."""

import pytest

from grader.student.rounds.bugs import bugs
from tests.browser import lab, notebook
from tests.browser.axe import axe_in_both_themes
from tests.student.test_bugs import mended

LESSON = "13_interview"
CODE = "() => window.jupyterapp.shell.currentWidget.content.widgets.map(w => w.model.sharedModel.getSource())"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with notebook.lesson(LESSON, tmp_path_factory.mktemp("lab") / "workspace") as page:
        page.set_default_timeout(60_000)
        yield page


def fill_new_cell(page, begins: str, text: str) -> None:
    """Writes into the cell that a round has put into the notebook, and runs it."""
    page.wait_for_function(f"begins => ({CODE})().some(text => text.startsWith(begins))", arg=begins)
    notebook.write(page, begins, text)
    notebook.run(page, text.split("\n")[0])


def test_the_overview_and_a_round_of_questions(page):
    table = notebook.run(page, "quiz.overview()").get_by_role("table")
    table.wait_for()
    assert table.get_by_role("row").count() > 10
    assert axe_in_both_themes(page, ".quiz-report") == ""
    cell = notebook.run(page, "quiz.round()")
    cell.locator("form.quiz-question").first.wait_for()
    assert cell.locator("form.quiz-question").count() == 10


def test_a_blank_page_with_a_clock(page):
    notebook.write(page, "blank_page()", 'page = blank_page("silu")\npage')
    cell = notebook.run(page, "page = blank_page")
    clock = cell.get_by_role("timer")
    clock.wait_for()
    page.wait_for_function("clock => /^\\d+:\\d\\d$/.test(clock.textContent)", arg=clock.element_handle())
    first = clock.inner_text()
    page.wait_for_function("([c, was]) => c.textContent !== was", arg=[clock.element_handle(), first])
    button = cell.get_by_role("button", name="Hide the clock")
    button.focus()
    page.keyboard.press("Enter")
    assert not clock.is_visible()
    page.keyboard.press("Space")  # the focus stays on the button, which now shows it again
    assert clock.is_visible()
    assert axe_in_both_themes(page, '[aria-label="Clock"]') == ""
    assert axe_in_both_themes(page, '[aria-label="Blank page: silu."]') == ""
    fill_new_cell(page, "def silu(x):", "def silu(x):\n    return x / (1 + (-x).exp())")
    card = notebook.run(page, "page.check()").get_by_role("group", name="Check of silu")
    assert "On the clock: " in card.inner_text() and "not judged" in card.inner_text()


def test_a_bug_is_found_mended_and_named(page):
    notebook.write(page, "find_the_bug()", "bug = find_the_bug(1)\nbug")
    cell = notebook.run(page, "bug = find_the_bug")
    assert f"Bug 1 of {len(bugs())}." in cell.inner_text()
    assert axe_in_both_themes(page, f'[aria-label="Bug 1 of {len(bugs())}."]') == ""
    notebook.write(page, "bug.line(", "bug.line(3)")
    assert "Found." in notebook.run(page, "bug.line(").inner_text()
    notebook.run(page, "bug.mend()")
    fill_new_cell(page, bugs()[0].code.split("\n")[0], mended(bugs()[0]))
    card = notebook.run(page, "bug.mended()").get_by_role("group", name="Check of rms_norm")
    assert "6 of 6 points" in card.inner_text() and "eps outside the root" in card.inner_text()


def test_the_last_page_leads_to_a_lesson(page):
    cell = notebook.run(page, "study_next()")
    link = cell.get_by_role("link", name="09 Attention")
    link.wait_for()
    assert axe_in_both_themes(page, ".jp-OutputArea-output.jp-RenderedMarkdown") == ""
    link.click()
    page.wait_for_url("**/09_attention/attention.ipynb*")
    lab.wait_until_open(page)
