"""Reads bank files. Every error names file, question and field.

The files themselves are in the folder `bank`, one a lesson: a new lesson's questions are a new file there.
"""

import difflib
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ValidationError

from quiz import schema
from quiz.errors import QuizError
from quiz.schema import TYPE_NAMES, Bank

FOLDER = Path(__file__).parent / "bank"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a bank file."""

    file: str
    question: str  # its id, or "" for the file as a whole
    field: str
    message: str

    def __str__(self) -> str:
        where = [self.file, f"question {self.question}" if self.question else "", self.field]
        return f"{', '.join(filter(None, where))}: {self.message}"


# The one in C is eight times as fast; where PyYAML was built without it, the other does the same.
class _UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML lets a second key replace the first without a word; here it is an error."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                raise yaml.MarkedYAMLError(problem=f"`{key.value}` stands twice", problem_mark=key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def lessons(folder: Path = FOLDER) -> list[str]:
    """The lessons that have a bank, in order."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def load(lesson: str, folder: Path = FOLDER) -> Bank:
    """A lesson's bank. Raises QuizError for an unknown lesson, or with all that is wrong with the file."""
    known = lessons(folder)
    if lesson not in known:
        close = difflib.get_close_matches(str(lesson), known, 1, cutoff=0.4)
        remedy = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known) or 'none'}."
        raise QuizError(f"There is no quiz for the lesson {lesson!r}: {remedy}")
    bank, problems = read(folder / f"{lesson}.yaml")
    if bank is None:
        raise QuizError("\n".join(map(str, problems)))
    return bank


def load_all(folder: Path = FOLDER) -> list[Bank]:
    """The banks of all lessons, in order. Raises QuizError as `load` does."""
    return [load(lesson, folder) for lesson in lessons(folder)]


def read(path: Path) -> tuple[Bank | None, list[Problem]]:
    """A bank file, or None and everything that is wrong with it."""
    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), _UniqueKeys)
        if not isinstance(raw, dict):
            return None, [Problem(path.name, "", "", "holds no bank: it has `lesson`, `title` and `questions`")]
        bank = Bank.model_validate(raw)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        return None, [Problem(path.name, "", f"line {line}", f"not valid YAML: {error.problem}")]
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        return None, [Problem(path.name, "", "", f"cannot be read: {error}")]
    except ValidationError as error:
        return None, [_problem(path.name, raw, e) for e in error.errors()]
    if bank.lesson != path.stem:
        return None, [Problem(path.name, "", "lesson", f"is {bank.lesson!r}; the file's name says {path.stem!r}")]
    return bank, []


def _problem(file: str, raw, error: dict) -> Problem:
    """Pydantic's error in the words of a bank's author."""
    question, place = "", list(error["loc"])
    if place[:1] == ["questions"] and len(place) > 1:
        entry = raw["questions"][place[1]]
        name = entry.get("id") if isinstance(entry, dict) else None
        question = str(name or f"number {place[1] + 1}")
        # After the index pydantic puts the type it took the question for.
        place = place[3:] if len(place) > 2 else []
    return Problem(file, question, _path(place), _message(error))


def _path(place: list) -> str:
    text = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place)
    return text.removeprefix(".")


def _message(error: dict) -> str:
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == "extra_forbidden":
        close = difflib.get_close_matches(str(error["loc"][-1]), _field_names(), 1)
        return "is not a field" + (f"; did you mean `{close[0]}`?" if close else "")
    if error["type"].startswith("union_tag"):
        return f"`type` is missing or unknown; known types: {', '.join(TYPE_NAMES)}"
    return error["msg"].removeprefix("Value error, ")


def _field_names() -> set[str]:
    models = [m for m in vars(schema).values() if isinstance(m, type) and issubclass(m, BaseModel)]
    return {name for model in models for name in model.model_fields}
