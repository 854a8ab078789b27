"""`numeric`: parameters drawn, the key computed, the number typed compared with it and with the traps."""

import math
import re
from random import Random

from quiz.engine.base import Answer, Grade, Unreadable, Variant
from quiz.formula import evaluate, show
from quiz.schema import Numeric, Tolerance

# 266,240 and 266 240, with a plain, a no-break or a narrow space.
_GROUP = "[,_ \u00a0\u202f]"
_GROUPED = re.compile(rf"[-+]?[1-9]\d{{0,2}}({_GROUP}\d{{3}})+(\.\d*)?")


def vary(question: Numeric, random: Random, values: dict[str, float]) -> Variant:
    """The question with its parameters and its key."""
    return with_values(question, values)


def with_values(question: Numeric, values: dict[str, float]) -> Variant:
    """The question with the given values. Raises QuizError when the formula has no value for them."""
    return Variant(question, values=values, secrets={"answer": evaluate(question.formula, values)})


def grade(variant: Variant, answer: Answer) -> Grade:
    """Right when within the tolerance of the key; a number within the tolerance of a trap gets its feedback."""
    value, key, tolerance = parse(answer), variant.secrets["answer"], variant.question.tolerance
    if close(value, key, tolerance):
        return Grade(True, f"Right: {show(key)}.")
    for trap in variant.question.traps:
        if close(value, evaluate(trap.formula, variant.values), tolerance):
            return Grade(False, "Not yet.", (variant.before(trap.feedback),), (trap.id,))
    return Grade(False, f"Not yet: {show(value)} is too {'large' if value > key else 'small'}.")


def solution(variant: Variant) -> str:
    """The key, exactly, as text that `grade` reads."""
    return repr(variant.secrets["answer"])


def parse(text: Answer) -> float:
    """A number as people type it: 266240, 266,240, 2.6e5. Raises Unreadable for anything else."""
    typed = str(text).strip().replace("\u2212", "-")
    if _GROUPED.fullmatch(typed):
        typed = re.sub(_GROUP, "", typed)
    try:
        value = float(typed)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Unreadable("Type one number, with a point if it has decimals: 4096, 0.5 or 1.2e-3.")
    return value


def close(value: float, key: float, tolerance: Tolerance) -> bool:
    """Whether `value` passes for `key`."""
    return abs(value - key) <= allowed(key, tolerance)


def allowed(key: float, tolerance: Tolerance) -> float:
    """How far from `key` a number may be."""
    return max(tolerance.abs, tolerance.rel * abs(key))
