"""The card a notebook shows for a verdict: readable in light and dark, by screen readers, after sanitising.

Only inline styles and plain tags: nbgrader's feedback page keeps those when it removes scripts and styles.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.judge.verdict import CheckResult, Verdict

# JupyterLab's colours where there are any, readable ones elsewhere. Never colour alone: each line has its word.
_TEXT = "color: var(--jp-ui-font-color1, #1a1a1a)"
_CODE = "font-family: var(--jp-code-font-family, monospace)"
_GOOD, _BAD, _NEUTRAL = "#2e7d32", "#c2410c", "#64748b"
_BOX = (
    "border: 1px solid var(--jp-border-color1, #bdbdbd); border-left: 6px solid {accent}; border-radius: 4px; "
    "padding: 0.6em 1em; margin: 0.4em 0; max-width: 52em; background: var(--jp-layout-color1, #ffffff); " + _TEXT
)
_CELL = "text-align: left; vertical-align: top; padding: 0.25em 1em 0.25em 0; background: transparent; " + _TEXT
_WORDS = {
    "passed": "All points.",
    "partly": "Some points.",
    "wrong": "No points yet.",
    "not attempted": "Not attempted yet.",
    "raised": "Your code raised an error.",
    "timed out": "Your code took too long.",
    "out of memory": "Your code ran out of memory.",
    "died": "The kernel died while your code ran.",
    "tampered": "What came back was not what the check writes.",
    "unreadable": "The file cannot be read.",
}


def card(verdict: Verdict) -> str:
    """The verdict as a piece of HTML."""
    accent = {"passed": _GOOD, "not attempted": _NEUTRAL}.get(verdict.status, _BAD)
    parts = [_heading(verdict), _mistake(verdict), _table(verdict.checks), *map(_note, verdict.notes)]
    return _box(f"Check of {verdict.exercise}", accent, "".join(parts))


def _box(label: str, accent: str, body: str) -> str:
    style = _BOX.format(accent=accent)
    return f'<div role="group" aria-label="{escape(label, quote=True)}" style="{style}">{body}</div>'


def panel(title: str, text: str, listing: str = "") -> str:
    """A box like the card's for other words to the student: a bold title, prose in its lines, and perhaps code."""
    # JupyterLab gives `pre` a ground of its own, which is not the box's in its dark theme, and breaks words anywhere.
    wraps = "white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"
    style = f"margin: 0.4em 0; background: transparent; {wraps}; {_CODE}; {_TEXT}"
    code = f'<pre style="{style}">{escape(listing)}</pre>' if listing else ""
    body = f'<p style="margin: 0; white-space: pre-line"><strong>{_prose(title)}</strong> {_prose(text)}</p>{code}'
    return _box(title.replace("`", ""), _NEUTRAL, body)


def _heading(verdict: Verdict) -> str:
    words = _WORDS.get(verdict.status, "")
    score = f"{verdict.score} of {verdict.points} points"
    name = f"<code>{escape(verdict.exercise)}</code>"
    return f'<p style="margin: 0 0 0.4em 0; font-size: 1.1em"><strong>{name}: {score}.</strong> {words}</p>'


def _mistake(verdict: Verdict) -> str:
    if not verdict.mistake:
        return ""
    return (
        f'<p style="margin: 0.4em 0"><strong>Your mistake: {_prose(verdict.mistake)}.</strong> '
        f"{_prose(verdict.hint or '')}</p>"
    )


def _table(checks: tuple[CheckResult, ...]) -> str:
    if len(checks) == 1 and not checks[0].points:  # one reason and nothing else: a sentence, no table
        return f'<p style="margin: 0">{_prose(checks[0].message)}</p>'
    gated = bool(checks) and not checks[0].points
    rows = "".join(_row(check, gated and check.points > 0) for check in checks)
    return f'<table style="border-collapse: collapse; margin: 0.2em 0; font-size: 1em"><tbody>{rows}</tbody></table>'


def _row(check: CheckResult, unjudged: bool) -> str:
    accent, word = (_GOOD, "✓&nbsp;passed") if check.passed else (_BAD, "✗&nbsp;failed")
    if unjudged:
        accent, word = _NEUTRAL, "–&nbsp;not judged"
    mark, _, rest = word.partition("&nbsp;")
    result = f'<span style="color: {accent}" aria-hidden="true">{mark}</span>&nbsp;<strong>{rest}</strong>'
    points = f"{check.score}&nbsp;of&nbsp;{check.points}" if check.points else ""
    head = f'<th scope="row" style="{_CELL}; font-weight: normal"><code>{escape(check.name)}</code></th>'
    cells = (f'<span style="white-space: nowrap">{result}</span>', points, _prose(check.message))
    body = "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells)
    return f'<tr style="background: transparent">{head}{body}</tr>'


def _note(note: str) -> str:
    return f'<p style="margin: 0.4em 0 0 0; white-space: pre-wrap">{_prose(note)}</p>'


def _prose(text: str) -> str:
    """Escaped text; what stands between backticks is code, a star on each side is emphasis."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"(?<!\w)\*(\w+)\*(?!\w)", r"<em>\1</em>", text)
