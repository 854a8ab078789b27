"""The questions as HTML that needs no kernel and no script: for a notebook that is only viewed or exported.

It holds what `view.public` gives and nothing else: no key is in a notebook before its question is answered.
"""

from html import escape

from quiz.view import public


def form(session) -> str:
    """The session's questions, each a `details` element."""
    views = [public(key, session.variant(key)) for key in session.keys]
    body = "".join(_question(v, f"Question {i} of {len(views)}") for i, v in enumerate(views, 1))
    note = "Run this cell in JupyterLab to answer; nothing is marked here."
    return f'<div class="quiz-static"><p><strong>{escape(session.title)}</strong>. {note}</p>{body}</div>'


def _question(view: dict, number: str) -> str:
    options = "".join(f"<li>{option}</li>" for option in view["options"])
    unit = f" ({escape(view['unit'])})" if view["unit"] else ""
    return (
        f"<details open><summary>{number}</summary>{view['setting']}<p>{view['prompt']}</p>"
        f"<p><em>{view['how']}{unit}</em></p>{f'<ul>{options}</ul>' if options else ''}</details>"
    )
