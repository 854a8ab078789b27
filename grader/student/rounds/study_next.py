"""`study_next()`: what to read again, from your answers to the quiz, your checks and the bugs that you have met.

It knows what was wrong, where the lessons treat it, and which papers they cite. It claims nothing of its own.
"""

import os
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from grader.exercises import exercise, ids
from grader.student.log import best_scores, place
from grader.student.rounds.bugs import bugs
from grader.student.rounds.find_the_bug import found
from grader.student.rounds.released import papers, title
from quiz.notebook import my_report
from quiz.teaching import anchor_of, notebook

MOST = 5  # lessons; a longer list would not be read


@dataclass
class Weakness:
    """What went wrong in one lesson: quiz questions as a report has them, exercises with their best share, bugs."""

    questions: list[dict] = field(default_factory=list)
    exercises: dict[str, float] = field(default_factory=dict)
    bugs: list[int] = field(default_factory=list)

    @property
    def weight(self) -> int:
        """What you were sure of and had wrong counts twice, as does an exercise that is not solved."""
        sure = sum(one["confidence"] == "certain" for one in self.questions)
        return len(self.questions) + sure + 2 * len(self.exercises) + len(self.bugs)


class Study:
    """The page, in Markdown, which a notebook shows with its links."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.text


def study_next() -> Study:
    """What to study next, the lesson with most to mend first, with links to the lessons and to what they cite."""
    report, scores = my_report(), best_scores(place())
    weak = _weaknesses(report, scores)
    order = sorted(weak, key=lambda lesson: -weak[lesson].weight)[:MOST]
    begun = {row["lesson"] for row in report["lessons"] if row["answered"]} | {_of(name) for name in _known(scores)}
    fresh = [lesson for lesson in dict.fromkeys(map(_of, ids())) if lesson not in begun and lesson not in weak]
    parts = [_section(number, lesson, weak[lesson]) for number, lesson in enumerate(order, 1)]
    return Study("\n\n".join([_opening(weak, begun), *parts, *_not_begun(fresh), _due(report)]))


def _weaknesses(report: dict, scores: dict[str, float]) -> dict[str, Weakness]:
    weak: dict[str, Weakness] = defaultdict(Weakness)
    for one in report["wrong"]:
        weak[one["lesson"]].questions.append(one)
    for name in _known(scores):
        if scores[name] < 1:
            weak[_of(name)].exercises[name] = scores[name]
    for number, mended in found.items():
        if not mended:
            weak[_of(bugs()[number - 1].exercise)].bugs.append(number)
    return dict(weak)


def _known(scores: dict[str, float]) -> list[str]:
    """Exercises of this version of the course that have been checked."""
    return [name for name in scores if name in ids()]


def _of(exercise_id: str) -> str:
    return exercise(exercise_id).lesson


def _opening(weak: dict, begun: set) -> str:
    if weak:
        return "Most to mend first. A lesson leaves this page when its questions, checks and bugs are right."
    if begun:
        return "Nothing that you have answered or checked is wrong at present."
    return "There is nothing to go by yet: answer a round of questions, or write a blank page."


def _section(number: int, lesson: str, weakness: Weakness) -> str:
    lines = [f"### {number}. {_link(lesson, title(lesson))}", ""]
    lines += [_question(one) for one in weakness.questions]
    lines += [f"- Exercise `{name}`: {share:.0%} of its points at best." for name, share in weakness.exercises.items()]
    lines += [f"- Bug {number}: met, and not mended yet." for number in weakness.bugs]
    lines += ["- For reading on, as the lesson cites it:", *(f"    - {paper}" for paper in papers(lesson))]
    return "\n".join(lines)


def _question(one: dict) -> str:
    sure = "Wrong, and you were certain" if one["confidence"] == "certain" else "Wrong"
    thought = f". The thought behind it: {'; '.join(one['misconceptions'])}" if one["misconceptions"] else ""
    where = f" Read “{_link(one['lesson'], one['heading'], one['heading'])}”." if one["heading"] else ""
    return f"- {sure}{thought}.{where}"


def _not_begun(lessons: list[str]) -> list[str]:
    links = "\n".join(f"- {_link(lesson, f'{lesson[:2]} {title(lesson)}')}" for lesson in lessons)
    return [f"### Not begun yet\n\n{links}"] if links else []


def _due(report: dict) -> str:
    if report["due"]:
        return f"Due in the quiz today: {len(report['due'])}. `quiz.round()` asks them first."
    return f"The next question of the quiz is due on {report['next_due']}." if report["next_due"] else ""


def _link(lesson: str, words: str, heading: str = "") -> str:
    """A link to the lesson's notebook beside this one, bold, as links are in lessons; the words where there is none."""
    path = notebook(lesson)
    if path is None:
        return words
    relative = Path(os.path.relpath(path)).as_posix()
    return f"**[{words}]({quote(relative)}{'#' + quote(anchor_of(heading)) if heading else ''})**"
