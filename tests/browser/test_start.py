"""The start page in a real browser, as `start.py lab` opens it: seen, reached by keyboard, and up to date."""

import pytest

from grader import answers
from tests.browser import lab, notebook
from tests.browser.axe import axe_in_both_themes
from tests.lab.begun import begun
from tests.lab.serving import course_lab

START = ".course-start"
HERE = "path => window.jupyterapp.shell.currentWidget?.context?.path === path"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return begun(tmp_path_factory.mktemp("start"))


@pytest.fixture(scope="module")
def page(place):
    course, workspace = place
    with course_lab(course, workspace) as url, lab.chromium() as page:
        page.goto(url.replace("/lab?", "/?"))
        lab.wait_until_open(page)
        yield page


def test_the_address_that_is_printed_opens_it_and_shows_it_at_once(page):
    assert page.url.endswith("/lab/tree/start.ipynb")
    page.locator(START).get_by_role("heading", name="What comes next").wait_for()
    assert page.locator(START).get_by_role("row").count() == 2 + len(page.locator(f"{START} tbody tr").all())
    assert page.evaluate("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    # Lab shows it with its style, which it takes away from what is not trusted.
    assert page.locator(".course-next").evaluate("e => getComputedStyle(e).borderLeftWidth") == "6px"


def test_axe_finds_nothing_in_light_and_dark(page):
    assert axe_in_both_themes(page, START) == ""
    assert axe_in_both_themes(page, ".jp-Notebook .jp-RenderedMarkdown") == ""


def test_a_small_screen_shows_all_without_scrolling_sideways(page):
    page.set_viewport_size({"width": 420, "height": 900})
    lab.command(page, "application:toggle-left-area")
    try:
        fits = "e => e.scrollWidth <= e.clientWidth && e.getBoundingClientRect().right <= innerWidth"
        page.wait_for_function("() => document.querySelector('.course-start').clientWidth < 400")
        assert page.locator(START).evaluate(fits)
        assert axe_in_both_themes(page, START) == ""
    finally:
        page.set_viewport_size({"width": 1280, "height": 1000})
        lab.command(page, "application:toggle-left-area")


def test_the_keyboard_opens_the_lesson_and_a_check_shows_on_the_page(page):
    page.locator(f"{START} .course-next a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(HERE, arg="03_rms_norm/rms_norm.ipynb", timeout=60_000)
    lab.wait_until_open(page)
    notebook.run(page, "setup")
    right = answers.of("rms_norm_module")
    notebook.write(page, "rms_norm_module", right.source(right.reference))
    notebook.run(page, "rms_norm_module")
    notebook.run(page, "check_rms_norm_module").get_by_role("group").wait_for()
    lab.command(page, "docmanager:open", path="start.ipynb")
    page.wait_for_function(HERE, arg="start.ipynb")
    notebook.run(page, "start()")
    page.locator(f"{START} .course-next").get_by_text("exercise rms_norm_backward").wait_for(timeout=60_000)
    current = page.locator(f"{START} tr[aria-current=step]")
    assert "2 of 3" in current.inner_text()
