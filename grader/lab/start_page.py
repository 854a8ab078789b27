"""The start page as HTML and as text: what comes next, what the last update changed, the lessons and what is done.

It stands in a notebook's output: JupyterLab's own colours and headings, VS Code's where it is shown there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape, unescape
from urllib.parse import quote

from grader.lab.progress import Progress, next_lesson
from grader.lab.syllabus import CORE, ELECTIVE
from grader.table import table

GROUPS = ((CORE, "Core path"), (ELECTIVE, "Electives"), ("", "Further lessons"))
HEAD = ("Lesson", "Minutes", "Checks passed", "Quiz")
# The class stands twice, so that JupyterLab's own rules for tables and links do not win. Where the notebook is narrow,
# what stands in a row goes below each other.
STYLE = """
.course-start { --course-ink: var(--jp-content-font-color1, var(--vscode-editor-foreground, CanvasText));
  --course-line: color-mix(in srgb, var(--course-ink) 45%, transparent);
  --course-link: var(--jp-content-link-color, var(--vscode-textLink-foreground, LinkText));
  color: var(--course-ink); color-scheme: light dark; container-type: inline-size; max-width: 60rem;
  padding-bottom: 1em; line-height: 1.5; overflow-wrap: anywhere; }
.x h2 { margin: 1.3em 0 0.4em; font-size: 1.4em; }
.x .course-next { border: 1px solid var(--course-line); border-left-width: 6px; border-radius: 4px;
  padding: 0.7em 1em; margin: 0; font-size: 1.1em; }
.x a { color: var(--course-link); text-decoration: underline; }
.x a:focus-visible { outline: 3px solid var(--course-link); outline-offset: 2px; }
.x table { width: 100%; border-collapse: collapse; table-layout: fixed; margin: 0.3em 0; font-size: 1em; }
.x :is(th, td) { text-align: left; vertical-align: top; padding: 0.35em 0.9em 0.35em 0.3em; color: inherit;
  white-space: normal; border: 0; max-width: none; }
.x tbody :is(th, td) { border-top: 1px solid var(--course-line); }
.x tbody th { font-weight: normal; }
.x tr[aria-current] th { font-weight: bold; }
.x tbody tr, .x tbody tr:is(:hover, :nth-child(even)) { background: transparent; }
.x thead th:nth-child(1) { width: 46%; }
.x thead th:nth-child(2) { width: 5em; }
.x thead th:nth-child(3) { width: 9.5em; }
.x .course-number { text-align: right; padding-right: 2em; font-variant-numeric: tabular-nums; }
.x .course-bar { display: block; height: 4px; width: 6em; margin-top: 0.25em; border-radius: 2px;
  background: linear-gradient(to right, currentColor var(--part), var(--course-line) var(--part)); }
@container (max-width: 36rem) {
  .x thead { position: absolute; clip-path: inset(50%); }
  .x :is(table, tbody, tr, th, td) { display: block; }
  .x tbody :is(th, td), .x tbody .course-number { border: 0; padding: 0.1em 0.3em; text-align: left; }
  .x tbody tr { border-top: 1px solid var(--course-line); padding: 0.4em 0; }
  .x td::before { content: attr(data-name) ": "; }
}
""".replace(".x", ".course-start.course-start")

# [text](path.ipynb); there may be brackets in the path, as in "rms_norm (new version).ipynb"
_LINK = re.compile(r"\[([^\]]+)\]\((.+?\.ipynb)\)")


@dataclass(frozen=True)
class StartPage:
    """The last expression of the start notebook's cell. `news` as `workspace.news` gives it."""

    progress: Sequence[Progress]
    news: dict
    at: datetime
    quiz: bool = False  # whether the quiz's own notebook lies beside it
    notes: Sequence[str] = ()  # what is different where it is shown

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def as_html(page: StartPage) -> str:
    groups = "".join(_group(title, _of(page, kind), page) for kind, title in GROUPS)
    notes = "".join(f"<p>{_prose(note)}</p>" for note in (*page.notes, *_foot(page)))
    return f'<div class="course-start"><style>{STYLE}</style>{_next(page)}{_news(page)}{groups}{notes}</div>'


def as_text(page: StartPage) -> str:
    parts = [_plain(_what_next(page))]
    if page.news.get("changes"):
        parts.append("\n".join([f"{_updated(page.news)}:", *(f"- {_plain(said)}" for said in _changes(page))]))
    for kind, title in GROUPS:
        if found := _of(page, kind):
            rows = [(_name(one), one.lesson.minutes or "–", _checks(one), _quiz(one)) for one in found]
            parts.append(f"{_summed(title, found)}\n{table(HEAD, rows, right=['Minutes'])}")
    return "\n\n".join(parts)


def _of(page: StartPage, kind: str) -> list[Progress]:
    return [one for one in page.progress if one.lesson.kind == kind]


def _next(page: StartPage) -> str:
    return f'<h2>What comes next</h2><p class="course-next">{_prose(_what_next(page))}</p>'


def _what_next(page: StartPage) -> str:
    """Sentences in which [text](path) is a link and `text` is code."""
    one, due = next_lesson(page.progress), sum(one.due for one in page.progress)
    if one is None:
        said = "All lessons are done. What stays is the quiz."
    else:
        verb = "Go on with" if one.begun else "Begin with" if one.lesson is page.progress[0].lesson else "Next:"
        said = f"{verb} [{_name(one)}]({one.lesson.notebook})"
        said += f", exercise `{one.next_exercise}`." if one.begun and one.next_exercise else ", from the top."
        said += f" The lesson takes about {one.lesson.minutes} minutes." if one.lesson.minutes else ""
    if due:
        questions = f"{due} question{'s are' if due > 1 else ' is'} due in the quiz today"
        said += f" {f'[{questions}](quiz.ipynb)' if page.quiz else questions}."
    return said


def _news(page: StartPage) -> str:
    if not page.news.get("changes"):
        return ""
    items = "".join(f"<li>{_prose(said)}</li>" for said in _changes(page))
    return f"<h2>{escape(_updated(page.news))}</h2><ul>{items}</ul>"


def _updated(news: dict) -> str:
    return f"What the update of {_date(datetime.fromisoformat(news['at']).astimezone())} changed"


def _changes(page: StartPage) -> list[str]:
    titles = {one.lesson.notebook: _name(one) for one in page.progress}
    return [_change(change, titles.get(change["path"], change["path"])) for change in page.news.get("changes", ())]


def _change(change: dict, title: str) -> str:
    path, beside = change["path"], change["beside"]
    said = f"[{title}]({path}): {change['said'] or 'It has a new version.'}"
    if beside:
        place = f"{path.rpartition('/')[0]}/{beside}"
        return f"{said} Yours is edited and stays as it is; the new version is beside it: [{beside}]({place})."
    return f"{said} You had not edited it, so it is the new version now."


def _group(title: str, found: list[Progress], page: StartPage) -> str:
    if not found:
        return ""
    head = "".join(f'<th scope="col"{_class(name)}>{name}</th>' for name in HEAD)
    rows = "".join(_row(one, one is next_lesson(page.progress)) for one in found)
    return (
        f"<h2>{escape(_summed(title, found))}</h2>"
        f'<table aria-label="{title}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _summed(title: str, found: list[Progress]) -> str:
    hours, minutes = divmod(sum(one.lesson.minutes for one in found), 60)
    length = " ".join(f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min")) if n) or "0 min"
    return f"{title}: {length}, {sum(one.done for one in found)} of {len(found)} lessons done"


def _row(one: Progress, current: bool) -> str:
    mark = ' aria-current="step"' if current else ""
    part = len(_graded(one)) / len(one.lesson.exercises) if one.lesson.exercises else 0
    bar = f'<span class="course-bar" style="--part: {part:.0%}" aria-hidden="true"></span>'
    cells = (str(one.lesson.minutes or "–"), escape(_checks(one)) + bar * bool(one.lesson.exercises), _quiz(one))
    named = zip(HEAD[1:], cells, strict=True)
    body = "".join(f'<td{_class(name)} data-name="{name}">{cell}</td>' for name, cell in named)
    return f'<tr{mark}><th scope="row">{_prose(f"[{_name(one)}]({one.lesson.notebook})")}</th>{body}</tr>'


def _checks(one: Progress) -> str:
    if not one.lesson.exercises:
        return "–"
    extra = [name for name in one.lesson.extra if name in one.passed]
    said = f"{len(_graded(one))} of {len(one.lesson.exercises)}" + " and extra credit" * bool(extra)
    return f"✓ {said}" if one.done else said


def _quiz(one: Progress) -> str:
    if not one.questions:
        return "–"
    if not one.answered:
        return f"{one.questions} questions"
    due = f"; {one.due} due" if one.due else ""
    return f"{one.answered} of {one.questions} answered, {one.right} right{due}"


def _graded(one: Progress) -> set[str]:
    return set(one.passed) & set(one.lesson.exercises)


def _foot(page: StartPage) -> list[str]:
    """What counts, where it is kept, and how to see it anew."""
    quiz = " All questions are in [the quiz](quiz.ipynb)." if page.quiz else ""
    counts = "A check has passed once it had full marks; the quiz counts your last round, at the first try."
    return [
        f"{counts} Both are kept in this folder, on this machine.{quiz}",
        f"This is how it was on {_date(page.at)} at {page.at:%H:%M}. To see it anew, run the cell above: click into "
        "it, then Shift+Enter.",
    ]


def _name(one: Progress) -> str:
    return f"{one.lesson.number}. {one.lesson.title}"


def _date(day: datetime) -> str:
    return f"{day.day} {day:%B}"


def _class(name: str) -> str:
    return ' class="course-number"' if name == "Minutes" else ""


def _prose(text: str) -> str:
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return _LINK.sub(lambda m: f'<a href="{quote(unescape(m[2]))}">{m[1]}</a>', text)


def _plain(text: str) -> str:
    return _LINK.sub(r"\1 (\2)", text.replace("`", ""))
