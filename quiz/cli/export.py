"""Exports questions for Canvas (qti), Moodle, Anki or programs (json).

All lessons or some. What has parameters is filled in by the seed, so that the export made again is the same; ids come
from lesson and question, so that a newer export replaces questions and does not double them.
"""

from pathlib import Path

from quiz.bank import FOLDER
from quiz.export import FORMATS, Batch, Exported, export, gather
from quiz.export.files import write

DEFAULT_FOLDER = Path("exports")


def add_arguments(parser) -> None:
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: exports/quiz.*, its ending by the format")
    parser.add_argument("--lesson", nargs="+", action="extend", default=[], metavar="NN_name", help="default: all")
    parser.add_argument("--seed", type=int, default=0, help="draws the parameters and the order of options; default: 0")
    parser.add_argument("--bank", type=Path, default=FOLDER, help="a folder of bank files, if not the course's own")


def run(args) -> int:
    """Writes the file and says what became of the questions of each type, and what the format cannot hold."""
    batch = gather(args.lesson, args.seed, args.bank)
    exported = export(args.format, batch)
    out = args.out or DEFAULT_FOLDER / exported.file
    write(out, exported.data)
    print(_summary(out, batch, exported))
    return 0


def _summary(out: Path, batch: Batch, exported: Exported) -> str:
    types = [question.type for bank in batch.banks for question in bank.questions]
    lines = [f"{out}: {len(types)} questions of {len(batch.banks)} lessons, seed {batch.seed}"]
    for name, how in exported.how.items():
        if count := types.count(name):
            lines.append(f"  {name:<8}{count:>4} -> {exported.made[name]:>4}  {how}")
    lines += [f"  not carried: {lost}" for lost in exported.lost]
    return "\n".join(lines)
