"""The notebook in which the quiz stands on its own, for somebody without a course."""

import json
from pathlib import Path

NAME = "quiz.ipynb"
WELCOME = """# Quiz

Click into the next cell and press **Shift+Enter**. It asks what is due today, weakest first, and then what is new.
Run it again for the next questions."""
REPORT = """## What do I not know yet?

This cell says how often you were right when you were sure, and what you had wrong."""
CELLS = (
    ("markdown", WELCOME),
    ("code", "from quiz import quiz\n\nquiz()"),
    ("markdown", REPORT),
    ("code", "from quiz import quiz\n\nquiz.report()"),
)


def write(folder: Path) -> Path:
    """Writes the notebook, unless there is one: that is the person's own. Raises OSError where it cannot."""
    path = folder / NAME
    if not path.exists():
        path.write_text(json.dumps(_notebook(), indent=1) + "\n", encoding="utf-8")
    return path


def _notebook() -> dict:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [_cell(f"quiz-{i}", kind, source) for i, (kind, source) in enumerate(CELLS)]
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(name: str, kind: str, source: str) -> dict:
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source, **code}
