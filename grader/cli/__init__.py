"""The command line: one module per command, found by its file name. No command's work lives here.

A command module has a docstring (its first line is the help), `add_arguments(parser)` and
`run(args) -> int` (the exit status).
"""

import argparse
import importlib
import os
import pkgutil
import select
import sys

from grader.errors import CourseError

OWN = ("grader", "lessons", "quiz")  # a module of these that is missing is a fault of the course


def commands() -> list[str]:
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grader", description="Build, check and grade lessons.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # Only the chosen command is imported: `--help` of a small one should not wait for torch.
    for name in [chosen] if chosen in commands() else commands():
        module = importlib.import_module(f"{__name__}.{name}")
        text = (module.__doc__ or "").strip()
        sub = subparsers.add_parser(name, help=text.splitlines()[0], description=text)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def _not_installed(error: ModuleNotFoundError) -> str:
    return (
        f"{sys.executable} has no {error.name}. Activate the course's environment first (`source .venv/bin/activate`, "
        "on Windows `.venv\\Scripts\\activate`); `python3 start.py setup` makes it."
    )


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    try:
        args = _parser(argv[0] if argv else None).parse_args(argv)
        status = args.run(args)
        sys.stdout.flush()  # here, and not after all is over
        return status
    except BrokenPipeError:
        if not _nobody_reads():
            raise
        return 141  # what a shell gives for a program that a closed pipe has ended
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OWN:
            raise
        print(f"error: {_not_installed(error)}", file=sys.stderr)
        return 2
    except CourseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _nobody_reads() -> bool:
    """Whether what is printed has no reader left, as with `| head -1`: he has seen enough, which is no error."""
    if not hasattr(select, "poll"):  # Windows
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if not any(event & select.POLLERR for _, event in poll.poll(0)):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python tries again at its end
    return True
