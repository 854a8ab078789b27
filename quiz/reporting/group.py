"""What is hard for a class, and which distractors draw: from logs without names, one a person."""

from collections import Counter
from collections.abc import Sequence

from quiz.event import Event, form_of
from quiz.reporting.data import misconceptions_of, questions_of, share
from quiz.schema import Bank, Question


def of_class(logs: Sequence[Sequence[Event]], banks: Sequence[Bank]) -> dict:
    """Plain data: `questions`, the hardest first, each with its distractors, the strongest first.

    Each person's first answer to a question counts. Answers to a question that no bank has any more, or has in
    another form, are only counted: `removed`, `other_form`.
    """
    people, questions = _people(logs), questions_of(banks)
    firsts = [_first_answers(log) for log in people]
    rows = [_question(key, question, firsts) for key, question in questions.items()]
    rows = [row for row in rows if row["n"] or row["other_form"]]
    rows.sort(key=lambda row: (row["n"] == 0, row["share"], -row["n"]))
    removed = sum(key not in questions for first in firsts for key, _ in first)
    return {"kind": "class", "people": len(people), "questions": rows, "removed": removed}


def _people(logs: Sequence[Sequence[Event]]) -> list[list[Event]]:
    """One log a person: two exports of the same log are one person's."""
    people: list[dict[str, Event]] = []
    for log in logs:
        events = {event.id: event for event in log}
        same = next((person for person in people if person.keys() & events.keys()), None)
        if same is None:
            people.append(events)
        else:
            same.update(events)
    return [list(person.values()) for person in people]


def _first_answers(log: Sequence[Event]) -> dict[tuple[str, str], Event]:
    first: dict[tuple[str, str], Event] = {}
    for event in log:
        if event.kind == "answered":
            first.setdefault((event.key, event.form), event)
    return first


def _question(key: str, question: Question, firsts: Sequence[dict]) -> dict:
    form = form_of(question)
    mine = [first[key, form] for first in firsts if (key, form) in first]
    drawn = Counter(name for event in mine for name in set(event.misconceptions))
    draws = [(drawn[name], name, words) for name, words in misconceptions_of(question).items()]
    right = sum(bool(event.right) for event in mine)
    return {
        "key": key,
        "difficulty": question.difficulty,
        "n": len(mine),
        "right": right,
        "share": share(right, len(mine)),
        "distractors": [{"id": i, "n": n, "misconception": w} for n, i, w in sorted(draws, key=lambda d: -d[0])],
        "other_form": sum(k == key and f != form for first in firsts for k, f in first),
    }
