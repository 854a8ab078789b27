import json
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit

import pytest

from grader.lab.server import command
from tests.lab.serving import course_lab, grader, small_course

NOTEBOOK = "03_rms_norm/rms_norm.ipynb"


def _get(url: str, path: str) -> bytes:
    parts = urlsplit(url)
    with urllib.request.urlopen(f"http://{parts.netloc}/{path}?{parts.query}", timeout=30) as reply:
        return reply.read()


def test_the_lab_command_serves_the_private_copy(tmp_path):
    course, workspace = small_course(tmp_path / "course"), tmp_path / "my copy"
    with course_lab(course, workspace) as url:
        assert b"jupyter-config-data" in _get(url, f"lab/tree/{NOTEBOOK}")
        shown = json.loads(_get(url, f"api/contents/{NOTEBOOK}"))
        kernels = json.loads(_get(url, "api/kernelspecs"))
    assert shown["writable"] and shown["content"]["nbformat"] == 4
    assert kernels["default"] == "python3"
    assert (workspace / NOTEBOOK).read_bytes() == (course / "lessons" / NOTEBOOK).read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
@pytest.mark.other_os
def test_ending_the_command_ends_the_server(tmp_path):
    waiting = "import time; print('up', flush=True); time.sleep(600)"
    serve = f"from grader.lab.server import serve; serve([sys.executable, '-c', {waiting!r}], '.')"
    process = subprocess.Popen([sys.executable, "-c", f"import sys; {serve}"], cwd=tmp_path, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"up\n"
    process.terminate()
    rest, _ = process.communicate(timeout=60)  # would wait for a server that still holds the pipe
    assert rest == b""


def test_the_server_opens_the_lesson_and_asks_the_network_nothing(tmp_path):
    line = command(tmp_path, "03 a/b.ipynb", port=8899, browser=False)
    assert "--LabApp.default_url=/lab/tree/03%20a/b.ipynb" in line
    assert "--ServerApp.port=8899" in line and "--no-browser" in line
    assert "--LabApp.news_url=None" in line
    assert "--no-browser" not in command(tmp_path, "b.ipynb")


def test_without_lessons_the_remedy_is_named(tmp_path):
    (tmp_path / "nbgrader_config.py").touch()
    (tmp_path / "lessons").mkdir()
    result = grader(tmp_path, "lab", "--no-browser")
    assert result.returncode == 2
    assert "python -m grader build" in result.stderr


def test_a_workspace_that_cannot_be_made_is_one_sentence(tmp_path):
    course = small_course(tmp_path / "course")
    (tmp_path / "file").touch()
    result = grader(course, "lab", "--no-browser", "--workspace", str(tmp_path / "file" / "copy"))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: Cannot write the lessons to")
