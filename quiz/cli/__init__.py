"""`python -m quiz`: one module per command, found by its file name. No command's work lives here.

A command module has a docstring (its first line is the help), `add_arguments(parser)` and
`run(args) -> int` (the exit status).
"""

import argparse
import importlib
import pkgutil
import sys

from quiz.errors import QuizError

OWN = ("grader", "lessons", "quiz")  # a module of these that is missing is a fault of the course


def main(argv: list[str] | None = None) -> int:
    """Runs one command; 2 for a wrong use or an error that is explained on stderr."""
    try:
        args = _parser().parse_args(argv)
        return args.run(args)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OWN:
            raise
        print(f"error: {_not_installed(error)}", file=sys.stderr)
        return 2
    except QuizError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _not_installed(error: ModuleNotFoundError) -> str:
    """As `python -m grader` says it; nothing of that is imported here."""
    return (
        f"{sys.executable} has no {error.name}. Activate the course's environment first (`source .venv/bin/activate`, "
        "on Windows `.venv\\Scripts\\activate`); `python3 start.py setup` makes it."
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m quiz", description="The question bank.")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        text = module.__doc__.strip()
        sub = subparsers.add_parser(found.name, help=text.splitlines()[0], description=text)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser
