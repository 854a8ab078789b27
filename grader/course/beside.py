"""What lies beside an autograded notebook: when it was handed in, and the name under which its feedback goes out.

nbgrader's exchange hands feedback out in a folder that nobody can list, under names made from a secret that came
with the submission (`nbgrader release_feedback`, `fetch_feedback`). One submission without a secret or a time stops
the release for the whole class, so one that was handed in by another road gets a secret that only the course can
make again, and an empty file for the time, which is nbgrader's way to say that it is not known.
"""

import hashlib
import hmac
import re

from grader.course.seeds import course_secret
from grader.course.submissions import TIMESTAMP, NotReadable, read_regular
from grader.files import write_atomically
from grader.paths import Course

SECRET = "submission_secret.txt"
FORM = re.compile(rb"[0-9a-f]{128}")  # as nbgrader writes it


def write_beside(course: Course, lesson: str, student: str, timestamp: str | None, mode: int) -> None:
    """Writes both files into the student's autograded folder."""
    folder = course.autograded / student / lesson
    write_atomically(folder / TIMESTAMP, (timestamp or "").encode(), mode)
    write_atomically(folder / SECRET, feedback_secret(course, lesson, student), mode)


def feedback_secret(course: Course, lesson: str, student: str) -> bytes:
    """The secret that was handed in, or one for who has none."""
    try:
        content = read_regular(course.submitted / student / lesson / SECRET)
    except NotReadable:
        content = b""
    if FORM.fullmatch(content):
        return content
    message = "\0".join(("feedback", lesson, student))
    return hmac.new(course_secret(course), message.encode(), hashlib.sha512).hexdigest().encode()
