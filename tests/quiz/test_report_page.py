"""The quiz's report as a page of its own, in a browser: axe finds nothing, light and dark, and it is not too wide."""

import pytest

from quiz.reporting import of_class, of_person, page
from tests.browser import lab
from tests.browser.axe import axe
from tests.quiz.make import NOON, whole
from tests.quiz.test_report import MINE, play

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


@pytest.mark.parametrize("kind", ["person", "class"])
def test_axe_finds_nothing(tmp_path, kind):
    logs = [play(i, MINE) for i in range(3)]
    report = of_person(logs[0], [whole()], NOON) if kind == "person" else of_class(logs, [whole()])
    (tmp_path / "page.html").write_text(page(report), encoding="utf-8")
    with lab.chromium() as browser:
        browser.goto((tmp_path / "page.html").as_uri())
        assert browser.get_by_role("heading", level=1).count() == 1
        papers = set()
        for scheme in ("light", "dark"):
            browser.emulate_media(color_scheme=scheme)
            papers.add(browser.evaluate("getComputedStyle(document.body).color"))
            assert axe(browser, "html") == ""
        assert len(papers) == 2
        browser.set_viewport_size({"width": 400, "height": 800})
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
