"""Collect a folder or zip that was downloaded from a learning platform into submitted/.

Names may be messy: whose file it is, is decided by the roster and by how Moodle and Canvas name files; which lesson's
it is, by what stands in the notebook. What is not clear is asked, or listed where there is nobody to ask. It is never
guessed. The same command again changes nothing; a later file replaces an earlier one, which is kept in
.grader/earlier/.

The roster is a list of people that you can download: Canvas's gradebook (Export), Moodle's grading worksheet (which
also says when each was handed in) or its list of participants, or a CSV file with the headings id, first_name,
last_name, email. Without it: the students in the gradebook.

Exit status: 0 all is collected, 1 something has to be answered (with --who FILE.csv: write a student's id, or -, into
the column student of that file, and give the command again), 2 it cannot be done.
"""

import argparse
import sys
from pathlib import Path

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="for example 03_rms_norm")
    parser.add_argument("source", metavar="FOLDER_OR_ZIP", type=Path, help="what you have downloaded")
    parser.add_argument("--roster", metavar="FILE", type=Path, help="the platform's list of people, as CSV")
    parser.add_argument(
        "--no-file-times", action="store_true", help="do not take the times of files for those of handing in"
    )
    parser.add_argument("--who", metavar="FILE", type=Path, help="a table of answers; open questions are added to it")


def run(args: argparse.Namespace) -> int:
    """0 when nothing is open, else 1."""
    import grader.lean  # noqa: F401
    from grader.course.collect import collect

    ask = _ask if sys.stdin.isatty() and sys.stdout.isatty() else None
    done = collect(find_course(), args.lesson, args.source, args.roster, args.who, ask, not args.no_file_times)
    print(_said(args.lesson, done))
    if done.questions:
        print(f"\n{len(done.questions)} to be answered; the files stay where they are:\n")
        for question in done.questions:
            could = f" Could be: {', '.join(question.people)}." if question.people else ""
            print(f"  {question.shown}\n      {question.why.rstrip('.')}.{could}")
        print(f"\n{_how_to_answer(args)}")
    else:
        print(f"\nNext: python -m grader autograde {args.lesson}")
    return 1 if done.questions else 0


def _said(lesson: str, done) -> str:
    counts = {what: len(students) for what, students in done.done.items()}
    lines = [f"{lesson}: {counts['new']} collected, {counts['replaced']} replaced, {counts['same']} there already."]
    if done.done["replaced"]:
        lines.append(
            f"Replaced by a later one: {', '.join(done.done['replaced'])}. The earlier lie in .grader/earlier."
        )
    if done.done["older"]:
        lines.append(f"Left, because there is a later one: {', '.join(done.done['older'])}.")
    if done.without_time:
        lines.append(f"Without a time, so taken as in time: {len(done.without_time)}.")
    if done.by_file:
        lines.append(f"Handed in when the file was saved: {len(done.by_file)}. If that is wrong: --no-file-times.")
    if done.missing:
        lines.append(f"No file of {len(done.missing)} in the roster: {', '.join(done.missing)}.")
    return "\n".join([*lines, *(f"Note: {note}." for note in done.notes)])


def _how_to_answer(args: argparse.Namespace) -> str:
    if args.who:
        return f"Write a student's id, or - for nobody's, into the column student of {args.who}; then the same again."
    return "Give the command again with --who FILE.csv: the questions are written into that file, to be answered there."


def _ask(question) -> dict[str, str]:
    """Asked in the terminal. An empty answer leaves it open."""
    from grader.course.collect import LEAVE

    print(f"\n{question.why.rstrip('.')}:")
    several = len(question.files) > 1
    choices = [found.item.shown for found in question.files] if several else list(question.people)
    if not several:
        print(f"  {question.shown}")
    for number, choice in enumerate(choices, 1):
        print(f"  {number}  {choice}")
    what = "the number of the right one, or a student's id" if choices else "a student's id"
    try:
        answer = input(f"{what}; {LEAVE} for none; Enter: later > ").strip()
    except EOFError:
        answer = ""
    if not answer or answer == LEAVE:
        return {found.item.shown: LEAVE for found in question.files} if answer else {}
    chosen = choices[int(answer) - 1] if answer.isdigit() and 1 <= int(answer) <= len(choices) else answer
    return {chosen: question.people[0]} if several else {question.files[0].item.shown: chosen}
