"""Asks questions in this terminal: a lesson's, or those that are due and then new ones."""

import sys
from pathlib import Path

from quiz.bank import FOLDER
from quiz.choosing import of_lesson, whatever_is_due
from quiz.session import Session
from quiz.store import FileStore, person, place


def add_arguments(parser) -> None:
    parser.add_argument("lesson", nargs="?", metavar="LESSON", help='such as "03_rms_norm"; else what is due')
    parser.add_argument("--most", type=int, default=10, metavar="N", help="the most questions (default: 10)")
    parser.add_argument("--bank", type=Path, default=FOLDER, help="a folder of bank files, if not the course's own")


def run(args) -> int:
    """Asks, and says where the progress is."""
    from quiz.terminal import take

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console that has no √ shows another sign
    store = FileStore(place())
    if args.lesson:
        chosen = of_lesson(args.lesson, args.most, args.bank)
    else:
        chosen = whatever_is_due(store.events(), args.most, folder=args.bank)
    session = Session(chosen.banks, store, person(), keys=chosen.keys, title=chosen.title)
    if chosen.intro:
        print(chosen.intro)
    if chosen.keys:
        take(session)
    print(session.unsaved or f"Your progress is in {store.path}.")
    return 0
