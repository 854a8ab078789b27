"""Formulas on one line: the same MathML that the page shows, in Unicode where there are signs for it."""

import re
import xml.etree.ElementTree as ET

from quiz.render import mathml

_RAISED = str.maketrans("0123456789+-−=()nijkTx", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱʲᵏᵀˣ")
_LOWERED = str.maketrans("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_SPACED = set("=≈≠≤≥<>+−-·⋅×→←⇒∈∼∝≪≫±")
_ACCENTS = {"ˆ": "\u0302", "^": "\u0302", "~": "\u0303", "¯": "\u0304", "‾": "\u0304", "―": "\u0304", "→": "\u20d7"}


def linear(tex: str) -> str:
    """A formula as one line of text: `\\frac{1}{d}\\sum_i x_i^2` as 1/d ∑ᵢ xᵢ²."""
    text = re.sub(r"\s+", " ", _text(ET.fromstring(mathml(tex)))).strip()
    text = re.sub(r"(?<=[(\[]) | (?=[)\],])", "", text)
    return re.sub(r"(^|[=(\[<>≈≠≤≥,·×] ?)([−±]) ", r"\1\2", text)  # a sign belongs to its number


def _text(node: ET.Element) -> str:
    tag, children = node.tag.rpartition("}")[2], list(node)
    if tag in _SHAPES:
        return _SHAPES[tag](*children)
    if not children:
        return _sign(node.text or "", tag)
    pairs = zip(children, [*children[1:], None], strict=True)
    return "".join(f"({_text(one)})" if _multiplies(one, after) else _text(one) for one, after in pairs)


def _multiplies(node: ET.Element, after: ET.Element | None) -> bool:
    """Whether it is a fraction with a factor behind it, as in 8/3 d, which would seem to be under the line."""
    factors = ("mi", "msup", "msub", "mn", "msqrt")
    return after is not None and node.tag.endswith("mfrac") and after.tag.rpartition("}")[2] in factors


def _sign(text: str, tag: str) -> str:
    if tag in ("mspace", "mtext"):
        return text or " "
    text = text.strip()
    return f" {text} " if text in _SPACED else text + " " * (text == "∑" or (tag == "mo" and text == ","))


def _fraction(above, below) -> str:
    return f"{_grouped(_text(above))}/{_grouped(_text(below))}"


def _grouped(text: str) -> str:
    text = text.strip()
    return text if re.fullmatch(r"[\w.,∂₀-₉ᵢⱼ]+|√?\(.*\)|√\w+", text) else f"({text})"


def _raised(base, upper) -> str:
    return _text(base).rstrip() + _moved(_text(upper).replace(" ", ""), _RAISED, "^")


def _lowered(base, lower) -> str:
    return _text(base).rstrip() + _moved(_text(lower).replace(" ", ""), _LOWERED, "_") + _gap(base)


def _both(base, lower, upper) -> str:
    raised = _moved(_text(upper).replace(" ", ""), _RAISED, "^")
    return _lowered(base, lower).rstrip() + raised + _gap(base)


def _gap(base) -> str:
    return " " * (_text(base).strip() in ("∑", "∏"))


def _over(base, upper) -> str:
    below, above = _text(base).strip(), _text(upper).strip()
    if above not in _ACCENTS:
        return _raised(base, upper)
    return below + _ACCENTS[above] if len(below) == 1 else f"({below}){above}"


def _moved(text: str, table: dict, mark: str) -> str:
    small = text.translate(table)
    moved = all(a != b for a, b in zip(text, small, strict=True))
    return small if moved else mark + (text if len(text) == 1 else f"({text})")


def _root(*inside) -> str:
    text = "".join(map(_text, inside)).strip()
    return f"√{text}" if re.fullmatch(r"\w+", text) else f"√({text})"


_SHAPES = {
    "mfrac": _fraction,
    "msup": _raised,
    "msub": _lowered,
    "msubsup": _both,
    "munder": _lowered,
    "munderover": _both,
    "mover": _over,
    "msqrt": _root,
    "mtr": lambda *cells: "  ".join(map(_text, cells)) + "; ",
}
