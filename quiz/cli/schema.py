"""Prints the JSON Schema of a bank file, for editors; `quiz/schema/bank.schema.json` is its copy."""

import json

from quiz.schema import Bank

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def add_arguments(parser) -> None:
    pass


def run(args) -> int:
    """Prints it."""
    print(text(), end="")
    return 0


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps({"$schema": DIALECT, **Bank.model_json_schema()}, indent=2) + "\n"
