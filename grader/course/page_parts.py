"""The parts of a page: its frame and style, sections, tables. All text that comes in is escaped here."""

import re
from collections.abc import Iterable, Sequence
from html import escape

# Nothing is loaded and nothing runs, whatever should have found its way into the page.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1d1f21; --paper: #fcfcfa; --soft: #54585c; --line: #c9cbc7; --link: #005a8e;
  --band: #f1f1ec; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16191d; --soft: #b3b8bd; --line: #444a50; --link: #7cc4f0; --band: #1f2429; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1.08rem; margin: 1.6rem 0 .4rem; }
p { max-width: 48rem; margin: .5rem 0; }
a { color: var(--link); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
img { max-width: 100%; height: auto; display: block; margin: .8rem 0; }
.scroll { overflow-x: auto; margin: .8rem 0; }
.scroll:focus-visible, a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem .4rem; }
tbody th, td { border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--line); }
tbody th { font-weight: 600; min-width: 8rem; }
tbody tr:nth-child(even) { background: var(--band); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: .92em; overflow-wrap: anywhere; }
@media (max-width: 50rem) { td:not(.number) { min-width: 14rem; } }
@media print { .scroll { overflow: visible; } h2, h3 { break-after: avoid; } tr { break-inside: avoid; } }
"""


def document(title: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
</body>
</html>
"""


def section(key: str, title: str, body: str) -> str:
    return f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(title)}</h2>\n{body}\n</section>'


def link_list(titles: dict[str, str]) -> str:
    items = "".join(f'<li><a href="#{key}">{escape(title)}</a></li>' for key, title in titles.items())
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>'


def paragraph(text: str) -> str:
    return f"<p>{prose(text)}</p>"


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()) -> str:
    """numbers: the columns aligned to the right. The first column names its row. Wide ones scroll by themselves."""
    right = set(numbers)
    tops = "".join(f'<th scope="col"{_class(i in right)}>{prose(name)}</th>' for i, name in enumerate(head))
    lines = "\n".join(f"<tr>{_cells(row, right)}</tr>" for row in rows)
    label = escape(caption, quote=True)
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0"><table><caption>{escape(caption)}'
        f"</caption>\n<thead><tr>{tops}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>\n"
    )


def _cells(row: Sequence[object], right: set[int]) -> str:
    first, *others = row
    cells = [f'<th scope="row"{_class(0 in right)}>{prose(str(first))}</th>']
    cells += [f"<td{_class(i in right)}>{prose(str(value))}</td>" for i, value in enumerate(others, 1)]
    return "".join(cells)


def _class(number: bool) -> str:
    return ' class="number"' if number else ""


def prose(text: str) -> str:
    """Escaped text; what stands between backticks is code, a star on each side is emphasis (as on the card)."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"(?<!\w)\*(\w+)\*(?!\w)", r"<em>\1</em>", text)
