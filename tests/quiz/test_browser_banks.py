"""Every question of every bank in JupyterLab at 200 %: readable, whole, and silent about its answer."""

import json

import pytest

from quiz.bank import load_all
from quiz.render import block
from quiz.session import Session
from quiz.store import MemoryStore, person
from quiz.view import public
from tests.browser import lab
from tests.quiz import page as hands
from tests.quiz.giveaway import secrets_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]
CELL = "from quiz import quiz\nquiz(most=1000)"
# A window of 1280 by 1000 pixels, at 200 %.
ZOOMED = {"viewport": {"width": 640, "height": 500}, "device_scale_factor": 2}
# Of each form all text that is neither mathematics nor code.
TEXTS = """forms => forms.map(form => {
  const copy = form.cloneNode(true);
  copy.querySelectorAll('math, code').forEach(node => node.remove());
  return copy.textContent;
})"""
FLAT = "all => all.filter(m => !m.getBoundingClientRect().height).map(m => m.getAttribute('alttext'))"
# What reaches out of its form, or would have to be scrolled sideways.
CUT_OFF = """forms => forms.flatMap(form => {
  const edge = form.getBoundingClientRect().right;
  return [...form.querySelectorAll('*')]
    .filter(node => !node.closest('.quiz-unseen'))
    .filter(node => node.getBoundingClientRect().right > edge || node.scrollWidth > node.clientWidth + 1
                    && !['inline', 'block math'].includes(getComputedStyle(node).display) && !node.closest('math'))
    .map(node => `${form.querySelector('legend').textContent.slice(0, 40)}: ${node.outerHTML.slice(0, 120)}`);
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("banks")


@pytest.fixture(scope="module")
def page(folder):
    with hands.quiz_page(folder, CELL, **ZOOMED) as page:
        lab.command(page, "application:toggle-left-area")
        yield page


@pytest.fixture(scope="module")
def session():
    """What the page shows, as Python knows it."""
    return Session(load_all(), MemoryStore(), person())


def test_every_question_is_there(page, session):
    assert page.locator("form.quiz-question").count() == len(session.keys)


def test_mathematics_is_shown_and_no_tex(page, session):
    forms = page.locator("form.quiz-question")
    formulas = sum(json.dumps(public(key, session.variant(key))).count("<math ") for key in session.keys)
    assert page.locator(".quiz math").count() == formulas > 40
    assert page.locator(".quiz math").evaluate_all(FLAT) == []
    assert [text for text in forms.evaluate_all(TEXTS) if set("$\\{") & set(text)] == []


def test_nothing_is_cut_off_or_scrolls_sideways(page):
    assert page.locator("form.quiz-question").evaluate_all(CUT_OFF) == []


def test_neither_the_page_nor_the_notebook_holds_an_answer(page, session, folder):
    lab.command(page, "docmanager:save")
    saved = (folder / "03_rms_norm" / "quiz.ipynb").read_text(encoding="utf-8")
    assert "quiz-static" in saved
    told = page.content() + saved
    for key in session.keys:
        variant = session.variant(key)
        long = [secret for secret in secrets_of(variant) if len(secret) > 12]
        assert [secret for secret in long if secret in told] == [], key
        assert block(variant.after(variant.question.explanation))[:60] not in told
