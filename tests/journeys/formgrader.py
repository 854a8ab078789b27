"""What a teaching assistant's hands do in nbgrader's formgrader, within JupyterLab."""

from tests.journeys.panel import WAIT, choose


def open_formgrader(page):
    """Nbgrader, Formgrader in Lab's menu; the frame that it is shown in."""
    choose(page, "Formgrader")
    return shown(page)


def shown(page):
    """The frame of a formgrader that is open."""
    return page.frame_locator("#formgrader-iframe iframe")


def press(frame, lesson: str, icon: str, says: str) -> None:
    """An icon in the line of a lesson under Manage Assignments; waits for the box that says how it went."""
    line = frame.locator("tr", has_text=lesson)
    line.locator(f".glyphicon-{icon}").click(timeout=WAIT)
    box = frame.locator(".modal-content", has_text=says)
    box.wait_for(timeout=WAIT)
    box.get_by_role("button", name="OK", exact=True).click()
    box.wait_for(state="hidden", timeout=WAIT)


def open_submissions(frame, lesson: str, name: str) -> None:
    """Manual Grading, the lesson, its notebook: the list of what was handed in."""
    for text in ("Manual Grading", lesson, name):
        frame.get_by_role("link", name=text, exact=True).click(timeout=WAIT)
    frame.get_by_role("link", name="Submission #1").wait_for(timeout=WAIT)


def open_submission(frame, number: int) -> None:
    frame.get_by_role("link", name=f"Submission #{number}", exact=True).click(timeout=WAIT)
    frame.get_by_text(f"Submission {number} /").wait_for(timeout=WAIT)


def type_score(frame, cell: str, score: int, comment: str) -> None:
    """Types both as a person does; leaving a field saves it. Does not wait until it is saved."""
    for connected in ("_extra_credit", "-comment"):  # these get a placeholder when they are
        frame.locator(f"#{cell}{connected}[placeholder]").wait_for(timeout=WAIT)
    frame.locator(f"#{cell}").fill(str(score))
    frame.locator(f"#{cell}-comment").fill(comment)
    frame.locator(f"#{cell}-comment").blur()


def wait_until_saved(frame) -> None:
    """Waits until formgrader shows by its ticks that it has saved the last score and comment, and no more to do."""
    for kind in ("score", "comment"):
        frame.locator(f".{kind}-saved.glyphicon-refresh").first.wait_for(state="detached", timeout=WAIT)
