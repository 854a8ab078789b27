"""`python -m quiz`: one module per command, found by its file name. No command's work lives here.

A command module has a docstring (its first line is the help), `add_arguments(parser)` and
`run(args) -> int` (the exit status).
"""

import argparse
import importlib
import pkgutil
import sys

from quiz.errors import QuizError


def main(argv: list[str] | None = None) -> int:
    """Runs one command; 2 for a wrong use or an error that is explained on stderr."""
    args = _parser().parse_args(argv)
    try:
        return args.run(args)
    except QuizError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


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
