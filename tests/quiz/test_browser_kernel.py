"""The quiz in JupyterLab when things change around it: kernels that end, logs that cannot be written, new banks."""

import json

import pytest

from quiz.event import Event
from tests.browser import lab
from tests.browser.axe import axe_in_both_themes
from tests.quiz import page as hands
from tests.quiz.make import NOON
from tests.quiz.six import CELL, TYPES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext"
REPORT = """() => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel
  .setSource("from quiz import quiz\\nquiz.report()")"""
LINK = 'form[data-type="single"] .quiz-taught a'
HERE = "path => window.jupyterapp.shell.currentWidget?.context?.path === path"
# What was answered under an earlier version of the bank: another form.
OLD = Event(NOON, "03_rms_norm", "word", 0, 7, "answered", "another", answer="shift", right=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "quiz_progress.jsonl").write_text(OLD.to_json() + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def page(folder):
    with hands.quiz_page(folder, CELL) as page:
        yield page


def answered(page) -> list[str]:
    forms = page.locator("form[data-state=right], form[data-state=wrong]")
    return forms.evaluate_all("all => all.map(form => form.dataset.type)")


def test_a_question_that_was_changed_says_so_until_it_is_answered(page):
    note = hands.form_of(page, "short").get_by_text("This question was changed since you answered it")
    note.wait_for()
    assert page.get_by_text("This question was changed since you answered it").locator("visible=true").count() == 1
    form = hands.form_of(page, "short")
    form.get_by_role("textbox").fill("shift")
    assert hands.send(page, form).startswith("✓ Right")
    assert not note.is_visible()


def test_every_answer_is_in_the_log_with_its_confidence(page, folder):
    form = hands.form_of(page, "order")
    hands.send(page, form, "I am guessing")
    *_, last = (folder / "quiz_progress.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(last)["question"], json.loads(last)["confidence"]) == ("sort", "guess")


def test_answers_survive_a_restart_of_the_kernel(page):
    page.evaluate(f"() => {KERNEL}.session.kernel.restart()")
    lab.wait_until_open(page)
    form = hands.form_of(page, "order")
    form.get_by_role("button", name="certain").click()  # nobody hears it
    form.get_by_text("Restarted: run this cell again.").wait_for()
    lab.command(page, "notebook:run-all-cells")
    page.wait_for_function("() => document.querySelectorAll('form[data-state=right]').length === 1")
    assert answered(page) == ["order", "short"]


def test_a_kernel_that_is_gone_leaves_the_questions_to_read(page):
    lab.command(page, "docmanager:save")
    page.evaluate(f"() => {KERNEL}.shutdown()")
    page.reload()
    lab.wait_until_open(page)
    static = page.locator(".quiz-static")
    static.get_by_text("Run this cell in JupyterLab to answer").wait_for()
    page.get_by_text("model not found").wait_for(state="attached")
    assert not page.get_by_text("model not found").is_visible()
    questions = static.locator("details")
    assert questions.count() == len(TYPES) and all(one.is_visible() for one in questions.all())
    assert static.locator("math").first.is_visible()
    assert axe_in_both_themes(page, ".quiz-static") == ""


def test_running_the_cell_again_puts_the_quiz_in_its_place(page):
    lab.command(page, "notebook:run-all-cells")
    page.wait_for_function("() => document.querySelectorAll('form[data-state=right]').length === 1")
    assert answered(page) == ["order", "short"]
    assert not page.locator(".quiz-static").is_visible()


def test_a_log_that_cannot_be_written_is_said_and_nothing_is_lost(page, folder):
    log = folder / "quiz_progress.jsonl"
    kept = log.read_bytes()
    folder.rename(folder.with_name("gone"))
    try:
        form = hands.form_of(page, "numeric")
        form.get_by_role("textbox").fill("1")
        assert hands.send(page, form) == "✗ Not yet: 1 is too small."
        page.locator(".quiz-unsaved").get_by_text("kept in memory").wait_for()
    finally:
        folder.with_name("gone").rename(folder)
    form.get_by_role("textbox").fill("2")
    hands.send(page, form)
    page.wait_for_function("() => document.querySelector('.quiz-unsaved').textContent === ''")
    assert log.read_bytes().startswith(kept)
    assert [json.loads(line)["answer"] for line in log.read_text(encoding="utf-8").splitlines()[-2:]] == ["1", "2"]


def test_axe_finds_nothing_in_the_report(page):
    lab.command(page, "notebook:insert-cell-below")
    page.evaluate(REPORT)
    lab.command(page, "notebook:run-cell")
    page.locator(".quiz-report").get_by_text("By lesson").wait_for()
    assert axe_in_both_themes(page, ".quiz-report") == ""


def test_the_link_opens_the_lesson_at_its_heading_in_the_same_lab(page):
    form = hands.form_of(page, "single")
    assert form.locator(".quiz-taught").count() == 0  # nothing before an answer
    form.get_by_role("radio").first.check()
    hands.send(page, form)
    link = page.locator(LINK)
    assert link.inner_text() == "03_rms_norm/rms_norm.ipynb, “The mathematics”"
    assert link.get_attribute("href").endswith("/lab/tree/03_rms_norm/rms_norm.ipynb")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(HERE, arg="03_rms_norm/rms_norm.ipynb")
    heading = page.get_by_role("heading", name="The mathematics")
    heading.wait_for()
    page.wait_for_function("""() => [...document.querySelectorAll('h2')].some(h => {
        const box = h.getBoundingClientRect();
        return h.textContent.startsWith('The mathematics') && box.height && box.top >= 0 && box.bottom < innerHeight;
    })""")
    assert page.get_by_role("dialog").count() == 0
