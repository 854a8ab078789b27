"""What a student's hands do in nbgrader's panel in JupyterLab."""

from tests.browser import lab, notebook

WAIT = 120_000  # the panel's server works synchronously, and validating runs the whole notebook


def open_panel(page) -> None:
    """Nbgrader, Assignment List in Lab's menu; waits until the list has come."""
    choose(page, "Assignment List")
    listed(page)


def choose(page, item: str) -> None:
    """An item of Lab's menu Nbgrader, when Lab is there."""
    page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=WAIT)
    page.get_by_role("menuitem", name="Nbgrader").click(timeout=WAIT)
    page.get_by_role("menuitem", name=item, exact=True).click()


def refresh(page) -> None:
    """The panel's own button, after something changed outside."""
    page.get_by_title("Refresh assignments list").click()
    listed(page)


def listed(page) -> None:
    page.locator("#course_list_dropdown:not([disabled])").wait_for(timeout=WAIT)
    page.locator("#submitted_assignments_list_loading").wait_for(state="hidden", timeout=WAIT)


def row(page, kind: str, assignment: str):
    """The line of an assignment among those that are `released`, `fetched` or `submitted`."""
    return page.locator(f"#{kind}_assignments_list > .list_item", has_text=assignment)


def press(page, kind: str, assignment: str, button: str) -> None:
    row(page, kind, assignment).get_by_role("button", name=button, exact=True).click()


def open_fetched(page, assignment: str, name: str) -> None:
    """Opens a notebook of a fetched assignment by its name in the panel."""
    line = row(page, "fetched", assignment)
    line.locator(".assignment-notebooks-link").click()
    line.get_by_role("link", name=name, exact=True).click()
    lab.wait_until_open(page)


def validated(page, assignment: str) -> str:
    """Presses Validate in the panel; what the dialog says."""
    press(page, "fetched", assignment, "Validate")
    dialog = page.locator(".jp-Dialog", has_text="Validation Results")
    dialog.wait_for(timeout=WAIT)
    said = dialog.inner_text()
    dialog.get_by_role("button", name="Ok").click()
    return said


def show_tab(page, name: str) -> None:
    """A tab of Lab's main area: the panel, or a notebook."""
    page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=name).click()


def answer(page, cell: str, text: str):
    """Runs the set-up, writes an answer, runs it and its check, saves; the card that the check shows."""
    notebook.run(page, "setup")
    notebook.write(page, cell, text)
    notebook.run(page, cell)
    card = notebook.run(page, f"check_{cell}").get_by_role("group", name=f"Check of {cell}")
    lab.command(page, "docmanager:save")
    return card
