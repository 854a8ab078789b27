"""The quiz as a person meets it: JupyterLab in a real browser, by keyboard, in light and dark."""

from urllib.parse import urlsplit

import nbformat
import pytest

from quiz.bank import load
from tests.browser import lab
from tests.quiz.make import LESSON

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
TITLES = {"which_formula": 1, "what_always_holds": 2, "norm_parameters": 3}
NUMBER_OF_CELLS = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
FOCUSED = "() => document.activeElement.textContent || document.activeElement.type"
MARKED = "form => ['right', 'wrong'].includes(form.dataset.state)"


@pytest.fixture(scope="module")
def asked():
    """Every address that the page asked for."""
    return []


@pytest.fixture(scope="module")
def page(tmp_path_factory, asked):
    folder = tmp_path_factory.mktemp("quiz")
    cells = [nbformat.v4.new_code_cell(f'from quiz import quiz\nquiz("{LESSON}")'), nbformat.v4.new_code_cell("1")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), folder / "quiz.ipynb")
    with lab.lab_server(folder) as url, lab.chromium() as page:
        page.on("request", lambda request: asked.append(request.url))
        lab.open_notebook(page, url, "quiz.ipynb")
        lab.command(page, "notebook:run-all-cells")
        page.locator("form.quiz-question").first.wait_for()
        yield page


def form_of(page, question: str):
    return page.get_by_role("form", name=f"Question {TITLES[question]} of 3")


def marked(page, form) -> str:
    page.wait_for_function(MARKED, arg=form.element_handle())
    return form.get_by_role("status").inner_text()


def test_the_page_holds_no_answer_before_one_is_given(page):
    html = page.content()
    assert html.count("<fieldset") == 3
    for question in load(LESSON).questions:
        secrets = [question.explanation, *question.hints, *(o.feedback for o in getattr(question, "options", []))]
        assert not any(secret[:25] in html for secret in secrets if secret)
    assert "eps_outside_root" not in html and "no_eps" not in html


def test_mathematics_is_shown_and_no_tex(page):
    forms = page.locator("form.quiz-question")
    assert forms.first.locator("math").count() >= 5
    assert not any("$" in text or "\\" in text for text in forms.all_inner_texts())


def test_a_question_is_answered_by_keyboard_alone(page):
    form = form_of(page, "which_formula")
    form.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert [radio.is_checked() for radio in form.get_by_role("radio").all()] == [False, True, False, False]
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Check my answer"
    page.keyboard.press("Enter")
    assert marked(page, form)[0] in "✓✗"
    assert page.evaluate(FOCUSED) == "Check my answer"  # the focus has survived the reply


def test_hint_and_solution_come_by_keyboard_and_keep_the_focus(page):
    form = form_of(page, "what_always_holds")
    form.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    assert marked(page, form).startswith("✗ Not yet: ")  # two hold: one tick is never all
    hint = form.get_by_role("button", name="Hint (3 left)")
    hint.focus()
    page.keyboard.press("Enter")
    form.get_by_role("button", name="Hint (2 left)").wait_for()
    assert page.evaluate(FOCUSED) == "Hint (2 left)"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    form.get_by_text("✓ right").first.wait_for()
    assert form.get_by_text("✓ right").count() == 2
    assert "Solution" in page.evaluate(FOCUSED)  # not lost with the button that is gone


def test_a_number_that_is_none_is_asked_for_again(page):
    form = form_of(page, "norm_parameters")
    field = form.get_by_label("Your number:")
    field.fill("lots")
    field.press("Enter")
    form.get_by_text("Type one number").wait_for()
    assert field.evaluate("input => input === document.activeElement")
    assert form.get_by_role("button", name="Show the solution").count() == 0
    field.fill("1")
    field.press("Enter")
    assert marked(page, form) == "✗ Not yet: 1 is too small."


@pytest.mark.parametrize(("question", "role"), [("which_formula", "radio"), ("norm_parameters", "textbox")])
def test_labs_shortcuts_do_not_fire_inside(page, question, role):
    before = page.evaluate(NUMBER_OF_CELLS)
    form_of(page, question).get_by_role(role).first.focus()
    for key in ["a", "b", "d", "d", "ArrowDown", "x", "Shift+Enter", "m"]:
        page.keyboard.press(key)
    assert page.evaluate(NUMBER_OF_CELLS) == before == 2
    assert page.locator(".jp-Cell.jp-CodeCell").count() == 2
    assert form_of(page, question).locator(":focus").count() == 1


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_either_theme(page, dark):
    from axe_playwright_python.sync_playwright import Axe

    lab.use_theme(page, dark)
    found = Axe().run(page, context=".quiz")
    assert found.violations_count == 0, found.generate_report()


def test_answers_are_still_there_after_a_reload(page):
    lab.command(page, "docmanager:save")
    page.reload()
    form = form_of(page, "norm_parameters")
    form.wait_for(timeout=60_000)
    assert marked(page, form) == "✗ Not yet: 1 is too small."
    assert form.get_by_label("Your number:").input_value() == "1"
    assert form_of(page, "what_always_holds").get_by_text("✓ right").count() == 2


def test_no_request_has_left_the_machine(page, asked):
    hosts = {urlsplit(url).hostname for url in asked if url.startswith(("http", "ws"))}
    assert hosts == {"127.0.0.1"}
