"""Feedback pages in a zip that Canvas or Moodle takes back: named as the files were that one had downloaded."""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.course.collect.record import Record
from grader.course.collect.who import FORMS, IN_MOODLE
from grader.course.roster import CANVAS
from grader.errors import CourseError
from grader.files import write_atomically
from grader.paths import Course

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same pages give the same bytes


@dataclass
class Packed:
    """Whose page is in it, who has none yet, and whose file did not come from this platform."""

    students: list[str] = field(default_factory=list)
    without_page: list[str] = field(default_factory=list)
    from_elsewhere: list[str] = field(default_factory=list)


def feedback_zip(course: Course, lesson: str, platform: str, to: Path) -> Packed:
    """Raises CourseError if there is nothing to pack."""
    record, packed, pages = Record(course, lesson), Packed(), {}
    for student in sorted({path.parts[-2] for path in course.submitted.glob(f"*/{lesson}")}):
        for name in course.notebooks(lesson):
            page = course.root / "feedback" / student / lesson / f"{name}.html"
            called = _called(record.of(student, name).get("file", []), platform, name)
            if called is None:
                packed.from_elsewhere.append(student)
            elif not page.is_file():
                packed.without_page.append(student)
            else:
                pages[called] = page.read_bytes()
                packed.students.append(student)
    if not pages:
        why = (
            f"run `nbgrader generate_feedback {lesson}` first"
            if packed.without_page
            else (f"no file of it was collected from a download of {platform.capitalize()}")
        )
        raise CourseError(f"There is no feedback of {lesson} to give back: {why}.")
    try:
        write_atomically(to, _zip(pages))
    except OSError as error:
        raise CourseError(f"{to} cannot be written ({error.strerror}). Name another file.") from error
    return packed


def _called(parts: list[str], platform: str, name: str) -> str | None:
    """How the page is called there; None for a file that is not from this platform."""
    part = next((part for part in parts if FORMS[platform].fullmatch(part)), None)
    if part is None:
        return None
    if platform == CANVAS:  # goes by the two numbers in the name
        return str(PurePosixPath(part).with_suffix(".html"))
    if part == parts[-1]:  # not in folders: goes by the beginning of the name
        found = IN_MOODLE.fullmatch(part)
        return f"{found['name']}_{found['number']}_assignsubmission_file_{name}.html"
    return f"{part}/{name}.html"


def _zip(pages: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for called, page in sorted(pages.items()):
            info = zipfile.ZipInfo(called, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, page)
    return made.getvalue()
