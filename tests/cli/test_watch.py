"""`python -m grader check EXERCISE FILE.py --watch` as a person with an editor uses it: one process, many saves."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from tests.cli.test_check import OUTSIDE, RIGHT

PATIENCE = 60  # seconds; on a busy machine


class Watcher:
    """The running command, and what it has said since the last time that somebody asked."""

    def __init__(self, folder):
        command = [sys.executable, "-m", "grader", "check", "rms_norm", "answer.py", "--watch"]
        pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        if os.name == "posix":  # as in a terminal: what a shell starts in the background is deaf to Ctrl-C
            pipe["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        self.process = subprocess.Popen(command, cwd=folder, env={**os.environ, "PYTHONUNBUFFERED": "1"}, **pipe)
        self.said = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.said += line

    def until(self, words: str) -> str:
        """Waits for words; all that was said up to now, which is forgotten."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.said and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        said, self.said = self.said, ""
        assert words in said
        return said


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("editor")


@pytest.fixture(scope="module")
def watcher(folder):
    started = Watcher(folder)
    yield started
    started.process.kill()
    started.process.wait()


def test_a_file_that_is_not_there_is_waited_for(watcher):
    assert "save it to check it again, Ctrl-C to stop" in watcher.until("waiting for it.")


def test_every_save_is_checked(watcher, folder):
    (folder / "answer.py").write_text(OUTSIDE)
    watcher.until("Mistake: eps outside the root")
    (folder / "answer.py").write_text(RIGHT)
    watcher.until("rms_norm: 6 of 6 points, passed.")


def test_a_file_half_written_is_one_sentence_with_its_line(watcher, folder):
    (folder / "answer.py").write_text("\ndef rms_norm(x, weight")
    said = watcher.until("this is not valid Python")
    assert "answer.py, line 2" in said and "Traceback" not in said


def test_lines_are_those_of_the_file_now(watcher, folder):
    (folder / "answer.py").write_text("def rms_norm(x, weight, eps):\n    return x.first\n")
    watcher.until("`return x.first`")
    (folder / "answer.py").write_text("def rms_norm(x, weight, eps):\n    return x.other\n")
    watcher.until("`return x.other`")


def test_what_it_imports_from_its_folder_is_read_again(watcher, folder):
    (folder / "parts.py").write_text(OUTSIDE)
    (folder / "answer.py").write_text("from parts import rms_norm\n")
    watcher.until("2 of 6 points")
    (folder / "parts.py").write_text(RIGHT + "# mended\n")
    (folder / "answer.py").write_text("from parts import rms_norm  # again\n")
    watcher.until("6 of 6 points")


def test_a_file_that_vanishes_and_comes_back(watcher, folder):
    (folder / "answer.py").unlink()
    watcher.until("There is no file answer.py")
    (folder / "answer.py").write_text(RIGHT)
    watcher.until("6 of 6 points")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
@pytest.mark.other_os
def test_ctrl_c_ends_it_with_the_last_status_and_no_traceback(watcher):
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.process.wait(PATIENCE) == 0
    time.sleep(0.2)  # for the reader of its last line
    assert "Stopped watching." in watcher.said and "Traceback" not in watcher.said
