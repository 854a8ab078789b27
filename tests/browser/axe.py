"""What axe finds in a part of JupyterLab's page. It is asked for the project's own content, never for Lab's."""

from tests.browser import lab

# Lab's body is 0 pixels high, and it and the shell hide what flows over: axe would take all that is not in the window
# for out of sight, and look at its contrast nowhere.
SEEN = "body, body > .jp-LabShell { overflow: visible !important }"


def axe(page, context: str) -> str:
    """What axe finds in a part of the page, in words; "" for nothing. Fails where it has not looked at contrast."""
    from axe_playwright_python.sync_playwright import Axe

    page.add_style_tag(content=SEEN)
    page.locator(context).first.evaluate("e => e.scrollIntoView()")  # what is above the window is out of sight, too
    found = Axe().run(page, context=context)
    looked_at = {rule["id"] for kind in ("passes", "violations", "incomplete") for rule in found.response[kind]}
    assert "color-contrast" in looked_at, f"axe sees no text in {context}"
    return found.generate_report() if found.violations_count else ""


def axe_in_both_themes(page, context: str) -> str:
    """What axe finds in dark and in light."""
    said = []
    for dark in (True, False):
        lab.use_theme(page, dark)
        said.append(axe(page, context))
    return "".join(said)
