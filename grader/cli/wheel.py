"""Pack the student wheel for a class: lessons, checks and quiz, without solutions and references.

Students install it with pip, in an environment of their own: `pip install FILE`, then `python -m grader lab`.
"""

from pathlib import Path

from grader.paths import find_course


def add_arguments(parser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="only these, such as 03_rms_norm (default: all)")
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="default: dist")


def run(args) -> int:
    from grader.author.wheel import build_wheel

    path = build_wheel(find_course(), args.out, args.lessons)
    print(f"{path} ({path.stat().st_size / 1024:.0f} kB): students install it with `pip install {path.name}`")
    return 0
