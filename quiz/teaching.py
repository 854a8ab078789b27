"""Where a question is taught: the lesson's notebook and heading, and the exercise whose check knows a mistake.

Only what lies beside the student is named: a lesson whose notebook is not there has no link.
"""

import re
from functools import cache
from pathlib import Path

from quiz.schema import Question
from quiz.store import place


def folder() -> Path:
    """The folder that holds the lessons' folders, wherever the progress is kept."""
    return place(environ={}).parent


def notebook(lesson: str) -> Path | None:
    """The lesson's notebook; None when it is not there."""
    path = folder() / lesson / f"{lesson.partition('_')[2]}.ipynb"
    return path if path.is_file() else None


def link(key: str, question: Question) -> dict | None:
    """What a page needs for a link: the paths by which a server may know the notebook, and words for it."""
    path = notebook(key.partition("/")[0])
    if path is None:
        return None
    absolute = path.resolve()
    paths = {absolute.as_posix(), path.as_posix()}
    if absolute.is_relative_to(Path.home()):
        paths.add(f"~/{absolute.relative_to(Path.home()).as_posix()}")
    shown = f"{path.parent.name}/{path.name}"
    return {"paths": sorted(paths), "shown": shown, "heading": question.heading or "", "anchor": anchor(question)}


def anchor(question: Question) -> str:
    """Of the heading that teaches it; see `anchor_of`."""
    return anchor_of(question.heading or "")


def anchor_of(heading: str) -> str:
    """A heading's anchor in JupyterLab: its text with hyphens for spaces."""
    return re.sub("[`*]", "", heading).replace(" ", "-")


def checks(question: Question, met: tuple[str, ...]) -> list[str]:
    """For the mistakes met that are an exercise's, too: a sentence (Markdown) with the check that names it."""
    parts = [p for name in ("options", "traps", "swaps", "confusions") for p in getattr(question, name, [])]
    mistakes = [getattr(part, "mistake", None) for part in parts if part.id in met]
    exercises = dict.fromkeys(mistake.split("/")[0] for mistake in mistakes if mistake)
    return [_sentence(name) for name in exercises if name in _exercises(folder())]


def _sentence(exercise: str) -> str:
    return (
        f"People make this mistake in the exercise `{exercise}`, too: "
        f'when your code makes it, `check("{exercise}")` names it.'
    )


@cache
def _exercises(folder: Path) -> frozenset[str]:
    """The exercises that the notebooks there check."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in folder.glob("[0-9][0-9]*_*/*.ipynb"))
    return frozenset(name for text in texts for name in re.findall(r'"check\(\\"(\w+)\\"\)', text))
