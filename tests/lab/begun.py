"""A course and a student's copy of it, some way into it: checks passed, questions answered, an update that came."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.judge import Verdict
from grader.lab.workspace import refresh
from grader.paths import find_course
from grader.student import log
from quiz.bank import load
from quiz.event import Event, form_of
from quiz.store.place import NAME as QUIZ

EDITED, UNEDITED = "03_rms_norm/rms_norm.ipynb", "05_norm_placement/norm_placement.ipynb"
# Lesson 01 is done, 03 is begun.
SCORES = {"residual_stream": 6, "stream_jacobian": 6, "residual_init_std": 6, "rms_norm": 6, "rms_norm_module": 3}


def begun(folder: Path) -> tuple[Path, Path]:
    """The folders of the course and of the workspace."""
    course, workspace = folder / "course", folder / "workspace"
    shutil.copytree(find_course(Path(__file__)).lessons, course / "lessons")
    (course / "nbgrader_config.py").write_text("c = get_config()\n")
    refresh(course / "lessons", workspace)
    _change(workspace / EDITED, "My own line.")
    for name in (EDITED, UNEDITED):
        _change(course / "lessons" / name, "A new sentence.")
    refresh(course / "lessons", workspace)
    for exercise, score in SCORES.items():
        log.remember(Verdict(exercise, score, 6, "partly"), workspace / log.NAME)
    (workspace / QUIZ).write_text("".join(_answers("01_residual_stream", right=2, wrong=2)), encoding="utf-8")
    return course, workspace


def _change(notebook: Path, sentence: str) -> None:
    content = json.loads(notebook.read_bytes())
    content["cells"][3]["source"].append(f"\n\n{sentence}")
    notebook.write_text(json.dumps(content))


def _answers(lesson: str, right: int, wrong: int):
    before = datetime.now(UTC) - timedelta(days=3)
    for i, question in enumerate(load(lesson).questions[: right + wrong]):
        event = Event(before, lesson, question.id, 0, 7, "answered", form_of(question), answer="x", right=i < right)
        yield event.to_json() + "\n"
