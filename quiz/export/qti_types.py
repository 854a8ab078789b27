"""What becomes of each type of question in text2qti. Each function returns how many questions it made."""

from quiz.engine import Variant
from quiz.engine.numeric import allowed
from quiz.errors import QuizError
from quiz.export.html import Html, verbatim
from quiz.export.layout import lettered, letters
from quiz.export.parts import Parts
from quiz.export.qti_source import Source
from quiz.export.spelling import spellings
from quiz.formula import evaluate, show

DECIMALS = 5e-5  # how far off a number is at most in text2qti's four decimals
SMALLEST = 1e-4  # text2qti takes no bound below


def choice(source: Source, variant: Variant, pieces: Parts, html: Html) -> int:
    """Multiple choice, or multiple answers."""
    several = variant.question.type == "multi"
    source.question(pieces.key, pieces.question, pieces.closing, _hints(pieces))
    for option in variant.options:
        name, text = f"{pieces.key}/{option.id}", html(variant.before(option.text))
        source.option(name, text, option.correct, several, pieces.told_of(option.id))
    return 1


def numeric(source: Source, variant: Variant, pieces: Parts, html: Html) -> int:
    """The key and its tolerance, times a power of 1000 if they are small."""
    key = variant.secrets["answer"]
    tolerance = allowed(key, variant.question.tolerance)
    scale = _scale(pieces.key, key, tolerance)
    asked = "" if scale == 1 else f"<p><strong>Type the number times {show(scale)}.</strong></p>"
    wrong = _traps(variant, pieces, scale) + _hints(pieces)
    source.question(pieces.key, pieces.question + asked, pieces.closing, wrong)
    source.number(key * scale, tolerance * scale)
    return 1


def short(source: Source, variant: Variant, pieces: Parts, html: Html) -> int:
    """A blank, with every spelling of the right answers."""
    source.question(pieces.key, pieces.question, pieces.closing, pieces.told + _hints(pieces))
    for form in spellings(variant.before(text) for text in variant.question.accept):
        source.typed(f"{pieces.key}/{form.casefold()}", form)
    return 1


def order(source: Source, variant: Variant, pieces: Parts, html: Html) -> int:
    """A blank for the letters of the steps: ABDC, A B D C, A, B, D, C and the like."""
    letter = dict(zip((step.id for step in variant.options), letters(len(variant.options)), strict=True))
    steps = lettered(variant, html)
    how = "<p><em>Type the letters in the right order, such as</em> " + "".join(letter.values()) + "<em>.</em></p>"
    swaps = "".join(
        f"<p><strong>{letter[s.first]} before {letter[s.then]}</strong></p>{pieces.wrongs[s.id].told}"
        for s in variant.question.swaps
    )
    source.question(pieces.key, pieces.question + steps + how, pieces.closing, swaps + _hints(pieces))
    right = [letter[step.id] for step in variant.question.steps]
    for mark in ("", " ", ",", ", ", "-", " - "):
        source.typed(f"{pieces.key}/order/{mark}", mark.join(right))
    return 1


def match(source: Source, variant: Variant, pieces: Parts, html: Html) -> int:
    """A multiple-choice question for each item."""
    items = variant.question.items
    for place, item in enumerate(items, 1):
        asked = f"<p><strong>Which fits this one ({place} of {len(items)})?</strong></p>"
        text = pieces.question + asked + html(variant.before(item.text))
        key = f"{pieces.key}/{item.id}"
        source.question(key, text, pieces.closing, _hints(pieces))
        for target in variant.options:
            told, right = pieces.told_of(f"{item.id}={target.id}"), target.id == item.target
            source.option(f"{key}/{target.id}", html(variant.before(target.text)), right, False, told)
    return len(items)


def _scale(name: str, key: float, tolerance: float) -> int:
    """The power of 1000 at which four decimals change the tolerance by a hundredth of it at most."""
    for scale in (1, 10**3, 10**6, 10**9, 10**12):
        bounds = [abs(bound) * scale for bound in (key - tolerance, key + tolerance)]
        exact = not tolerance and round(key * scale, 4) == key * scale
        if min(bounds) >= SMALLEST and (exact or tolerance * scale >= 100 * DECIMALS):
            return scale
    raise QuizError(f"{name}: text2qti cannot ask for {show(key)} with a tolerance of {show(tolerance)}.")


def _traps(variant: Variant, pieces: Parts, scale: int) -> str:
    values = ((trap.id, evaluate(trap.formula, variant.values) * scale) for trap in variant.question.traps)
    return "".join(f"<p><strong>{verbatim(show(v))}</strong></p>{pieces.wrongs[name].told}" for name, v in values)


def _hints(pieces: Parts) -> str:
    return "".join(f"<p><em>Hint {place}</em></p>{hint}" for place, hint in enumerate(pieces.hints, 1))


TYPES = {"single": choice, "multi": choice, "numeric": numeric, "order": order, "match": match, "short": short}
