"""Starts JupyterLab on a workspace."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

# A lesson asks nothing of the network: no news, no question about them, no look for updates.
QUIET = ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]


def command(workspace: Path, notebook: str, port: int | None = None, browser: bool = True) -> list[str]:
    """The command line of a JupyterLab that shows `workspace` and opens `notebook` (a path below it)."""
    line = [sys.executable, "-m", "jupyterlab", *QUIET, f"--ServerApp.root_dir={workspace}"]
    line.append(f"--LabApp.default_url=/lab/tree/{quote(notebook)}")
    if port is not None:
        line.append(f"--ServerApp.port={port}")
    if not browser:
        line.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # a container: the only user there is
    return line


def serve(line: list[str], workspace: Path) -> int:
    """Runs the server until it is stopped; its exit status. Ctrl-C is the server's to answer: it asks back."""
    process = subprocess.Popen(line, cwd=workspace)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())  # whoever ends this ends the server, too
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
