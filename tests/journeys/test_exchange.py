"""A class with nbgrader's exchange: from the released lesson to the feedback that a student opens, in JupyterLab."""

import os
import shutil
import sys

import pytest
from nbgrader.utils import get_username

from grader.paths import short_name
from tests.browser import lab
from tests.course.classroom import LESSON, RIGHT
from tests.journeys import panel
from tests.journeys.classroom import COURSE_ID, exchange_line, school, student_python

NAME = short_name(LESSON)
STUDENT = get_username()  # on one machine nbgrader knows people by their accounts; here there is one
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader has no exchange on Windows"),
    pytest.mark.skipif(lab.missing() is not None, reason=f"no browser test here: {lab.missing()}"),
]


def test_released_fetched_worked_on_submitted_graded_and_read(tmp_path):
    teacher, home = school(tmp_path), tmp_path / "home"
    teacher.run("nbgrader", "release_assignment", LESSON)
    python = student_python(tmp_path)
    with lab.lab_server(home, str(python), _settings(teacher, home)) as url, lab.chromium() as page:
        page.goto(url)
        _work_and_submit(page, home)
        collected = teacher.run("nbgrader", "collect", LESSON)
        assert "Processing 1 submissions" in collected and "cheating" not in collected
        _hand_in_by_hand(teacher)
        teacher.run("grader", "autograde", LESSON)
        assert teacher.score(STUDENT) == 6
        teacher.run("nbgrader", "generate_feedback", LESSON)
        teacher.run("nbgrader", "release_feedback", LESSON)
        _read_feedback(page)


def _hand_in_by_hand(teacher) -> None:
    """Somebody who does not use the exchange; everybody else's feedback must not wait for theirs."""
    shutil.copytree(teacher.course.lessons / LESSON, teacher.course.submitted / "by_mail" / LESSON)


def _settings(teacher, home) -> dict[str, str]:
    """A student's own folders, and the settings that whoever runs the machine gives: where the exchange is."""
    settings = home.parent / "settings"
    for folder in (home, settings):
        folder.mkdir()
    text = f"c = get_config()\n{exchange_line(teacher.exchange)}"
    (settings / "nbgrader_config.py").write_text(text, encoding="utf-8")
    return {"JUPYTER_CONFIG_PATH": str(settings), "JUPYTER_DATA_DIR": str(home / ".jupyter"), "PYTHONPATH": ""}


def _work_and_submit(page, home) -> None:
    panel.open_panel(page)
    assert page.locator("#course_list_default").inner_text() == COURSE_ID
    panel.press(page, "released", LESSON, "Fetch")
    panel.open_fetched(page, LESSON, NAME)
    card = panel.answer(page, "rms_norm", RIGHT["rms_norm"])
    assert "rms_norm: 6 of 6 points." in card.inner_text()
    panel.show_tab(page, "Assignments")
    said = panel.validated(page, LESSON)
    # Two exercises and the written answer are still to do; the one that is done is not named.
    assert said.count("The following cell failed") == 3 and 'check("rms_norm")' not in said
    panel.press(page, "fetched", LESSON, "Submit")
    panel.row(page, "submitted", LESSON).wait_for(timeout=panel.WAIT)


def _read_feedback(page) -> None:
    panel.refresh(page)
    line = panel.row(page, "submitted", LESSON)
    assert "feedback available to fetch" in line.inner_text()
    panel.press(page, "submitted", LESSON, "Fetch Feedback")
    line.get_by_text("(view feedback)").click(timeout=panel.WAIT)
    page.locator(".jp-DirListing-item", has_text=f"{NAME}.html").dblclick(timeout=panel.WAIT)
    shown = page.frame_locator(".jp-HTMLViewer iframe")
    shown.get_by_role("group", name="Check of rms_norm", exact=True).wait_for(timeout=panel.WAIT)
    assert "6 of 6 points" in shown.locator("body").inner_text()
    if folder := os.environ.get("COURSE_PICTURES"):
        page.screenshot(path=f"{folder}/feedback_in_lab.png")
        panel.show_tab(page, "Assignments")
        page.screenshot(path=f"{folder}/panel.png")
