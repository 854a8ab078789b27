"""The report as a page, over a class with everything in it: complete in one file, and for everybody to read."""

import json
import os
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from bs4 import BeautifulSoup

from grader.cli import main
from grader.course import plots
from grader.course.bench_class import hand_ins
from grader.course.page import page as make_page
from grader.judge import as_output, unjudged
from grader.notebook.graded import Graded
from tests.browser import lab
from tests.course.classroom import LESSON, SCRIPT, Classroom, built, new_course
from tests.course.quick import Quick, verdict

UNUSUAL = {"student0003": "timed out", "student0007": "tampered", "student0011": "out of memory"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return reported(tmp_path_factory.mktemp("report"))


def reported(folder: Path) -> Path:
    """A course with 40 students, graded; and its report."""
    course = new_course(folder)
    for name, content in hand_ins(LESSON, built(), 40):
        Classroom(course).hand_in(name, content)
    with pytest.MonkeyPatch.context() as patch:
        Quick(course, patch).autograde()
        for path in sorted(course.autograded.glob("*/*/*.ipynb")):
            _lived_through(path, path.parts[-3])
        patch.chdir(course.root)
        assert main(["report", LESSON, "--html", "reports/page.html", "--csv", "reports/page.csv"]) == 0
    return course.root


def _lived_through(path, student: str) -> None:
    """Seconds as in a class, and ends as in few."""
    notebook, random = json.loads(path.read_text()), Random(student)
    run = notebook["metadata"]["run"]
    run["sandboxed"] = student != "student0020"
    run["steps"] = {"rebuild": 0.01, "kernel": 0.1, "run": random.lognormvariate(0, 0.4), "judge": 0.1}
    if status := UNUSUAL.get(student):
        run["steps"]["run"] = 30.0
        cell = next(
            c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "check_rms_norm"
        )
        cell["outputs"] = [as_output(unjudged("rms_norm", status, f"While `{SCRIPT}` ran."))]
    path.chmod(0o644)
    path.write_text(json.dumps(notebook))


@pytest.fixture(scope="module")
def html(folder) -> str:
    return (folder / "reports" / "page.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(html) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def test_headings_are_in_order(page):
    levels = [int(heading.name[1]) for heading in page.find_all(["h1", "h2", "h3", "h4"])]
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [h.text for h in page("h2")] == [
        "What this class gets wrong",
        "Scores",
        "To look at",
        "Lateness",
        "Everyone",
    ]


def test_nothing_runs_and_nothing_is_loaded(page, html):
    assert not page(["script", "link", "iframe", "object", "form"]) and "http://" not in html.replace("data:", "")
    assert all(img["src"].startswith("data:image/svg+xml;base64,") for img in page("img"))
    assert not [name for tag in page(True) for name in tag.attrs if name.startswith("on")]
    assert SCRIPT in page.text, "what a student wrote is text"


def test_tables_say_what_their_columns_and_rows_are(page):
    assert len(page("table")) == 6
    for table in page("table"):
        assert table.caption.text
        assert all(cell["scope"] == "col" for cell in table.thead("th"))
        assert all(row.find("th")["scope"] == "row" for row in table.tbody("tr"))
        assert len({len(row(["th", "td"])) for row in table("tr")}) == 1


def test_plots_say_what_they_show(page):
    alts = [img["alt"] for img in page("img")]
    assert len(alts) == 3 and all(alt.startswith("Plot. ") for alt in alts)
    frequent, scores, seconds = alts
    assert "Students by mistake." in frequent and "Half of the class has" in scores and "the slowest 30.0 s" in seconds
    assert all(picture.source["media"] == "(prefers-color-scheme: dark)" for picture in page("picture"))


def test_contents(page):
    text = " ".join(page.text.split())
    for words in ("40 submissions", "tampered", "timed out", "out of memory", "not sandboxed", "no proof of anything"):
        assert words in text
    (slow,) = [table for table in page("table") if table.caption.text == "Slow submissions"]
    assert {row.th.text for row in slow.tbody("tr")} == set(UNUSUAL)


def test_the_same_class_gives_the_same_page(folder, html, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["report", LESSON, "--html", "again.html"]) == 0
    assert (folder / "again.html").read_text(encoding="utf-8") == html


def test_the_other_forms_say_the_same(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main(["report", LESSON]) == 0
    text = capsys.readouterr().out
    assert all(words in text for words in ("What this class gets wrong", "Flagged", "Slow (half", "no proof of"))
    assert main(["report", LESSON, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {entry["flag"] for entry in data["flagged"]} >= {"tampered", "timed out", "out of memory", "not sandboxed"}
    assert [entry["student"] for entry in data["slow"]] == list(UNUSUAL) and data["alike"] and data["mistakes"]
    assert (folder / "reports" / "page.csv").read_text().count("\n") == 1 + 40 * 3


def test_a_file_that_cannot_be_written(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "a_file").touch()
    assert main(["report", LESSON, "--html", "a_file/page.html"]) == 2
    assert "a_file/page.html cannot be written" in capsys.readouterr().err


SMALL = [
    [Graded("eve", problem="No kernel.")],
    [Graded("ada", (verdict("rms_norm", "def rms_norm(): pass"),))],
    [Graded(f"student{i}", (unjudged("rms_norm", "died", "Python ended."),)) for i in range(2)],
]


@pytest.mark.parametrize("graded", SMALL, ids=["nothing", "one", "all died"])
def test_small_classes(graded):
    text = BeautifulSoup(make_page(LESSON, graded, []), "html.parser").text
    assert "No known mistake was found." in text and "Nothing was run." in text


@pytest.mark.parametrize("seconds", [[1.0], [1.0, 1.0], [1.0, 2.0, 3.0], [0.5] * 9 + [120.0]])
def test_times_of_all_kinds(seconds):
    graded = [Graded(f"s{i}", run={"steps": {"run": took}}) for i, took in enumerate(seconds)]
    plot = plots.durations(graded)
    assert (
        f"the slowest {max(seconds):.1f} s" in plot.title
        and plot.light.startswith(b"<?xml")
        and plot.dark != plot.light
    )


@pytest.mark.browser
@pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser(folder, scheme):
    """Axe finds nothing, the page is never wider than a narrow window, and the keyboard reaches every table."""
    from axe_playwright_python.sync_playwright import Axe

    with lab.chromium(color_scheme=scheme, viewport={"width": 1100, "height": 900}, bypass_csp=True) as page:
        page.goto((folder / "reports" / "page.html").as_uri())
        assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 300)")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        dark = page.evaluate("[...document.images].every(i => i.currentSrc !== i.src)")
        assert dark == (scheme == "dark")
        if pictures := os.environ.get("COURSE_PICTURES"):
            page.screenshot(path=f"{pictures}/report-{scheme}.png", full_page=True)
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if pictures:
            page.screenshot(path=f"{pictures}/report-{scheme}-narrow.png", full_page=True)
