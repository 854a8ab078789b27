"""A JupyterLab server of its own and a headless Chromium, for tests that look at the real page."""

import importlib.util
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHROMIUM_ARGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
# Nothing but the page itself: no news feed, no update check, no list of extensions from a package index.
QUIET_LAB = (
    "--no-browser",
    "--allow-root",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
)
START_SECONDS = 90
# The indicator in the toolbar says "idle" before the kernel is connected; what runs then is lost.
OPEN = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const notebook = panel?.content;
  if (!notebook?.model?.cells.length || notebook.widgets.length !== notebook.model.cells.length) return false;
  const session = panel.sessionContext;
  const kernel = session?.isReady && session.session?.kernel;
  return kernel && kernel.connectionStatus === "connected" && kernel.status === "idle";
}"""


def missing() -> str | None:
    """What this machine lacks for a browser test, in words for the skip line; None when nothing."""
    for package in ("playwright", "jupyterlab"):
        if importlib.util.find_spec(package) is None:
            return f"the Python package {package} is not installed"
    return None if _browser() else f"no Chromium on the PATH (looked for {', '.join(CHROMIUM_NAMES)})"


@contextmanager
def chromium(**context) -> Iterator:
    """A fresh page of a headless Chromium. `context` goes to Playwright's `new_context`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_browser(), args=CHROMIUM_ARGS)
        try:
            yield browser.new_context(**{"viewport": {"width": 1280, "height": 1000}, **context}).new_page()
        finally:
            browser.close()


@contextmanager
def lab_server(
    folder: Path, python: str = sys.executable, env: dict[str, str] | None = None, settings: Sequence[tuple] = ()
) -> Iterator[str]:
    """A JupyterLab on a free loopback port, showing `folder`; yields its address, token included.

    `python` may be the interpreter of another environment. The user's own Jupyter settings are not read; `settings`
    are Lab's own, each as (plugin, file, text).
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        port, token = free_port(), secrets.token_hex(16)
        base = f"http://127.0.0.1:{port}"
        log = Path(scratch, "lab.log")
        command = [python, "-m", "jupyterlab", *QUIET_LAB, f"--ServerApp.port={port}"]
        command += [f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={token}"]
        environment = clean_environment(scratch) | (env or {})
        for plugin, name, text in settings:
            target = Path(environment["JUPYTERLAB_SETTINGS_DIR"], plugin, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        with log.open("wb") as out:
            server = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
        try:
            wait_until_up(server, f"{base}/api?token={token}", log)
            yield f"{base}/lab?token={token}"
        finally:
            _stop(server, f"{base}/api/shutdown?token={token}")


def open_notebook(page, url: str, path: str) -> None:
    """Shows the notebook at `path` (below the server's folder) and waits until its kernel is idle."""
    parts = urlsplit(url)
    page.goto(f"{parts.scheme}://{parts.netloc}/lab/tree/{path}?{parts.query}")
    wait_until_open(page)


def wait_until_open(page) -> None:
    """Waits until a notebook is shown, all its cells are there and its kernel is up and idle.

    Before that, cells cannot be found, and a server that is stopped while a kernel starts may hang.
    """
    page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=60_000)
    page.wait_for_function(OPEN, timeout=60_000)


def command(page, name: str, **arguments):
    """Runs one of Lab's own commands, e.g. `notebook:run-all-cells`, and waits up to two minutes for it."""
    call = f"window.jupyterapp.commands.execute({json.dumps(name)}, {json.dumps(arguments)})"
    late = f"new Promise((_, fail) => setTimeout(() => fail(new Error({json.dumps(name + ' hangs')})), 120000))"
    page.evaluate(f"Promise.race([{call}, {late}]).then(() => 0)")


def use_theme(page, dark: bool) -> None:
    """Switches Lab to its light or its dark theme."""
    command(page, "apputils:change-theme", theme="JupyterLab Dark" if dark else "JupyterLab Light")
    page.wait_for_selector(f"body[data-jp-theme-light={'false' if dark else 'true'}]", state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")


def _browser() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def free_port() -> int:
    """A port of the loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def clean_environment(scratch: str) -> dict[str, str]:
    """This process's environment, with Jupyter's settings in `scratch` in place of the user's own."""
    names = ("JUPYTER_CONFIG_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    folders = {name: str(Path(scratch, name.lower())) for name in names}
    settings = Path(folders["JUPYTERLAB_SETTINGS_DIR"], "@jupyterlab", "apputils-extension")
    settings.mkdir(parents=True)
    # Or Lab covers the corner of the page with the question whether it may fetch its news.
    Path(settings, "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    return {**os.environ, **folders}


def wait_until_up(server: subprocess.Popen, address: str, log: Path) -> None:
    """Waits until the server answers at `address`. Raises RuntimeError with its log when it does not start."""
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start. Its log:\n{log.read_text(errors='replace')[-4000:]}")


def _stop(server: subprocess.Popen, address: str) -> None:
    """Asks the server to stop, which ends its kernels too; a server that does not listen is killed."""
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="POST"), timeout=5).close()
        server.wait(20)
    except (OSError, subprocess.TimeoutExpired):
        server.kill()
        server.wait()
