"""What axe finds in a part of JupyterLab's page. It is asked for the project's own content, never for Lab's."""

from tests.browser import lab

# Lab's body is 0 pixels high and hides what flows over, so axe takes all in it for out of sight: contrast would be
# looked at nowhere.
SEEN = "() => { document.body.style.minHeight = '100vh' }"


def axe(page, context: str) -> str:
    """What axe finds in a part of the page, in words; "" for nothing. Fails where it has not looked at contrast."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(SEEN)
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
