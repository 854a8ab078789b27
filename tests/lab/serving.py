"""The course's own lab command, running: what a student gets from `start.py lab`, without the browser."""

import os
import secrets
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests.browser import lab


@contextmanager
def course_lab(course: Path, workspace: Path, *arguments: str) -> Iterator[str]:
    """Starts `python -m grader lab` in a course's folder; yields the page's address, token included."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        port, token, log = lab.free_port(), secrets.token_hex(16), Path(scratch, "lab.log")
        command = [sys.executable, "-m", "grader", "lab", "--no-browser", "--port", str(port)]
        command += ["--workspace", str(workspace), *arguments]
        environment = lab.clean_environment(scratch) | {"JUPYTER_TOKEN": token, "PYTHONUTF8": "1"}
        # For the tests' hands only; the command itself stays as a student types it.
        settings = Path(environment["JUPYTER_CONFIG_DIR"], "jupyter_config.json")
        settings.parent.mkdir(exist_ok=True)
        settings.write_text('{"LabApp": {"expose_app_in_browser": true}}')
        with log.open("wb") as out:
            server = subprocess.Popen(
                [*command, "--workspace", str(workspace), *arguments],
                cwd=course,
                env=environment,
                stdout=out,
                stderr=out,
            )
        base = f"http://127.0.0.1:{port}"
        try:
            lab.wait_until_up(server, f"{base}/api?token={token}", log)
            yield f"{base}/lab?token={token}"
        finally:
            _stop(server, f"{base}/api/shutdown?token={token}")


def _stop(server: subprocess.Popen, address: str) -> None:
    """Asks the server to end, which ends its kernels, too; what does not end by itself is killed."""
    if server.poll() is not None:
        return
    family = [*psutil.Process(server.pid).children(recursive=True), server]
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="POST"), timeout=10).close()
        server.wait(60)
    except (OSError, subprocess.TimeoutExpired):
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        server.wait()


def small_course(root: Path) -> Path:
    """A course with one small notebook, for tests that do not need the lesson."""
    folder = root / "lessons" / "03_rms_norm"
    folder.mkdir(parents=True)
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    (folder / "rms_norm.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n')
    return root


def grader(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Runs `python -m grader` in a folder."""
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ}, capture_output=True, text=True, timeout=120)
