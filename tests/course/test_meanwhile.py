"""Others at work on the course while a batch runs, and a disk that is full: nothing is lost."""

import multiprocessing
import shutil
import subprocess
import sys
from random import Random

import pytest

from grader.course.gradebook import Book
from grader.paths import Course
from tests.course.classroom import LESSON
from tests.course.contents import contents, give, gradebook
from tests.course.cut_short import BEFORE, autograde, copied, environment, killed, started
from tests.course.test_parts import HOLD

pytestmark = [pytest.mark.other_os, pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")]


def mark_for_ever(course: Course, students: tuple[str, ...], stop, done) -> None:
    """A teaching assistant: marks these students again and again. Tells the last marks that were saved."""
    saved, number = {}, 0
    while not stop.is_set() or number < len(students):
        student = students[number % len(students)]
        with Book(course, LESSON).open() as book:
            give(book, student, number % 5, f"Mark number {number}.")
        saved[student] = (number % 5, f"Mark number {number}.")
        number += 1
    done.put(saved)


@pytest.mark.timeout(1800)
def test_two_teaching_assistants_mark_meanwhile(begun, uninterrupted, tmp_path):
    """In a gradebook on which a grader works, is killed, and works again."""
    course, context = copied(begun, tmp_path / "course"), multiprocessing.get_context("spawn")
    stop, done = context.Event(), context.Queue()
    people = [context.Process(target=mark_for_ever, args=(course, s, stop, done)) for s in (BEFORE[::2], BEFORE[1::2])]
    for person in people:
        person.start()
    killed(course, Random(5))
    autograde(course)
    stop.set()
    saved = done.get(timeout=600) | done.get(timeout=600)
    for person in people:
        person.join()
        assert person.exitcode == 0
    found, expected = gradebook(course)["submissions"], gradebook(uninterrupted)["submissions"]
    assert set(saved) == set(BEFORE)
    for student, (score, words) in saved.items():
        mark = next(grade for grade in found[student]["grades"] if grade[0] == "written_speed")
        assert (mark[2], words) == (score, next(c[2] for c in found[student]["comments"] if c[0] == "written_speed"))
    for student in found:  # and what the grader saved is all there
        assert automatic(found[student]) == automatic(expected[student])


def automatic(submission: dict) -> list:
    return [submission["timestamp"], [grade[:2] for grade in submission["grades"]], submission["penalty"]]


@pytest.mark.timeout(1800)
def test_a_second_grader_waits_where_it_is_told_to(uninterrupted, tmp_path):
    course = copied(uninterrupted, tmp_path / "course")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(course.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(course),
    )
    try:
        assert holder.stdout.readline().strip() == b"held"
        with started(course, "--wait", stderr=subprocess.PIPE) as second:
            said = second.stderr.readline().decode()
            assert "Waiting for another grader" in said and f"process {holder.pid}" in said
            assert second.poll() is None
            holder.stdin.close()
            assert second.wait() == 0
    finally:
        holder.kill()
        holder.wait()
    assert contents(course) == contents(uninterrupted)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("new", [False, True], ids=["a result", "the gradebook"])
def test_a_full_disk_is_one_sentence_and_loses_nothing(begun, uninterrupted, tmp_path, new):
    course = copied(begun, tmp_path / "course")
    before = contents(course)
    if new:
        (course.root / "gradebook.db").unlink()

    def little_room() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    with started(course, stderr=subprocess.PIPE, preexec_fn=little_room) as grader:
        said = grader.communicate()[1].decode()
    assert grader.returncode == 2 and "Traceback" not in said, said
    (sentence,) = [line for line in said.splitlines() if line.startswith("error: ")]
    assert "Nothing that was graded is lost" in sentence
    if new:
        assert "gradebook" in sentence
        (course.root / "gradebook.db").unlink(missing_ok=True)
        shutil.copy(begun.root / "gradebook.db", course.root)
    else:
        found = contents(course)
        assert set(found["gradebook"]["students"]) >= set(before["gradebook"].pop("students"))  # known, without a grade
        del found["gradebook"]["students"]
        assert found == before
    autograde(course)
    assert contents(course) == contents(uninterrupted)
