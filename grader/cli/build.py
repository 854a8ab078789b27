"""Make the students' lessons from the solutions, through nbgrader.

Each solutions/LESSON/NAME.py gives a source notebook beside it (for nbgrader and formgrader, never committed)
and the student copy lessons/LESSON/NAME.ipynb. Exit status: 0 done; 1 --check found a difference; 2 a lesson
cannot be built.
"""

from grader.errors import CourseError
from grader.paths import Course, find_course


def add_arguments(parser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="such as 03_rms_norm (default: all)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="write nothing; say what differs from the source")
    choice.add_argument(
        "--points", action="store_true", help="first write the exercises' points into the lesson's check cells"
    )
    choice.add_argument(
        "--take-edits",
        action="store_true",
        help="first bring edits made to the source notebook in formgrader or Lab back into the .py",
    )


def run(args) -> int:
    course = find_course()
    lessons = args.lessons or course.lesson_names()
    if not lessons:
        raise CourseError(
            f"There are no lessons in {course.solutions}: a lesson is a file like 03_rms_norm/rms_norm.py."
        )
    if args.check:
        return _check(course, lessons, everything=not args.lessons)
    for lesson in lessons:
        if args.points:
            _points(course, lesson)
        _build(course, lesson, args.take_edits)
    return 0


def _points(course: Course, lesson: str) -> None:
    from grader.author.points import take_points

    for sentence in take_points(course, lesson):
        print(f"{lesson}: {sentence}")


def _build(course: Course, lesson: str, take: bool) -> None:
    from grader.author import build, edits

    if take and edits.take_edits(course, lesson):
        print(f"{lesson}: took the edits into {course.source(lesson).relative_to(course.root)}")
    changed = build.write(course, lesson)
    names = ", ".join(str(path.relative_to(course.root)) for path in changed)
    print(f"{lesson}: wrote {names}" if changed else f"{lesson}: up to date")


def _check(course: Course, lessons: list[str], everything: bool) -> int:
    from grader.author import build

    found = build.orphans(course) if everything else []
    wrong = []
    for lesson in lessons:
        if differences := build.differences(course, lesson):
            wrong.append(lesson)
            found += differences
    for sentence in found:
        print(sentence)
    if wrong:
        print(f"To mend it: `python -m grader build {' '.join(wrong)}`, then commit the result.")
    return 1 if found else 0
