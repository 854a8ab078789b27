"""Real kernels: whatever the code does, there is a result, and nothing is left behind."""

import json
import time
from pathlib import Path

import psutil
import pytest

from grader.notebook import CannotRun, Limits, execute, fresh
from grader.notebook.fresh import FreshKernel
from grader.notebook.walled import WalledKernel
from grader.probe import RECORD_MIME
from tests.notebook.frames import code, notebook
from tests.notebook.kernels import BOTH, ON_LINUX, nothing_left_behind


def on_linux(test):
    for mark in ON_LINUX:
        test = mark(test)
    return test


ENDS = 120  # a limit that no machine reaches


def run_in(runner, *sources: str, **limits) -> dict:
    cells = [code(source, f"c{number}") for number, source in enumerate(sources)]
    wanted = {"cell_seconds": ENDS, "notebook_seconds": ENDS} | limits
    return json.loads(execute(notebook(cells), Limits(**wanted), runner))


@pytest.fixture(params=BOTH)
def runner(request):
    return request.param


@pytest.fixture
def run(runner):
    return lambda *sources, **limits: run_in(runner, *sources, **limits)


def outputs(made: dict, number: int) -> str:
    return json.dumps(made["cells"][number]["outputs"])


def printed(made: dict, number: int) -> str:
    return "".join(output.get("text", "") for output in made["cells"][number]["outputs"])


@pytest.fixture
def nothing_left(monkeypatch):
    with nothing_left_behind(monkeypatch):
        yield


def test_surroundings(runner, run, nothing_left, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    made = run(
        "1 / 0",
        "import json, os, pathlib\n"
        "print(json.dumps([dict(os.environ), os.listdir(), str(pathlib.Path.home()), os.getcwd()]))",
        "import grader.probe, lessons; print(grader.__path__[0])",
        "input('name?')",
        "import sys; sys.exit(0)",
        "print('alive')",
        "def f(:",
        cell_seconds=600,  # the import of torch, on a busy machine
        notebook_seconds=900,
    )
    assert made["metadata"]["run"]["status"] == "finished"
    assert made["metadata"]["run"]["sandboxed"] is (type(runner) is WalledKernel)
    env, listing, home, cwd = json.loads(printed(made, 1))
    assert "hunter2" not in str(env) and listing == []
    assert (env["COURSE_GRADING"], env["OMP_NUM_THREADS"], env["TORCH_COMPILE_DISABLE"]) == ("1", "1", "1")
    assert home != str(Path.home()) and Path(cwd) != Path.cwd()
    import grader

    course = "/course/grader" if type(runner) is WalledKernel else grader.__path__[0]
    assert Path(printed(made, 2).strip()).resolve() == Path(course).resolve()
    assert "ZeroDivisionError" in outputs(made, 0)
    assert "StdinNotImplementedError" in outputs(made, 3)
    assert printed(made, 5) == "alive\n"
    assert "SyntaxError" in outputs(made, 6)


def test_a_loop_is_interrupted_and_the_next_cell_runs(run, nothing_left):
    made = run("while True: pass", "print('next')", cell_seconds=2)
    assert made["cells"][0]["metadata"]["run"] == {"timed_out": True}
    assert "KeyboardInterrupt" in outputs(made, 0)
    assert printed(made, 1) == "next\n"


STUBBORN = {
    "catches everything": "import time\nwhile True:\n    try:\n        while True: time.sleep(0.05)\n"
    "    except BaseException: pass",
    "ignores SIGINT": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "floods": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    "for i in range(10**9): print(i, flush=True)",
}


@pytest.mark.parametrize("stubborn", STUBBORN.values(), ids=STUBBORN)
def test_the_deadline_ends_everything(run, stubborn, nothing_left):
    made = run(stubborn, "print('next')", cell_seconds=1, notebook_seconds=4)
    assert made["metadata"]["run"]["status"] == "stopped"
    assert made["metadata"]["run"]["cell"] == "c0"
    assert made["cells"][1]["outputs"] == []


@pytest.mark.parametrize("end", ["import os; os._exit(0)", "import ctypes; ctypes.string_at(0)"])
def test_a_dead_kernel_is_a_result(runner, run, end, nothing_left):
    made = run("print('before')", end, "print('after')")
    found, walled = made["metadata"]["run"], type(runner) is WalledKernel
    assert (found["status"], found["cell"], found["sandboxed"]) == ("died", "c1", walled)
    assert printed(made, 0) == "before\n" and made["cells"][2]["outputs"] == []


def test_children_are_killed(run, nothing_left):
    """Those with a session of their own, too. (Behind the wall a process has another number than outside.)"""
    mark = f"{time.time():.6f}"
    made = run(
        "import subprocess, sys\n"
        "for session in (False, True):\n"
        f"    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)', '{mark}'],"
        " start_new_session=session)\n"
        "print('started')"
    )
    assert printed(made, 0) == "started\n"
    _, alive = psutil.wait_procs([p for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])], 30)
    assert not alive


def test_outputs_have_a_limit(run):
    made = run("print('x' * 5000)\nfor i in range(200): print(i, flush=True)", "print('next')", output_bytes=2000)
    assert made["cells"][0]["metadata"]["run"] == {"cut": True}
    assert 0 < len(printed(made, 0)) <= 2000
    assert printed(made, 1) == "next\n"


def test_all_outputs_together_have_a_limit_and_records_are_for_checks(run):
    record = "from IPython.display import display\ndisplay({'" + RECORD_MIME + "': 1}, raw=True)"
    made = run("print('x' * 1000)", "print('y' * 1000)", record, total_bytes=2000)
    assert len(printed(made, 0)) == 1001 and len(printed(made, 1)) < 1001
    assert made["cells"][1]["metadata"]["run"] == made["cells"][2]["metadata"]["run"] == {"cut": True}
    assert made["cells"][2]["outputs"] == []


def test_a_message_that_is_too_large_does_not_silence_the_cells_to_come(run):
    made = run(
        "from IPython.display import display\ndisplay({'text/plain': 'x' * 300_000}, raw=True)",
        "print('next')",
        record_bytes=200_000,
    )
    assert made["cells"][0]["metadata"]["run"] == {"cut": True}
    assert printed(made, 1) == "next\n"


SEND = "k = get_ipython().kernel\ns = k.session\n"
GARBLED = {
    "no state": "k.send_response(k.iopub_socket, 'status', {})",
    "text that is none": "k.send_response(k.iopub_socket, 'stream', {'name': 'stdout', 'text': 7})",
    "a list": "s.send(k.iopub_socket, 'stream', b'[1]', parent=k.get_parent())",
    "frames": "k.iopub_socket.send_multipart([b'x', b'<IDS|MSG>', b'bad'])",
    "nested": "s.pack = lambda it: b'[' * 10**5\nk.send_response(k.iopub_socket, 'stream', {})",
}


@pytest.mark.parametrize("message", GARBLED.values(), ids=GARBLED)
def test_messages_that_are_not_jupyters(run, message):
    assert run(SEND + message, "print('next')")["metadata"]["run"]["status"] == "garbled"


def test_one_cell_cannot_reach_into_another(run):
    made = run(
        "from IPython.display import display\nhandle = display('mine', display_id='a')",
        "display('changed', display_id='a', update=True)\n"
        "import ipywidgets\nout = ipywidgets.Output()\nout.__enter__()\nprint('hidden')",
        "print('seen')",
    )
    assert "mine" in outputs(made, 0) and "changed" not in outputs(made, 0)
    assert printed(made, 2) == "seen\n"


def test_a_machine_without_kernels_is_not_a_verdict(monkeypatch):
    monkeypatch.setattr(fresh.sys, "executable", "/nowhere/python")
    with pytest.raises(CannotRun, match="no kernel could be started"):
        run_in(FreshKernel(), "1")


@on_linux
def test_without_bubblewrap_nothing_is_run(no_bubblewrap):
    with pytest.raises(CannotRun, match=r"bubblewrap is not installed\. What to do: install it"):
        run_in(WalledKernel(), "1")


@on_linux
def test_quit_ends_no_walled_kernel():
    made = run_in(WalledKernel(), "quit()", "import time; time.sleep(1); print('next')")
    assert printed(made, 1) == "next\n"


@on_linux
def test_the_walled_kernel_knows_its_users_name():
    made = run_in(WalledKernel(), "import getpass, os; print(getpass.getuser(), os.listdir('/etc') != [])")
    assert printed(made, 0) == "student True\n"
