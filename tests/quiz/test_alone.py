"""The quiz for somebody without a course: `python3 start.py quiz`, which is `grader lab --quiz`."""

import json
from pathlib import Path

import nbformat
import pytest

from grader.paths import find_course
from quiz import alone
from tests.browser import lab
from tests.lab.serving import course_lab, grader, small_course


def test_the_notebook_is_one_and_is_written_once(tmp_path):
    path = alone.write(tmp_path)
    nbformat.validate(nbformat.read(path, as_version=4))
    path.write_text("mine")
    assert alone.write(tmp_path).read_text() == "mine"


def test_a_workspace_where_it_cannot_be_written_is_one_sentence(tmp_path):
    course, workspace = small_course(tmp_path), tmp_path / "work"
    workspace.mkdir()
    (workspace / alone.NAME).symlink_to(workspace / "no folder" / "x")
    result = grader(course, "lab", "--quiz", "--no-browser", "--workspace", str(workspace))
    assert result.returncode == 2 and result.stderr.startswith("error: Cannot write")


@pytest.mark.browser
@pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}")
def test_it_opens_asks_and_remembers(tmp_path):
    workspace = tmp_path / "workspace"
    course = find_course(Path(__file__)).root
    with course_lab(course, workspace, "--quiz") as url, lab.chromium() as page:
        page.goto(url.replace("/lab?", "/?"))
        lab.wait_until_open(page)
        assert page.url.endswith(f"/lab/tree/{alone.NAME}")
        lab.command(page, "notebook:run-all-cells")
        page.locator("form.quiz-question").first.wait_for()
        assert page.locator("form.quiz-question").count() == 10
        assert "0 due today" in page.locator(".quiz-intro").inner_text()
        page.get_by_role("button", name="Hint (").first.click()
        page.locator(".quiz-hints li").first.wait_for()
    assert json.loads((workspace / "quiz_progress.jsonl").read_text())["kind"] == "hinted"
