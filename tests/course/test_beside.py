"""The secret under which feedback is released: the student's own, or one for who handed in by another road."""

import pytest

from grader.course.beside import SECRET, feedback_secret, write_beside
from tests.course.classroom import LESSON

OWN = "0123456789abcdef" * 8


def handed_in(course, student: str, secret: str | None) -> None:
    folder = course.submitted / student / LESSON
    folder.mkdir(parents=True)
    if secret is not None:
        (folder / SECRET).write_text(secret)


def test_what_came_with_the_submission_is_kept(course):
    handed_in(course, "ada", OWN)
    write_beside(course, LESSON, "ada", "2026-01-31 11:00:00 UTC", 0o444)
    folder = course.autograded / "ada" / LESSON
    assert (folder / SECRET).read_text() == OWN
    assert (folder / "timestamp.txt").read_text() == "2026-01-31 11:00:00 UTC"


def test_a_second_submission_brings_its_own(course):
    handed_in(course, "ada", OWN)
    write_beside(course, LESSON, "ada", None, 0o444)
    (course.submitted / "ada" / LESSON / SECRET).write_text(OWN[::-1])
    write_beside(course, LESSON, "ada", None, 0o444)
    assert (course.autograded / "ada" / LESSON / SECRET).read_text() == OWN[::-1]
    assert (course.autograded / "ada" / LESSON / "timestamp.txt").read_text() == ""


@pytest.mark.parametrize("secret", [None, "", "../../etc/passwd", OWN[:-1], f"{OWN}\n", "link"])
def test_without_one_it_is_made_for_each_and_stays(course, secret):
    for student in ("ben", "carl"):
        handed_in(course, student, secret)
        if secret == "link":
            path = course.submitted / student / LESSON / SECRET
            (path.parent / "elsewhere").write_text(OWN)
            path.unlink()
            path.symlink_to("elsewhere")
    made = [feedback_secret(course, LESSON, student) for student in ("ben", "carl", "ben")]
    assert made[0] == made[2] != made[1]
    assert all(len(one) == 128 and one != OWN.encode() for one in made)
