"""Grading on a real Dask cluster, started here: the same grades as on this machine, and errors a person understands."""

import builtins
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest

from grader.cli import main
from grader.course import cluster, cluster_worker
from grader.course.autograde import Settings, autograde
from grader.course.batch import Lost
from grader.course.cluster import cluster_pool
from grader.course.job import grade
from grader.course.listener import Listener
from grader.course.same import differences, mine
from grader.errors import CourseError
from grader.notebook import CannotRun
from tests.course.classroom import LESSON, LIMITS, RIGHT, Classroom, as_notebook, built, cells_with, half, new_course
from tests.course.contents import gradebook
from tests.course.dask_cluster import ROOT, Cluster

pytestmark = [pytest.mark.other_os, pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")]

DEADLY = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(-1, signal.SIGKILL)\nos._exit(1)"
# For a worker: a file that it reads as it starts.
ODD = {
    "no wall": "import grader.sandbox.bubblewrap as b\n"
    "def binary():\n    raise b.NoWall('bubblewrap is not installed', 'install it')\n"
    "b.binary = binary\n",
    "other version": "import grader.course.same as s\nreal = s.versions()\n"
    "s.versions = lambda: real | {'torch': '1.0'}\n",
    "no grader": "import sys\nsys.modules['grader'] = None\n",
}


def hand_in(course) -> None:
    room = Classroom(course)
    room.hand_in("ada", as_notebook(cells_with(**RIGHT)))
    room.hand_in("ben", as_notebook(half()))
    room.hand_in("cy", built())
    room.hand_in("dee", as_notebook(cells_with(**{**RIGHT, "rms_norm_backward": DEADLY})))
    room.hand_in("eve", built()[:500])


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A scheduler with two workers, and the processes of the workers."""
    with Cluster(tmp_path_factory.mktemp("dask")) as made:
        yield made, [made.worker(), made.worker("--no-nanny", "--nthreads", "2")]


@pytest.mark.timeout(1800)
def test_the_same_grades(running, course, tmp_path):
    made, workers = running
    hand_in(course)
    (tmp_path / "there").mkdir()
    there = new_course(tmp_path / "there")
    hand_in(there)
    local = autograde(course, LESSON, Settings(workers=2, limits=LIMITS))
    remote = autograde(there, LESSON, Settings(limits=LIMITS, pool=cluster_pool(made.address, True)))
    assert [one.problem for one in remote] == [None] * 5
    assert [one.verdicts for one in remote] != [], "seeds differ between courses, so scores are compared"
    assert [(one.student, one.score) for one in remote] == [(one.student, one.score) for one in local]
    assert gradebook(there) == gradebook(course)
    assert {one.student: one.sandboxed for one in remote} == dict.fromkeys(("ada", "ben", "cy", "dee"), True) | {
        "eve": None
    }
    assert all(worker.poll() is None for worker in workers), "what kills its sandbox is a verdict and no lost worker"


@pytest.mark.timeout(1800)
def test_command(running, course, monkeypatch, capsys):
    Classroom(course).hand_in("ada", as_notebook(cells_with(**RIGHT)))
    monkeypatch.chdir(course.root)
    assert main(["autograde", LESSON, "--scheduler", running[0].address]) == 0
    assert "20/20" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_workers_that_would_not_grade_the_same_are_named_and_refused(course, tmp_path, monkeypatch, capsys):
    """Before anything is graded."""
    Classroom(course).hand_in("ada", built())
    copy = tmp_path / "copy"
    for name in ("grader", "lessons", "quiz"):
        shutil.copytree(ROOT / name, copy / name)
    with (copy / "grader" / "judge" / "compare.py").open("a") as file:
        file.write("# changed\n")
    with Cluster(tmp_path) as made:
        said = {"other code": made.worker(PYTHONPATH=str(copy))}
        for name, text in ODD.items():
            path = tmp_path / f"{name.replace(' ', '_')}.py"
            path.write_text(text)
            said[name] = made.worker("--no-nanny", "--preload", str(path))
        addresses = {name: made.address_of(worker) for name, worker in said.items()}
        monkeypatch.chdir(course.root)
        assert main(["autograde", LESSON, "--scheduler", made.address]) == 2
        told = capsys.readouterr().err
        assert f"{addresses['other code']}: the text of its grader or lessons is not that" in told
        assert f"{addresses['no wall']}: it has no sandbox: bubblewrap is not installed. What to do: install" in told
        assert f"{addresses['other version']}: torch 1.0 (here " in told
        assert f"{addresses['no grader']}: it cannot load this grader" in told
        assert not (course.state / "results").exists()
        demand_that_a_late_one_without_a_wall_is_no_verdict(made, addresses["no wall"], said)


def demand_that_a_late_one_without_a_wall_is_no_verdict(made, address, workers) -> None:
    """Asked in spite of all: as if it had joined, or lost its wall, after the others were asked."""
    from distributed import Client

    for name, worker in workers.items():
        if name != "no wall":
            worker.kill()
    from grader.course.job import Job

    job = Job(LESSON, built(), built(), None, dict.fromkeys(RIGHT, 1), LIMITS)
    with Client(made.address, set_as_default=False) as client:
        future = client.submit(cluster_worker.run, grade, job, mine(), workers=[address], pure=False)
        error = future.exception(timeout=300)
    assert isinstance(error, CannotRun)
    assert "bubblewrap is not installed" in str(error) and address in str(error)


def test_dask_is_not_installed(course, monkeypatch, capsys):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.split(".")[0] == "distributed":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    Classroom(course).hand_in("ada", built())
    monkeypatch.chdir(course.root)
    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["autograde", LESSON, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "pip install '.[cluster]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "tcp://nowhere.invalid:8786", "tcp://x:y:z", "tls://127.0.0.1:1"]
)
def test_no_scheduler_answers(course, monkeypatch, capsys, address):
    monkeypatch.setattr(cluster, "CONNECT", 1)
    Classroom(course).hand_in("ada", built())
    monkeypatch.chdir(course.root)
    assert main(["autograde", LESSON, "--scheduler", address]) == 2
    said = capsys.readouterr().err
    assert f"No Dask scheduler answers at {address}: " in said and "Traceback" not in said


def test_no_scheme(capsys):
    with pytest.raises(SystemExit):
        main(["autograde", LESSON, "--scheduler", "127.0.0.1:8786"])
    assert "does not begin with tcp:// or tls://" in capsys.readouterr().err


@pytest.mark.timeout(1800)
def test_no_worker(course, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "WORKERS", 1)
    Classroom(course).hand_in("ada", built())
    monkeypatch.chdir(course.root)
    with Cluster(tmp_path) as made:
        assert main(["autograde", LESSON, "--scheduler", made.address]) == 2
    assert "has no worker that is free" in capsys.readouterr().err


def test_one_that_joins_late_is_asked_too(monkeypatch):
    monkeypatch.setattr(cluster_worker, "_address", lambda: "tcp://late:1")
    there = mine() | {"versions": mine()["versions"] | {"numpy": "0.1"}}
    with pytest.raises(CourseError, match=r"tcp://late:1 has joined.*: numpy .* \(here 0.1\)"):
        cluster_worker.run(grade, None, there)
    assert differences(mine(), mine()) == ""


def test_dasks_words_are_translated():
    from distributed import KilledWorker

    class Client:
        scheduler = None

    def outcome(error):
        inner = Future()
        outer = cluster._translated(inner, Client())
        if error is None:
            inner.cancel()
            inner.set_running_or_notify_cancel()
        else:
            inner.set_exception(error)
        return outer.exception()

    assert isinstance(outcome(KilledWorker("task", None, 4)), Lost)
    assert isinstance(outcome(CannotRun("no kernel")), CannotRun)
    assert not isinstance(outcome(None), CancelledError) and "is gone" in str(outcome(None))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_worker_is_lost_half_way(course, tmp_path):
    room, names = Classroom(course), [f"student{number:02}" for number in range(12)]
    for number, name in enumerate(names):
        room.hand_in(name, as_notebook(cells_with(**RIGHT)) + b"\n" * number)
    with Cluster(tmp_path) as made:
        workers, seen = [made.worker(), made.worker()], []

        class Killer(Listener):
            def graded(self, one) -> None:
                seen.append(one.student)
                if len(seen) == 3:
                    os.killpg(workers[0].pid, signal.SIGKILL)

        settings = Settings(limits=LIMITS, pool=cluster_pool(made.address, True))
        found = autograde(course, LESSON, settings, listener=Killer())
        assert workers[0].wait() == -signal.SIGKILL and workers[1].poll() is None
    assert [(one.student, one.score, one.problem) for one in found] == [(name, 20, None) for name in names]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_notebook_that_kills_its_worker_again_and_again(course, tmp_path):
    """Only without the wall can it. The neighbour is graded, and it gets a verdict."""
    room = Classroom(course)
    room.hand_in("killer", as_notebook(cells_with(**{**RIGHT, "rms_norm": DEADLY.split("\nos.kill(-1")[0]})))
    room.hand_in("ada", as_notebook(cells_with(**RIGHT)))
    with Cluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1") as made:
        made.worker("--nanny")
        pool = cluster_pool(made.address, False)
        found = {o.student: o for o in autograde(course, LESSON, Settings(limits=LIMITS, walled=False, pool=pool))}
    assert {name: (one.score, one.problem) for name, one in found.items()} == {"ada": (20, None), "killer": (0, None)}
    assert {verdict.status for verdict in found["killer"].verdicts} == {"died"}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_scheduler_ends_half_way(course, tmp_path):
    room = Classroom(course)
    for number in range(6):
        room.hand_in(f"student{number}", built() + b"\n" * number)
    with Cluster(tmp_path) as made:
        made.worker()

        class Killer(Listener):
            def graded(self, one) -> None:
                made.started[0].kill()

        settings = Settings(limits=LIMITS, pool=cluster_pool(made.address, True))
        with pytest.raises(CourseError, match="is gone"):
            autograde(course, LESSON, settings, listener=Killer())
    found = autograde(course, LESSON, Settings(workers=2, limits=LIMITS))
    assert [one.problem for one in found] == [None] * 6


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_worker_more(tmp_path):
    """The distributed steps: rebuild, execute, judge. Saving is apart. How much faster two are is printed (`pytest -s`)
    and not judged: what else runs on the machine decides it, too."""
    from grader.course.batch import graded
    from grader.course.job import Job

    right = as_notebook(cells_with(**RIGHT))

    def seconds(pool, rounds: int) -> float:
        jobs = [Job(LESSON, built(), right, None, dict.fromkeys(RIGHT, number), LIMITS) for number in range(rounds)]
        begun = time.monotonic()
        assert all(isinstance(judged, bytes) for _, judged in graded(((str(job.seeds), job) for job in jobs), 1, pool))
        return time.monotonic() - begun

    with Cluster(tmp_path) as made:
        made.worker()
        pool = cluster_pool(made.address, True)
        seconds(pool, 4)  # everything is imported and warm
        one = seconds(pool, 24)
        made.worker()
        seconds(pool, 8)
        two = seconds(pool, 24)
    print(f"\nfrom one worker to two: {one / two:.2f} times as fast ({one:.1f} s, {two:.1f} s)")


def openssl(folder: Path) -> dict[str, str]:
    """Dask's own settings for a certificate that signs itself."""
    key, certificate = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    settings = {"CA_FILE": certificate}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"{who}__KEY": key, f"{who}__CERT": certificate}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in settings.items()}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl, to make a certificate")
def test_tls(course, tmp_path):
    Classroom(course).hand_in("ada", as_notebook(cells_with(**RIGHT)))
    settings = openssl(tmp_path)
    with Cluster(tmp_path, "tls", **settings) as made:
        made.worker()
        command = [sys.executable, "-m", "grader", "autograde", LESSON, "--scheduler", made.address]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        without = subprocess.run(command, cwd=course.root, env=environment, capture_output=True, text=True)
        assert without.returncode == 2 and "certificates in Dask's configuration" in without.stderr
        done = subprocess.run(command, cwd=course.root, env=environment | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "20/20" in done.stdout
