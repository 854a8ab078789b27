"""Workers that are lost, and a grader that is killed: everyone still gets the right verdict, once."""

import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from grader.course.autograde import Settings, autograde
from grader.course.gradebook import Book
from grader.course.pool import local_pool
from grader.course.report import graded_class, in_words
from grader.course.worker import begin_with
from grader.notebook import CannotRun
from tests.course.classroom import LESSON, LIMITS, NAME, RIGHT, Classroom, as_notebook, built, cells_with

KILLS_ITS_GRADER = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("walled, score", [(True, 14), (False, 0)])
def test_a_notebook_that_kills_the_grading_process(course, walled, score):
    """Behind the wall it can kill its own kernel's parent only, and keeps what its other exercises earn."""
    room = Classroom(course)
    room.hand_in("killer", as_notebook(cells_with(**{**RIGHT, "rms_norm": KILLS_ITS_GRADER})))
    for name in ("ada", "ben"):
        room.hand_in(name, as_notebook(cells_with(**RIGHT)))
    settings = Settings(workers=2, limits=LIMITS, walled=walled)
    found = {one.student: one for one in autograde(course, LESSON, settings)}
    assert {name: one.score for name, one in found.items()} == {"ada": 20, "ben": 20, "killer": score}
    assert walled or "was killed twice" in in_words(found["killer"])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_and_continued(course):
    """SIGKILL for the grader and all its workers as soon as something is done; then the same command again."""
    room, names = Classroom(course), [f"student{number}" for number in range(4)]
    for number, name in enumerate(names):
        room.hand_in(name, built() + b"\n" * number)  # different files, so that each is run
    command = [sys.executable, "-m", "grader", "autograde", LESSON, "--jobs", "1"]
    grader = subprocess.Popen(command, cwd=course.root, start_new_session=True, stdout=subprocess.DEVNULL)
    results = course.state / "results" / LESSON
    while grader.poll() is None and not any(results.glob("*.ipynb")):
        time.sleep(0.05)
    os.killpg(grader.pid, signal.SIGKILL)
    grader.wait()
    done = len(list(results.glob("*.ipynb")))
    assert done > 0
    subprocess.run(command, cwd=course.root, check=True, stdout=subprocess.DEVNULL)
    assert [one.student for one in graded_class(course, LESSON)] == names
    with Book(course, LESSON).open() as book:
        assert {s.student.id: s.score for s in book.assignment_submissions(LESSON)} == dict.fromkeys(names, 0)


class _NoKernels:
    """An executor of the kind that Dask's is: it runs what it is given, here without any machine to run on."""

    def __init__(self, error):
        self.error = error

    def submit(self, function, *args):
        from concurrent.futures import Future

        future = Future()
        future.set_exception(self.error)
        return future

    def shutdown(self, wait=True, cancel_futures=False):
        pass


@pytest.mark.parametrize(
    "error, sentence", [(CannotRun("no kernel"), "because of this machine"), (KeyError("x"), "error in the grader")]
)
def test_a_machine_that_cannot_is_no_verdict(course, error, sentence):
    Classroom(course).hand_in("ada", built())
    (one,) = autograde(course, LESSON, Settings(pool=lambda workers: _NoKernels(error)))
    assert sentence in one.problem and not one.verdicts
    assert not list((course.state / "results").rglob("*.ipynb"))
    assert not (course.autograded / "ada" / LESSON / NAME).exists()


@pytest.mark.other_os
@pytest.mark.skipif(sys.platform != "linux", reason="the wall needs Linux")
def test_workers_whose_warm_process_is_gone_make_their_own(course, tmp_path):
    Classroom(course).hand_in("ada", as_notebook(cells_with(**RIGHT)))
    pool = partial(local_pool, begin=begin_with(str(tmp_path / "gone")))
    (one,) = autograde(course, LESSON, Settings(pool=pool, limits=LIMITS))
    assert (one.score, one.problem) == (20, None)
