"""Banks with all types of questions for the tests of the exports, and what an HTML text looks like to a reader."""

import re
import string

from bs4 import BeautifulSoup

from quiz.engine import vary
from quiz.export import Batch
from quiz.schema import Bank
from tests.quiz.make import COMMON, option

LESSON = "99_made"
WRONG = {"misconception": "a wrong idea", "feedback": "This is why not."}


def every_type(text: str = "plain", **fields) -> Bank:
    """A question of each type, in which `text` (Markdown) stands wherever a text can stand."""
    said = {"setting": f"S {text}", "prompt": f"P {text}", "hints": [f"H1 {text}", f"H2 {text}"]}
    said |= {"explanation": f"It is. It was. It will be. {text}", "source": f"Book {text}", "heading": f"Head {text}"}
    wrong = {"misconception": f"idea {text}", "feedback": f"because {text}"}
    bodies = [_choice("single", text, wrong), _choice("multi", text, wrong), _numeric(wrong), _order(text, wrong)]
    bodies += [_match(text, wrong), _short(wrong)]
    questions = [{**COMMON, **said, "id": body["type"], **body, **fields} for body in bodies]
    return Bank.model_validate({"lesson": LESSON, "title": "Made & <so>", "questions": questions})


def _choice(kind: str, text: str, wrong: dict) -> dict:
    right = option("r", True, text=f"right {text}", feedback=f"praise {text}")
    more = [option("s", kind == "multi", text=f"second {text}", **(wrong if kind == "single" else {}))]
    wrongs = [option(name, text=f"{name} {text}", **wrong) for name in ("w", "v")]
    return {"type": kind, "options": [right, *more, *wrongs]}


def _numeric(wrong: dict) -> dict:
    traps = [{"id": "sum", "formula": "a + b", **wrong}, {"id": "twice", "formula": "2 * a * b", **wrong}]
    params = {"a": [3, 5, 7], "b": [11, 13]}
    return {"type": "numeric", "params": params, "formula": "a * b", "tolerance": {"rel": 0.01}, "traps": traps}


def _order(text: str, wrong: dict) -> dict:
    steps = [{"id": name, "text": f"{name} {text}"} for name in ("one", "two", "three", "four")]
    return {"type": "order", "steps": steps, "swaps": [{"first": "three", "then": "two", **wrong}]}


def _match(text: str, wrong: dict) -> dict:
    items = [{"id": f"i{n}", "text": f"item {n} {text}", "target": f"t{n}"} for n in (1, 2, 3)]
    targets = [{"id": f"t{n}", "text": f"target {n} {text}"} for n in (1, 2, 3, 4)]
    confusions = [{"item": "i1", "target": "t4", **wrong}, {"item": "i2", "target": "t1", **wrong}]
    return {"type": "match", "items": items, "targets": targets, "confusions": confusions}


def _short(wrong: dict) -> dict:
    traps = [{"id": "post", "accept": ["post-norm", "postnorm *"], **wrong}]
    return {"type": "short", "accept": ["pre-norm", "norm * first"], "traps": traps}


def batch(*banks: Bank, seed: int = 0, **changed: int) -> Batch:
    return Batch(tuple(banks), seed, {f"99_{name}": when for name, when in changed.items()})


def variants(batch: Batch) -> dict:
    """Every question as the export shows it, by "lesson/question"."""
    return {f"{b.lesson}/{q.id}": vary(q, batch.seed) for b in batch.banks for q in b.questions}


def literal(text: str) -> str:
    """Markdown that means the text itself, whatever is in it."""
    return "".join(f"\\{sign}" if sign in string.punctuation else sign for sign in text)


def seen(html: str) -> str:
    """What a reader sees, mathematics as its TeX, white space aside."""
    tree = BeautifulSoup(html, "html.parser")
    for image in tree.find_all("img", class_="equation_image"):
        image.replace_with(f"\\({image['data-equation-content']}\\)")
    return " ".join(tree.get_text().split())


def tex_in(html: str) -> list[str]:
    """Every formula in the HTML."""
    tree = BeautifulSoup(html, "html.parser")
    pictures = [image["data-equation-content"] for image in tree.find_all("img", class_="equation_image")]
    return pictures or re.findall(r"\\[(\[](.*?)\\[)\]]", tree.get_text(), re.DOTALL)


def code_in(html: str) -> list[str]:
    """Every block of code in the HTML."""
    return [block.get_text() for block in BeautifulSoup(html, "html.parser").find_all("pre")]
