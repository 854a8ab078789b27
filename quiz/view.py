"""What a page may know: `public` before an answer, `progress` after one. All texts become HTML here.

`public` is the only thing that reaches a notebook, a widget's state or an export before an answer: it copies
named fields, so a field added to the schema stays secret until it is named here.
"""

from quiz import teaching
from quiz.engine import Variant
from quiz.exchange import right_answer, to_page
from quiz.render import block, phrasing
from quiz.schema import Match, Numeric
from quiz.session import Session, State

HOW = {
    "single": "Choose one.",
    "multi": "Tick all that hold.",
    "numeric": "Type a number.",
    "order": "The first goes on top.",
    "match": "Give each line its letter; a letter may fit several lines or none.",
    "short": "Type a word or two, or a line of code.",
}


def public(key: str, variant: Variant) -> dict:
    """A question before its answer, as plain data. Options have no ids here: an id may say too much."""
    question = variant.question
    return {
        "id": key,
        "type": question.type,
        "how": HOW[question.type],
        "setting": block(variant.before(question.setting)) if question.setting else "",
        "prompt": phrasing(variant.before(question.prompt)),
        "options": [phrasing(variant.before(option.text)) for option in variant.options],
        "items": [phrasing(variant.before(i.text)) for i in question.items] if isinstance(question, Match) else [],
        "unit": (question.unit or "") if isinstance(question, Numeric) else "",
        "hints": len(question.hints),
    }


def progress(session: Session, key: str) -> dict:
    """Where a person stands with a question: never more than they have earned."""
    state, variant = session.state(key), session.variant(key)
    grade = state.grade
    return {
        "question": key,
        "answer": to_page(variant, state.answer) if state.answer is not None else None,
        "right": grade.right if grade else None,
        "verdict": grade.verdict if grade else "",
        "feedback": [block(text) for text in feedback(variant, state)],
        "hints": [block(variant.before(h)) for h in variant.question.hints[: state.hints]],
        "changed": state.changed,
        "taught": teaching.link(key, variant.question) if may_be_told_where(variant, state) else None,
        **(_solution(variant) if is_open(state) else {}),
    }


def is_open(state: State) -> bool:
    """Whether the solution may be shown."""
    return state.revealed or bool(state.grade and state.grade.right)


def may_be_told_where(variant: Variant, state: State) -> bool:
    """Whether it may be said where the lesson teaches it: after the last hint, and after an answer."""
    return state.grade is not None or state.hints == len(variant.question.hints)


def feedback(variant: Variant, state: State) -> list[str]:
    """What is said to the last answer, as Markdown; for a mistake of an exercise, that its check knows it, too."""
    if not state.grade:
        return []
    return [*state.grade.feedback, *teaching.checks(variant.question, state.grade.misconceptions)]


def after(variant: Variant) -> str:
    """Explanation and source, as Markdown."""
    return variant.after(f"{variant.question.explanation}\n\n*Source:* {variant.question.source}")


def _solution(variant: Variant) -> dict:
    return {"explanation": block(after(variant)), "solution": right_answer(variant)}
