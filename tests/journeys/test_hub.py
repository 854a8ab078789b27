"""A class on a real JupyterHub, as the example in grader/course/hub sets it up: two students and an instructor."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.paths import short_name
from tests.browser import lab
from tests.course.classroom import LESSON, RIGHT
from tests.journeys import formgrader, hub, panel
from tests.journeys.classroom import COURSE_ID, school

NAME = short_name(LESSON)
SERVICE = f"/services/{COURSE_ID}"
LACKING = lab.missing() or hub.missing()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(LACKING is not None, reason=f"no JupyterHub here: {LACKING}"),
]


def test_released_fetched_submitted_and_collected_and_nobody_sees_anothers_work():
    with hub.machine("course", "grace", "ada", "ben") as made:
        made.give("course", school(made.root, made.exchange).course.root)
        folder = made.home("course") / "course"
        with hub.running(made, _site(folder, made.exchange)) as url, lab.chromium() as grace:
            ada, ben = (grace.context.browser.new_context().new_page() for _ in range(2))
            frame = _instructors_formgrader(grace, url)
            formgrader.press(frame, LESSON, "cloud-upload", "Successfully released")
            _work_and_submit(ada, url)
            _fetch(ben, url, "ben")
            _demand_nothing_of_adas(made, ben, url)
            formgrader.press(frame, LESSON, "cloud-download", "Successfully collected")
            _demand_the_courses_commands_in_a_terminal(made, grace.context.pages[-1], folder)
        assert made.run("ls", str(folder / "submitted")).split() == ["ada"]
        assert "keepdim" in made.run("cat", str(folder / "submitted" / "ada" / LESSON / f"{NAME}.ipynb"))


def _site(folder: Path, exchange: Path) -> str:
    return (
        f'account = "course"\nfolder = "{folder}"\nexchange = "{exchange}"\n'
        f'instructors = ["grace"]\nstudents = ["ada", "ben"]\n'
        f'port = {lab.free_port()}\npython = "{sys.executable}"\n'
    )


def _log_in(page, url: str, name: str) -> None:
    """Name and password; the hub starts a JupyterLab and shows it."""
    page.goto(url)
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(hub.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{url}/user/{name}/lab**", timeout=2 * panel.WAIT)


def _instructors_formgrader(page, url: str):
    """The instructor's way: their own JupyterLab, the list of courses, the course's formgrader in a new page."""
    _log_in(page, url, "grace")
    panel.choose(page, "Course List")
    with page.expect_popup(timeout=panel.WAIT) as popup:
        page.locator("#formgrader_list").get_by_role("link", name=COURSE_ID).click(timeout=panel.WAIT)
    popup.value.wait_for_url(f"{url}{SERVICE}/lab**", timeout=panel.WAIT)
    return formgrader.shown(popup.value)


def _fetch(page, url: str, name: str) -> None:
    _log_in(page, url, name)
    panel.open_panel(page)
    panel.press(page, "released", LESSON, "Fetch")
    panel.row(page, "fetched", LESSON).wait_for(timeout=panel.WAIT)


def _work_and_submit(page, url: str) -> None:
    _fetch(page, url, "ada")
    panel.open_fetched(page, LESSON, NAME)
    card = panel.answer(page, "rms_norm", RIGHT["rms_norm"])
    assert "rms_norm: 6 of 6 points." in card.inner_text()
    panel.show_tab(page, "Assignments")
    panel.press(page, "fetched", LESSON, "Submit")
    panel.row(page, "submitted", LESSON).wait_for(timeout=panel.WAIT)


def _demand_nothing_of_adas(made: hub.Machine, page, url: str) -> None:
    """Not in the panel, not in the exchange, not in a folder, not in the instructors' JupyterLab, not in another's."""
    assert panel.row(page, "submitted", LESSON).count() == 0
    inbound = made.exchange / COURSE_ID / "inbound"
    (handed_in,) = made.run("ls", str(inbound)).splitlines()
    assert handed_in.startswith(f"ada+{LESSON}+")
    assert made.run("stat", "--format", "%u", str(inbound / handed_in)).strip() == str(made.uid("ada"))
    for folder in (inbound, made.home("ada"), made.home("course")):
        done = subprocess.run(made.inside("ben", "ls", str(folder)), capture_output=True, text=True)
        assert done.returncode != 0 and "Permission denied" in done.stderr
    for closed in (f"{SERVICE}/lab", "/user/ada/lab"):
        assert page.goto(url + closed).status == 403


def _demand_the_courses_commands_in_a_terminal(made: hub.Machine, page, folder: Path) -> None:
    """File, New, Terminal in the instructors' JupyterLab: its `python` is the course's, whatever /etc/profile says."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.locator(".lm-Menu-item", has_text="New").first.hover()
    page.locator(".lm-Menu-item", has_text="Terminal").first.click()
    page.locator(".jp-Terminal .xterm-helper-textarea").wait_for(state="attached", timeout=panel.WAIT)
    page.keyboard.type("python -m grader report --help > said.txt && mv said.txt asked.txt\n")
    deadline = time.monotonic() + 60
    while "asked.txt" not in (there := made.run("ls", str(folder))).split():
        assert time.monotonic() < deadline, there
        time.sleep(0.2)
    assert "--html" in made.run("cat", str(folder / "asked.txt"))
