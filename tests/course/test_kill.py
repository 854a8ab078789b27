"""The grader killed at any moment, then the same command again: everything is as if nothing had happened."""

import contextlib
import itertools
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import psutil
import pytest

from grader.course.results import Results
from grader.paths import Course
from grader.sandbox.folders import new_folder, sweep
from tests.course import resident
from tests.course.classroom import LESSON
from tests.course.contents import contents, gradebook
from tests.course.cut_short import BEFORE, NEW, autograde, copied, killed, started, temporary

pytestmark = [pytest.mark.other_os, pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")]
Again = Callable[[Course, int], None]


@contextlib.contextmanager
def side_by_side() -> Iterator[tuple[ThreadPoolExecutor, Again]]:
    """Two threads for trials, and the same command again: every fifth time in a process of its own, as all graders
    are that are stopped."""
    with resident.residents(2) as staying, ThreadPoolExecutor(2) as threads:
        yield threads, lambda course, seed: resident.autograde(staying, course) if seed % 5 else autograde(course)


def trial(begun: Course, expected: dict, folder: Path, again: Again, seed: int) -> bool:
    """One kill, one resumption with the same command, and everything is as if nothing had happened. Whether the kill
    came in time."""
    course = copied(begun, folder / f"kill{seed}" / "course")
    pid, what = killed(course, Random(seed))
    assert soon_none_of(pid), f"seed {seed}: {what}"  # what has not quite ended yet is not swept
    again(course, seed)
    assert contents(course) == expected, f"seed {seed}: {what}"
    assert left_in(course, pid) == set(), f"seed {seed}: {what}"
    shutil.rmtree(course.root.parent)
    return what != "too late"


def left_in(course: Course, pid: int) -> set[str]:
    """What is left of a killed grader: in its temporary folder, in the shared memory, in the course."""
    named = [p.name for p in temporary(course).iterdir() if p.name.startswith(("grade-", "kernel-"))]
    parts = [path.name for path in course.root.rglob("*.part")]
    semaphores = [path.name for path in Path("/dev/shm").glob(f"sem.grade-{pid}-*")]
    return {*named, *parts, *semaphores}


def kills(begun: Course, uninterrupted: Course, folder: Path, first: int, wanted: int) -> None:
    """So many that came in time."""
    expected, seeds, done = contents(uninterrupted), itertools.count(first), 0
    with side_by_side() as (threads, again):
        while done < wanted:
            some = list(itertools.islice(seeds, min(wanted - done, 10)))
            done += sum(threads.map(lambda seed: trial(begun, expected, folder, again, seed), some))
            assert next(seeds) - first < 3 * wanted + 10, f"only {done} of {wanted} kills came in time"


def interrupted(course: Course, random: Random) -> tuple[subprocess.Popen, str | None]:
    """A grader and its processes, sent what a terminal sends for Ctrl-C: while it begins, or around the saving of the
    first new result. What it said; None where it had ended already."""
    results = Results(course, LESSON).folder
    before, while_it_begins = len(list(results.glob("*.ipynb"))), random.random() < 0.5
    with started(course, stderr=subprocess.PIPE) as grader:
        time.sleep(random.uniform(0.5, 3) if while_it_begins else 0)
        while not while_it_begins and len(list(results.glob("*.ipynb"))) == before and grader.poll() is None:
            time.sleep(0.002)
        time.sleep(random.uniform(0, 0.1))
        if grader.poll() is not None:
            return grader, None
        os.killpg(grader.pid, signal.SIGINT)
        return grader, grader.communicate()[1].decode()


def stop(begun: Course, uninterrupted: Course, folder: Path, again: Again, seed: int) -> bool:
    """One Ctrl-C ends the grader at once, with a sentence and nothing else; and the same command goes on."""
    course = copied(begun, folder / f"stop{seed}" / "course")
    grader, said = interrupted(course, Random(seed))
    if said is not None:
        assert said == "Stopped. What is graded is kept: give the same command again to continue.\n", seed
        assert grader.returncode == 130, seed
        assert left_in(course, grader.pid) == set(), seed
        assert soon_none_of(grader.pid), seed
    again(course, seed)
    assert contents(course) == contents(uninterrupted), seed
    shutil.rmtree(course.root.parent)
    return said is not None


def soon_none_of(leader: int) -> bool:
    """Whether nothing is left of a grader's session; the system takes a moment to end what was killed."""
    deadline = time.monotonic() + 10
    while any(session_of(process) == leader for process in psutil.process_iter(["status"])):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def session_of(process: psutil.Process) -> int | None:
    """None for one that has ended, also where nobody has asked yet how."""
    with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
        return None if process.info["status"] == psutil.STATUS_ZOMBIE else os.getsid(process.pid)


def test_ctrl_c(begun, uninterrupted, tmp_path):
    assert any(stop(begun, uninterrupted, tmp_path, lambda course, _: autograde(course), seed) for seed in range(3))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ctrl_c_at_six_moments(begun, uninterrupted, tmp_path):
    """An exception of Python's would be swallowed now and then, or be shown as some worker's traceback."""
    with side_by_side() as (threads, again):
        assert sum(threads.map(lambda seed: stop(begun, uninterrupted, tmp_path, again, seed), range(100, 108))) >= 6


def test_the_uninterrupted_batch(uninterrupted):
    """What all the others are compared with is right."""
    found = gradebook(uninterrupted)["submissions"]
    assert {name: one["score"] for name, one in found.items()} == {
        "ada": 6 + 0, "ben": 1, "cy": 2, "dee": 20 + 3, "eve": 0, "fay": 20, "gus": 6, "hal": 0
    }  # fmt: skip
    marks = {name: next(grade for grade in one["grades"] if grade[0] == "written_speed") for name, one in found.items()}
    assert [marks[name][2] for name in BEFORE] == [0, 1, 2, 3] and [marks[name][2] for name in NEW] == [None] * 4
    assert (marks["ben"][4], marks["cy"][4]) == (True, False), "handed in again: someone has to look again"
    assert found["ada"]["timestamp"] == "2026-01-31 13:00:00"


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_fifty_kills(begun, uninterrupted, tmp_path):
    kills(begun, uninterrupted, tmp_path, 100, 50)


def die_at(course: Course, number: int, after: bool) -> None:
    """In a process of its own: grades, and is killed at a certain one of all writes to disk or database."""
    from sqlalchemy.orm import Session

    from grader.course import autograde as module
    from grader.notebook import Limits

    writes = [0]

    def dying(function):
        def wrapped(*args, **kwargs):
            writes[0] += 1
            if writes[0] == number and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return function(*args, **kwargs)
            finally:
                if writes[0] == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        return wrapped

    os.replace, os.link, Session.commit = dying(os.replace), dying(os.link), dying(Session.commit)
    module.autograde(course, LESSON, module.Settings(limits=Limits(), pool=no_pool))


def no_pool(workers: int):
    raise AssertionError("nothing should be run")


def in_a_process(course: Course, number: int) -> int:
    """How a grader ends that saves what is graded, and dies at that write; -1: at none."""
    process = multiprocessing.get_context("forkserver").Process(target=die_at, args=(course, number, number % 2 == 0))
    process.start()
    process.join()
    return process.exitcode


def death_at(begun: Course, uninterrupted: Course, folder: Path, number: int) -> bool:
    """A kill at one write, and the same command again. Whether there was such a write."""
    course = copied(begun, folder / str(number) / "course")
    shutil.rmtree(course.state / "results")
    shutil.copytree(uninterrupted.state / "results", course.state / "results")
    status = in_a_process(course, number)
    assert status in (0, -signal.SIGKILL)
    assert in_a_process(course, -1) == 0
    assert contents(course) == contents(uninterrupted), f"killed at write {number}"
    shutil.rmtree(course.root.parent)
    return status != 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_killed_at_any_write(begun, uninterrupted, tmp_path):
    """Not at random but at each one: the results are there already, and only saving is done."""
    multiprocessing.get_context("forkserver").set_forkserver_preload(["tests.course.test_kill"])
    writes = 0
    with ThreadPoolExecutor(2) as threads:
        for first in range(1, 1000, 10):
            some = range(first, first + 10)
            killed_there = list(threads.map(lambda n: death_at(begun, uninterrupted, tmp_path, n), some))
            writes += sum(killed_there)
            if not all(killed_there):
                break
    assert killed_there == sorted(killed_there, reverse=True), "where there was no such write, there is no later one"
    assert writes > 16, "more than one write a student"


def test_only_what_dead_processes_left_is_swept(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        mine, pid = new_folder("grade"), str(os.getpid())
        with subprocess.Popen([sys.executable, "-c", ""]) as gone:
            gone.wait()
        of_the_dead = [mine.with_name(mine.name.replace(pid, str(gone.pid)).replace("grade", kind)) for kind in KINDS]
        others = [mine.with_name(name) for name in ("grade-notes", mine.name.replace(pid, "1"))]
        others.append(mine.with_name(f"grade-{gone.pid}-1-abcdefgh"))  # the same number in another container
        for path in (*others, *of_the_dead):
            (path / "work").mkdir(parents=True)
        link = mine.with_name(f"{of_the_dead[0].name}x")
        link.symlink_to(others[0])
        swept = {path for path in sweep() if path.parent == mine.parent}
        assert swept == set(of_the_dead)
        assert {*Path(folder).iterdir()} == {mine, link, *others}


KINDS = ("grade", "kernel")


def test_workers_end_with_a_grader_that_is_killed_alone(begun, tmp_path):
    """As the system does when it runs out of memory."""
    course = copied(begun, tmp_path / "course")
    grader, seen = started(course), set()
    watched = threading.Event()
    while grader.poll() is None and not watched.is_set():
        seen.update(psutil.Process(grader.pid).children(recursive=True))
        if len(list(temporary(course).glob("grade-*/k-1"))) > 0:
            watched.set()
        time.sleep(0.05)
    grader.kill()
    grader.wait()
    _, alive = psutil.wait_procs(seen, timeout=60)
    assert not alive, [process.cmdline() for process in alive]
