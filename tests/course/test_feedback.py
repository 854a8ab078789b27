"""Stock `nbgrader generate_feedback` on the graded class: a page for each, safe to open, without solutions."""

import os
import shutil
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbgrader.server_extensions.formgrader.handlers import template_path

from grader.author import solution_text
from grader.course.gradebook import Book, nbgrader_config
from grader.course.safe_html import cleaned
from grader.paths import Course
from tests.browser import lab
from tests.browser.axe import axe
from tests.course.classroom import LESSON, NAME
from tests.course.contents import give
from tests.course.test_autograde import EXPECTED

BROWSER = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
BROWSER += ["--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def pages(classroom, graded) -> dict:
    """The path of each student's page."""
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", LESSON]
    done = subprocess.run(command, cwd=classroom.course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = classroom.course.root / "feedback"
    return {name: found / name / LESSON / NAME.replace(".ipynb", ".html") for name in EXPECTED}


def parsed(path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_a_page_for_everyone(pages):
    assert all(path.is_file() for path in pages.values())


def test_nothing_of_the_students_can_run_in_feedback(pages):
    demand_harmless(parsed(pages["hostile"]), parsed(pages["blank"]))


def test_nothing_of_the_students_can_run_in_formgrader(classroom, graded):
    """The page that formgrader makes of a submission, by its own exporter and template."""
    config = nbgrader_config(classroom.course)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [template_path]
    exporter, names = HTMLExporter(config=config), ("submission_id", "base_url", "student", "notebook_path")
    names += ("assignment_id", "notebook_id", "last_name", "first_name", "index", "total")

    def page(student: str) -> BeautifulSoup:
        path = classroom.course.autograded / student / LESSON / NAME
        html, _ = exporter.from_filename(str(path), resources=dict.fromkeys(names, "x") | {"index": 1, "total": 2})
        return BeautifulSoup(html, "html.parser")

    hostile = page("hostile")
    demand_harmless(hostile, page("blank"))
    assert "hackpara" in hostile.text and len(hostile.select('div[role="group"]')) == 3


def test_the_columns_of_a_table_stand_apart(pages):
    """nbgrader's page gives a table no space of its own: only with the class that its styles know."""
    tables = [table for table in parsed(pages["half"])("table") if "difficulty" in table.text]
    assert tables and all("table" in table["class"] for table in tables)


def test_a_mark_given_since_is_in_the_next_page(pages, classroom, tmp_path):
    """nbgrader alone keeps the page that is there, for the student has not handed in again."""
    ignored = shutil.ignore_patterns("submitted")  # one of them is a pipe, which cannot be copied
    course = Course(shutil.copytree(classroom.course.root, tmp_path / "course", ignore=ignored))
    with Book(course, LESSON).open() as book:
        give(book, "half", 3, "Nearly all of it.")
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", LESSON, "--student", "half"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = course.root / pages["half"].relative_to(classroom.course.root)
    assert "Nearly all of it." in parsed(page).text and "Nearly all of it." not in parsed(pages["half"]).text


@pytest.mark.parametrize(
    "fetching",
    [
        '<img alt="a" src="https://tracker.example/x.png">',
        '<img alt="a" src="ht\ntps://tracker.example/x.png">',
        '<img alt="a" src="//tracker.example/x.png">',
        '<img alt="a" src="/\t/tracker.example/x.png">',
        '<img alt="a" src=" HTTP://tracker.example/x.png">',
        '<img alt="a" src="\\\\tracker.example/x.png">',
        '<p style="background: url(//tracker.example/x.png)">a</p>',
        '<p style="background: u\\72l(//tracker.example/x.png)">a</p>',
        "<p style=\"background: image-set('//tracker.example/x.png' 1x)\">a</p>",
    ],
)
def test_nothing_is_fetched_from_elsewhere(fetching):
    """It would tell somebody who opens the page, and when."""
    assert "tracker" in fetching and "tracker" not in cleaned(fetching)


def test_what_fetches_nothing_stays():
    kept = '<img src="plot.png" alt="a"> <a href="https://docs.example/x">b</a> <p style="color: red;">c</p>'
    assert cleaned(kept) == kept


def demand_harmless(hostile: BeautifulSoup, blank: BeautifulSoup) -> None:
    """The hostile page can run the same things as the blank one: nbgrader's own."""
    assert len(hostile("style")) == len(blank("style"))
    assert runs(hostile) == runs(blank)
    for tag in ("iframe", "object", "embed", "form", "input", "svg", "base", "meta[http-equiv]"):
        assert len(hostile.select(tag)) == len(blank.select(tag)), tag


def runs(page: BeautifulSoup) -> list[str]:
    """All in a page that a browser would run, now or at a click."""
    found = [str(script) for script in page("script")]
    for element in page(True):
        for name, value in element.attrs.items():
            text = str(value).strip().lower()
            if name.startswith("on") or text.startswith(("javascript:", "vbscript:", "data:text", "data:image/svg")):
                found.append(f"{element.name} {name}={value}")
    return found


def test_what_the_student_wrote_is_still_there(pages):
    page = parsed(pages["hostile"])
    assert any(code.text == "x < 1 & y > 2" for code in page("code")), "code in prose as it was written"
    assert any("if a < b and c > d: pass" in pre.text for pre in page("pre"))
    assert any("quoted" in quote.text for quote in page("blockquote"))
    assert "hackpara" in page.text and "hacklink" in page.text


@pytest.mark.parametrize(
    "student, said",
    [
        ("half", ["2 of 6 points", "eps outside the root", "Not attempted yet"]),
        ("broken", ["could not be graded", "not valid JSON", "0 of 6 points"]),
        ("accidents", ["SyntaxError", "took too long", "kernel died"]),
    ],
)
def test_the_card_says_what_happened(pages, student, said):
    page = parsed(pages[student])
    cards = page.select('div[role="group"]')
    assert len(cards) == 3 and all("border-left" in card["style"] for card in cards)
    for words in said:
        assert words in page.text


def test_a_blank_submission_gets_no_solution(pages, classroom):
    lines = solution_text.solution_lines(classroom.course, LESSON)
    assert len(lines) > 10
    for folder in (pages["blank"].parent, classroom.course.autograded / "blank"):
        assert not solution_text.found_in_folder(lines, folder)
    assert solution_text.found_in_folder(lines, classroom.course.solutions), "they would be found"


@pytest.mark.browser
def test_in_a_browser(pages, tmp_path):
    """Opened and clicked on in Chromium: the title stays, and the card has its colours and sizes."""
    from playwright.sync_api import sync_playwright

    if (chromium := shutil.which("chromium")) is None:
        pytest.skip("needs Chromium: there is no `chromium` on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER)
        page = browser.new_page()
        page.route("http*://**", lambda route: route.abort())
        page.goto(pages["hostile"].as_uri())
        title = page.title()
        for words in ("hackpara", "hacklink"):
            for found in page.get_by_text(words).all():
                found.click(force=True, no_wait_after=True)
        assert page.title() == title == NAME.removesuffix(".ipynb")
        box = page.locator('div[role="group"]').first
        assert box.bounding_box()["width"] > 300
        assert box.evaluate("e => getComputedStyle(e).borderLeftWidth") == "6px"
        assert page.locator("body").evaluate("e => getComputedStyle(e).display") == "block"
        if folder := os.environ.get("COURSE_PICTURES"):
            page.screenshot(path=f"{folder}/feedback.png", full_page=True)
        browser.close()


# What the course puts into nbgrader's page: the lesson's text, and the cards.
OURS = (".text_cell_render", 'div[role="group"]')


@pytest.mark.browser
@pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}")
@pytest.mark.parametrize("part", OURS)
def test_axe_finds_nothing_in_what_is_ours(pages, part):
    with lab.chromium(viewport={"width": 1280, "height": 20_000}) as page:
        page.route("http*://**", lambda route: route.abort())
        page.goto(pages["half"].as_uri())
        assert page.locator(part).count() >= 3
        assert axe(page, part) == ""
