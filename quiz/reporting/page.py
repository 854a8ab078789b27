"""A report as HTML: headings, lists and tables, no script and no colour. What a log says is escaped."""

import re
from html import escape

from quiz.errors import QuizError
from quiz.render import phrasing
from quiz.reporting.words import BY_LESSON, by_lesson, calibrated, heading, missed, percent, remarks

# JupyterLab puts all cells of a table to the right; names are read from the left.
LEFT = "text-align: left"
CAPTION = f"{LEFT}; white-space: nowrap"


def page(report: dict) -> str:
    """A whole file, for a browser, light or dark as that is."""
    title = escape(heading(report))
    style = "body{font-family:sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    style += "td,th{text-align:left;padding:0 1rem 0 0}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    head += f'<meta name="color-scheme" content="light dark"><style>{style}</style>'
    # By itself the report's heading is the page's, and the others follow.
    body = re.sub(r"<(/?)h([23])>", lambda tag: f"<{tag[1]}h{int(tag[2]) - 1}>", section(report))
    return f'<!doctype html><html lang="en"><head>{head}</head><body><main>{body}</main></body></html>\n'


def section(report: dict) -> str:
    """The report alone, for a notebook."""
    body = {"person": _person, "class": _class, "lessons": _lessons}[report["kind"]](report)
    notes = "".join(f"<p>{escape(one)}</p>" for one in remarks(report))
    return f'<section class="quiz-report"><h2>{escape(heading(report))}</h2>{body}{notes}</section>'


def _person(report: dict) -> str:
    wrong = "".join(f"<li>{_markdown(missed(one))}<br>{_markdown(one['prompt'])}</li>" for one in report["wrong"])
    sure = [(calibrated(one), one["n"], percent(one)) for one in report["calibration"]]
    lessons = [(one["lesson"], f"{one['answered']} of {one['questions']}", percent(one)) for one in report["lessons"]]
    return (
        (f"<h3>Not right yet, the surest first</h3><ul>{wrong}</ul>" if wrong else "")
        + _table("How sure you were, and how often right", ("How sure", "Answers", "Right"), sure)
        + _table("By lesson, at first try", ("Lesson", "Answered", "Right"), lessons)
    )


def _class(report: dict) -> str:
    return "".join(_question(one) for one in report["questions"])


def _lessons(report: dict) -> str:
    return _table("Questions by lesson", BY_LESSON, by_lesson(report))


def _question(one: dict) -> str:
    drew = "".join(f"<li>{d['n']}: {_markdown(d['misconception'])}</li>" for d in one["distractors"])
    return (
        f"<h3>{escape(one['key'])}</h3><p>{percent(one)} right of {one['n']} ({one['difficulty']})</p><ul>{drew}</ul>"
    )


def _table(caption: str, head: tuple, rows: list[tuple]) -> str:
    if not rows:
        return ""
    (name, *others) = (escape(cell) for cell in head)
    first = f'<th scope="col" style="{LEFT}">{name}</th>' + "".join(f'<th scope="col">{cell}</th>' for cell in others)
    body = "".join(_row(*row) for row in rows)
    return f'<table><caption style="{CAPTION}">{escape(caption)}</caption><tr>{first}</tr>{body}</table>'


def _row(name: str, *cells) -> str:
    return f'<tr><th scope="row" style="{LEFT}; font-weight: normal">{escape(str(name))}</th>{_cells(cells)}</tr>'


def _cells(cells: tuple) -> str:
    return "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)


def _markdown(text: str) -> str:
    try:
        return phrasing(text)  # which knows no HTML of its own: tags come out as text
    except QuizError:
        return escape(text)
