"""Begin a lesson: writes a small one that works, with an exercise, mistakes, an experiment and a quiz.

No existing file is changed: the lesson is found, built, graded and listed because its files are there.
"""

import argparse

from grader.paths import find_course


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="LESSON", help="its name without a number, such as mixture_of_experts")
    parser.add_argument("--after", required=True, metavar="NUMBER", help="the lesson it comes after, such as 10")
    parser.add_argument("--title", metavar="TEXT", help="its title (default: made from the name)")
    parser.add_argument("--exercise", metavar="ID", help="its first exercise's name (default: the lesson's)")


def run(args: argparse.Namespace) -> int:
    from grader.author.new import lesson_of, new

    course = find_course()
    made = new(course, args.name, args.after, args.title, args.exercise)
    lesson = lesson_of(made)
    print(*(path.relative_to(course.root) for path in made), sep="\n")
    print(f"\nThey work as they are. Next: python -m grader build {lesson}, then python -m grader prove {lesson}.")
    return 0
