"""Formulas in the bank's text: evaluated by simpleeval, which knows arithmetic and nothing else of Python.

A text may hold `{{ expression }}`; `fill` replaces it by the expression's value.
"""

import ast
import math
import re
from collections.abc import Mapping

from simpleeval import InvalidExpression, SimpleEval

from quiz.errors import QuizError

FUNCTIONS = {
    **{name: getattr(math, name) for name in ("sqrt", "log", "log2", "exp", "ceil", "floor", "tanh")},
    **{f.__name__: f for f in (abs, min, max, round)},
}
CONSTANTS = {"pi": math.pi, "e": math.e}
PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_ARITHMETIC = (ArithmeticError, ValueError, TypeError, SyntaxError)


def evaluate(formula: str, values: Mapping[str, float]) -> float:
    """The value of an arithmetic formula. Raises QuizError when it has none, or not a finite number."""
    try:
        evaluator = SimpleEval(names={**CONSTANTS, **values}, functions=FUNCTIONS)
        del evaluator.nodes[ast.Attribute]
        value = evaluator.eval(formula)
        if isinstance(value, bool) or not math.isfinite(value):
            raise ValueError(f"the value is {value}, not a finite number")
    except (InvalidExpression, *_ARITHMETIC) as error:
        known = ", ".join(values) or "none"
        raise QuizError(f"`{formula.strip()}` has no value: {error} (parameters: {known})") from None
    return value


def names(formula: str) -> set[str]:
    """The names a formula uses. Raises QuizError when it is no formula."""
    try:
        return {node.id for node in ast.walk(ast.parse(formula.strip(), mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError as error:
        raise QuizError(f"`{formula.strip()}` is not a formula: {error.msg}") from None


def fill(text: str, values: Mapping[str, float]) -> str:
    """`text` with every `{{ expression }}` replaced by its value. Raises QuizError as `evaluate` does."""
    return PLACEHOLDER.sub(lambda found: show(evaluate(found[1].strip(), values)), text)


def show(value: float) -> str:
    """A number as people write it: 266,240 and 0.857143; whole numbers without a point."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}" if abs(value) >= 10_000 else str(int(value))
    return f"{value:.6g}"
