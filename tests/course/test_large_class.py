"""A thousand submissions, one in twenty hostile or broken: a verdict for each, in bounded memory, at a steady rate."""

import contextlib
import functools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from grader.course.bench_class import hand_ins, with_spoiled
from grader.course.demo import new_course
from grader.exercises import of_lesson
from grader.notebook.frame import load
from grader.notebook.reasons import find
from grader.paths import find_course
from grader.sandbox.warm import FIRST_USER, USERS
from grader.student.check import check
from tests.course.cut_short import environment, temporary

LESSON = "08_ffn_bakeoff"
STUDENTS, ONE_IN = 1000, 20
GIB = 2**30

pytestmark = [
    pytest.mark.slow,
    pytest.mark.other_os,
    pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux"),
]


class Memory(threading.Thread):
    """Watches a process with all that it has started, kernels and what they start among them: the most memory that
    they had at a time (the proportional set size, in which a shared page counts once)."""

    def __init__(self, pid: int):
        super().__init__(daemon=True)
        self.root, self.most, self.seen = psutil.Process(pid), 0, set()

    def run(self) -> None:
        while self.root.is_running() and self.root.status() != psutil.STATUS_ZOMBIE:
            self.most = max(self.most, sum(map(self._size, self._all())))
            time.sleep(0.5)

    def _all(self) -> list[psutil.Process]:
        try:
            found = [self.root, *self.root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []
        self.seen |= set(found)
        return found

    @staticmethod
    def _size(process: psutil.Process) -> int:
        try:
            return process.memory_full_info().pss
        except (psutil.Error, OSError):
            return 0  # it has just ended


@pytest.fixture(scope="module")
def class_of_many(tmp_path_factory):
    """The course, what was handed in by student, what came out, and the watched memory."""
    course = new_course(find_course(Path(__file__).parent), LESSON, tmp_path_factory.mktemp("many"))
    subprocess.run([sys.executable, "-m", "grader", "build", LESSON], cwd=course.root, check=True)
    release = course.release(LESSON).read_bytes()
    for name, content in with_spoiled(LESSON, release, STUDENTS, ONE_IN):
        folder = course.submitted / name / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON[3:]}.ipynb").write_bytes(content)
    command = [sys.executable, "-m", "tests.course.large_class", str(course.root), LESSON]
    with subprocess.Popen(command, cwd=course.root, env=environment(course), stdout=subprocess.PIPE) as grader:
        memory = Memory(grader.pid)
        memory.start()
        said = grader.communicate()[0]
    assert grader.returncode == 0
    memory.join()
    return course, dict(hand_ins(LESSON, release, STUDENTS)), json.loads(said), memory


@functools.cache
def given() -> dict[str, object]:
    """What the lesson's setup cell makes."""
    cells = load(find_course(Path(__file__).parent).release(LESSON).read_bytes())["cells"]
    names: dict[str, object] = {}
    exec(next("".join(cell["source"]) for cell in cells if cell["id"] == "setup"), names)
    return names


@functools.cache
def full(name: str, text: str) -> bool:
    """Whether this text, below the setup cell and without any kernel, gets full marks."""
    names = dict(given())
    exec(text, names)
    verdict = check(name, namespace=names)
    return verdict.score == verdict.points


@pytest.mark.timeout(3000)
def test_everyone_has_a_verdict_and_the_neighbours_their_points(class_of_many):
    _, handed_in, told, _ = class_of_many
    found = {one["student"]: one for one in told["graded"]}
    assert list(found) == sorted(handed_in)
    names = {one.id for one in of_lesson(LESSON)}
    for number, (student, content) in enumerate(handed_in.items()):
        one = found[student]
        assert one["problem"] is None and {v["exercise"] for v in one["verdicts"]} == names, student
        if number % ONE_IN == ONE_IN - 1:
            first = one["verdicts"][0]
            assert first["score"] == 0 and first["status"] not in ("passed", "partly"), student
            continue
        for verdict in one["verdicts"]:
            text = find(load(content), verdict["exercise"])["source"]
            assert (verdict["score"] == verdict["points"]) == full(verdict["exercise"], text), (student, verdict)


def test_memory_of_all_processes_stays_below_two_gigabytes(class_of_many):
    *_, memory = class_of_many
    assert 0.1 * GIB < memory.most < 2 * GIB, f"{memory.most / GIB:.2f} GiB"


def runs(process: psutil.Process) -> bool:
    """An ended one whose parent is gone stays in the table until the machine's first process has asked for it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def test_nothing_is_left_behind(class_of_many):
    course, _, _, memory = class_of_many
    assert len(memory.seen) > 100, "the watch has seen kernels"
    assert not [one for one in memory.seen if runs(one)]
    assert not [path for path in temporary(course).iterdir() if path.name.startswith(("grade-", "kernel-"))]
    assert not list(course.root.rglob("*.part"))


def test_the_last_cost_what_the_first_did(class_of_many):
    """In seconds of the one process that sees them all, which is where a cost that grows would show."""
    seconds = class_of_many[2]["seconds"]
    fifth = len(seconds) // 5
    early, late = (seconds[end] - seconds[end - fifth] for end in (2 * fifth, len(seconds) - 1))
    assert late < 1.5 * early, f"{early / fifth:.4f} s each, then {late / fifth:.4f}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives every kernel a user of its own")
def test_the_machine_runs_nothing_of_theirs(class_of_many):
    """No process of a kernel's own user is left, whoever its parent is by now."""
    users = range(FIRST_USER, FIRST_USER + USERS)
    assert not [one for one in psutil.process_iter(["uids"]) if one.info["uids"][0] in users and runs(one)]
