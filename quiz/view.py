"""What a page may know: `public` before an answer, `progress` after one. All texts become HTML here.

`public` is the only thing that reaches a notebook, a widget's state or an export before an answer: it copies
named fields, so a field added to the schema stays secret until it is named here.
"""

from quiz.engine import Variant, solution
from quiz.render import block, phrasing
from quiz.schema import Numeric
from quiz.session import Session

HOW = {"single": "Choose one.", "multi": "Tick all that hold.", "numeric": "Type a number."}


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
        "unit": (question.unit or "") if isinstance(question, Numeric) else "",
        "hints": len(question.hints),
    }


def progress(session: Session, name: str) -> dict:
    """Where a person stands with a question: never more than they have earned."""
    state, variant = session.state(name), session.variant(name)
    open_now = state.revealed or bool(state.grade and state.grade.right)
    return {
        "question": name,
        "answer": _positions(variant, state.answer) if state.answer is not None else None,
        "right": state.grade.right if state.grade else None,
        "verdict": state.grade.verdict if state.grade else "",
        "feedback": [block(text) for text in state.grade.feedback] if state.grade else [],
        "hints": [block(variant.before(h)) for h in variant.question.hints[: state.hints]],
        **(_solution(variant) if open_now else {}),
    }


def answer_from(variant: Variant, value) -> list[str] | str:
    """A page's answer (positions of options, or text) as the engine's (ids, or text)."""
    if not isinstance(value, list):
        return value if isinstance(value, str) else ""
    return [variant.options[i].id for i in value if isinstance(i, int) and 0 <= i < len(variant.options)]


def _solution(variant: Variant) -> dict:
    question = variant.question
    body = f"{question.explanation}\n\n*Source:* {question.source}"
    return {"explanation": block(variant.after(body)), "solution": _positions(variant, solution(variant))}


def _positions(variant: Variant, answer) -> list[int] | str:
    if isinstance(answer, str):
        return answer
    return [i for i, option in enumerate(variant.options) if option.id in answer]
