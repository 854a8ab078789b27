"""What a student's work may put into a page that others open: feedback and formgrader.

Named in nbgrader_config.py. nbconvert's own SanitizeHTML cleans the text of markdown cells before it is
rendered, which breaks code in them and lets through links that the renderer makes; here what was rendered is
cleaned instead.
"""

import re

import bleach
from bleach.css_sanitizer import ALLOWED_CSS_PROPERTIES, CSSSanitizer
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors.sanitize import SanitizeHTML
from traitlets import Bool, Set

# What rendered markdown, tables of pandas and the verdict card are made of.
_TEXT = "a abbr b br code del div em hr i img kbd p pre s small span strong sub sup blockquote h1 h2 h3 h4 h5 h6"
_LISTS = "dd dl dt li ol ul details summary figure figcaption"
_TABLES = "caption col colgroup table tbody td tfoot th thead tr"
TAGS = frozenset(f"{_TEXT} {_LISTS} {_TABLES}".split())
PLAIN = ("title", "role", "aria-label", "aria-hidden", "lang")


def _anywhere(_tag: str, name: str, value: str) -> bool:
    """A style as well, but for one that fetches something: url(...) and image-set(...), in escapes too."""
    style = value.lower()
    return name in PLAIN or (name == "style" and not any(word in style for word in ("url", "image-set", "\\")))


def _of_picture(tag: str, name: str, value: str) -> bool:
    """A picture of the page's own folder. One from elsewhere would tell its server who looks at the page, and when."""
    if name == "src":
        address = re.sub(r"[\x00-\x20]", "", value)  # as a browser reads it
        return not re.match(r"[a-z][a-z0-9+.-]*:|[/\\]{2}", address, re.IGNORECASE)
    return name in ("alt", "width", "height") or _anywhere(tag, name, value)


ATTRIBUTES = {
    "*": _anywhere,
    "a": ["href"],
    "img": _of_picture,
    "td": ["colspan", "rowspan"],
    "th": ["colspan", "rowspan", "scope"],
    "ol": ["start"],
    # Highlighted code. Elsewhere a class could borrow the look and the buttons of the page around it.
    "span": ["class"],
    "code": ["class"],
}
STYLES = frozenset(ALLOWED_CSS_PROPERTIES) | {
    "background",
    "border",
    "border-collapse",
    "border-left",
    "border-radius",
    "font-size",
    "margin",
    "max-width",
    "padding",
    "white-space",
}
# nbgrader's pages have Bootstrap's styles, which leave a table without them no space between its columns.
TABLE = '<table class="table table-condensed" style="width: auto; font-size: inherit">'
PROTOCOLS = ["http", "https", "mailto"]


def cleaned(html: str) -> str:
    """`html` without scripts, event handlers, forms, frames, drawings or links that run something."""
    css = CSSSanitizer(allowed_css_properties=STYLES)
    return bleach.clean(html, tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS, css_sanitizer=css)


@pass_context
def markdown(context, source: str) -> str:
    """nbconvert's filter `markdown2html`, its result cleaned."""
    # Attachments are left behind when a submission is graded, and nbconvert gives up on a missing one.
    source = source.replace("attachment:", "left-out:")
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    return cleaned(MarkdownWithMath(renderer=renderer).render(source)).replace("<table>", TABLE)


class SafeOutputs(SanitizeHTML):
    """Cleans outputs and raw cells. Markdown is left to the filter, which sees it rendered."""

    enabled = Bool(True)
    safe_output_keys = Set({"text/plain", "text/latex", "text/markdown", "image/png", "image/jpeg"})
    sanitized_output_types = Set({"text/html"})

    def sanitize_html_tags(self, html_str: str) -> str:
        return cleaned(html_str)

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "markdown":
            return cell, resources
        return super().preprocess_cell(cell, resources, cell_index)
