"""The questions as HTML that needs no kernel and no script: for a notebook that is only viewed or exported.

It holds what `view.public` gives and nothing else: no key is in a notebook before its question is answered.
It is an output of its own beside the widget's, since a widget without its kernel shows nothing but an error.
"""

from collections.abc import Sequence
from html import escape
from string import ascii_uppercase

_STATIC = ".jp-OutputArea-child:has(.quiz-static)"
# In JupyterLab the widget is the output before. While it lives (or loads) this one is hidden; once its kernel is
# gone Lab writes an error into it and marks it with the class: then this one is shown in the error's place.
STYLE = (
    f".lm-Panel.jp-OutputArea-child:not(:has(> .jupyter-widgets, > [data-mime-type])) + {_STATIC},"
    ".jp-OutputArea-child:has(> .jupyter-widgets):has(+ .jp-OutputArea-child .quiz-static) { display: none }"
    ".quiz-static summary, .quiz-static .quiz-prompt { font-weight: bold } .quiz-static li { margin: 0.6em 0 }"
    ".quiz-static .quiz-code { display: block; white-space: pre-wrap; margin: 0.6em 0 }"
)


def form(title: str, views: Sequence[dict]) -> str:
    """Questions, as `view.public` gives them, each a `details` element."""
    body = "".join(_question(v, f"Question {i} of {len(views)}") for i, v in enumerate(views, 1))
    note = "Run this cell in JupyterLab to answer them and to see what you have answered."
    return (
        f'<div class="quiz-static"><style>{STYLE}</style>'
        f"<p><strong>{escape(title)}</strong>. These are the questions only. {note}</p>{body}</div>"
    )


def _question(view: dict, number: str) -> str:
    unit = f" ({escape(view['unit'])})" if view["unit"] else ""
    return (
        f"<details open><summary>{number}</summary>{view['setting']}<p class='quiz-prompt'>{view['prompt']}</p>"
        f"<p><em>{view['how']}{unit}</em></p>{_list('ol', view['items'])}{_options(view)}</details>"
    )


def _options(view: dict) -> str:
    if view["type"] != "match":
        return _list("ul", view["options"])
    lettered = (f"{ascii_uppercase[i]}. {text}" for i, text in enumerate(view["options"]))
    return _list('ul style="list-style: none"', lettered)


def _list(tag: str, texts) -> str:
    rows = "".join(f"<li>{text}</li>" for text in texts)
    return f"<{tag}>{rows}</{tag.split()[0]}>" if rows else ""
