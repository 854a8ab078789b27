"""Says where your progress is kept; exports, imports or deletes it.

It is one file in your workspace, and it never leaves this machine unless you take it.
"""

from pathlib import Path

from quiz.errors import QuizError
from quiz.reporting.words import counted
from quiz.store import FileStore, place
from quiz.store.reading import readable


def add_arguments(parser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--export", type=Path, metavar="FILE", help="copy it to a new file, as for another machine")
    what.add_argument("--import", type=Path, metavar="FILE", dest="source", help="add what a file has and yours lacks")
    what.add_argument("--delete", action="store_true", help="delete it, and damaged copies of it")
    parser.add_argument("--yes", action="store_true", help="delete without asking")


def run(args) -> int:
    """Does one of these things, and says what it did; 1 when the student did not want it after all."""
    store = FileStore(place())
    if args.export:
        return _export(store, args.export)
    if args.source:
        return _import(store, args.source)
    return _delete(store, args.yes) if args.delete else _show(store)


def _show(store: FileStore) -> int:
    events = store.events()
    print(f"{counted(len(events), 'event')} in {store.path}")
    for path in store.set_aside():
        print(f"A damaged copy was set aside: {path}")
    return 0


def _export(store: FileStore, target: Path) -> int:
    lines = store.lines()
    try:
        with target.open("xb") as file:
            file.writelines(line + b"\n" for line in lines)
    except FileExistsError:
        raise QuizError(f"{target} is there already: choose another name.") from None
    except OSError as error:
        raise QuizError(f"{target} cannot be written: {error.strerror}.") from None
    print(f"{counted(len(lines), 'event')} copied to {target}; your own file stays as it is.")
    return 0


def _import(store: FileStore, source: Path) -> int:
    try:
        lines, clean = readable(source.read_bytes())
    except OSError as error:
        raise QuizError(f"{source} cannot be read: {error.strerror}.") from None
    if not lines:
        raise QuizError(f"{source} holds no progress: no line of it can be read.")
    print(f"{counted(store.merge(lines), 'event')} added to {store.path}.")
    if not clean:
        print(f"Parts of {source} are damaged and were left out.")
    return 0


def _delete(store: FileStore, sure: bool) -> int:
    if not store.path.exists() and not store.set_aside():
        print(f"There is no progress in {store.path}.")
        return 0
    if not sure and input(f"Delete all your progress in {store.path}? [y/N] ").strip().lower() not in ("y", "yes"):
        print("Nothing was deleted.")
        return 1
    store.delete()
    print("Your progress is deleted.")
    return 0
