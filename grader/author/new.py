"""A new lesson from the template: a small one that works, to be changed step by step. No existing file is edited."""

import json
import keyword
import re
from pathlib import Path

from grader import exercises
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course, number_of, short_name

TEMPLATE = Path(__file__).parent / "template"
LETTERS = "bcdefghijklmnopqrstuvwxyz"
# template: where its text goes
FILES = {
    "lesson.txt": "solutions/@@lesson@@/@@name@@.py",
    "exercise.txt": "grader/exercises/lesson_@@lesson@@/@@id@@.py",
    "answers.txt": "grader/answers/lesson_@@lesson@@/@@id@@.py",
    "bank.txt": "quiz/bank/@@lesson@@.yaml",
}
PACKAGES = {
    "grader/exercises/lesson_@@lesson@@/__init__.py": '"""Lesson @@number@@\'s exercises: contract, cases and probe of '
    'each. No answers."""\n\nORDER = ("@@id@@",)\n',
    "grader/answers/lesson_@@lesson@@/__init__.py": '"""Lesson @@number@@: right and wrong implementations of each '
    'exercise, as students write them."""\n',
}


def new(course: Course, name: str, after: str, title: str | None = None, exercise: str | None = None) -> list[Path]:
    """Writes the files of a lesson that comes after lesson number `after`; their paths.

    name       in lower case with underscores, such as mixture_of_experts; also the exercise's, unless that is given
    title      default: made from the name

    Raises CourseError if the name or the number will not do, or a file is there already.
    """
    exercise = exercise or name
    title = " ".join((title or "").split()) or name.replace("_", " ").capitalize()
    _demand_name(name, "a lesson")
    _demand_name(exercise, "an exercise")
    _demand_free(course, name, exercise)
    lesson = f"{_number(course, after)}_{name}"
    facts = {
        "lesson": lesson,
        "name": name,
        "number": number_of(lesson),
        "id": exercise,
        "title": title,
        # in YAML a colon or a quotation mark would change a bare title's meaning; JSON's string is one in YAML, too
        "quiz_title": json.dumps(f"{title} in a question", ensure_ascii=False),
    }
    texts = {where: (TEMPLATE / one).read_text(encoding="utf-8") for one, where in FILES.items()} | PACKAGES
    made = {course.root / _filled(where, facts): _filled(text, facts) for where, text in texts.items()}
    for path in made:
        if path.exists():
            raise CourseError(f"{path.relative_to(course.root)} is there already; nothing was written.")
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    return sorted(made)


def lesson_of(paths: list[Path]) -> str:
    """The lesson that these new files are of."""
    return next(path.stem for path in paths if path.suffix == ".yaml")


def _filled(text: str, facts: dict[str, str]) -> str:
    return re.sub(r"@@(\w+)@@", lambda found: facts[found[1]], text)


def _demand_name(name: str, what: str) -> None:
    if keyword.iskeyword(name):
        raise CourseError(f"{name!r} cannot be {what}'s name: Python keeps that word. Choose another.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        number = " (The number is worked out from --after.)" if what == "a lesson" else ""
        raise CourseError(
            f"{name!r} cannot be {what}'s name: small letters, digits and underscores, a letter first, such as "
            f"mixture_of_experts.{number}"
        )


def _demand_free(course: Course, name: str, exercise: str) -> None:
    if not (course.root / "grader" / "exercises").is_dir() or not (course.root / "quiz" / "bank").is_dir():
        raise CourseError(f"{course.root} is not the course's own project (it has no grader/exercises and quiz/bank).")
    for lesson in course.lesson_names():
        if short_name(lesson) == name:
            raise CourseError(f"There is a lesson {lesson} already: choose another name.")
    if exercise in exercises.ids():
        raise CourseError(f"There is an exercise {exercise!r} already: choose another name, or give --exercise.")


def _number(course: Course, after: str) -> str:
    """The next number where it is free; else the same one with a letter, which comes between: 10, 10b, 11."""
    taken = {number_of(lesson) for lesson in course.lesson_names()}
    after = after.zfill(2) if after.isdigit() else after
    if after not in taken:
        raise CourseError(f"There is no lesson {after!r} to come after. Numbers: {', '.join(sorted(taken))}.")
    following = f"{int(after[:2]) + 1:02}"
    if following not in taken and not after[2:] and len(following) == 2:
        return following
    free = (f"{after[:2]}{letter}" for letter in LETTERS if letter > after[2:])
    found = next((number for number in free if number not in taken), None)
    if found is None:
        raise CourseError(f"No letter is left after {after}.")
    return found
