"""A real JupyterHub on a machine whose accounts exist only for it: nothing of this machine is changed.

The hub needs root, to start people's servers as themselves, and accounts to start them as. bubblewrap gives it the
machine as it is, but for a passwd, a group and a shadow file of its own, and processes of its own, which end with it.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox import bubblewrap
from tests.browser import lab
from tests.journeys.classroom import PROJECT, student_python

EXAMPLE = PROJECT / "grader" / "course" / "hub"
PROXY, OPENSSL = "configurable-http-proxy", "openssl"
PASSWORD = "correct horse"
FIRST_UID = 61_100


def missing() -> str | None:
    """What this machine lacks for a hub, in words for the skip line; None when nothing."""
    if not sys.platform.startswith("linux"):
        return "JupyterHub is tried on Linux only"
    for program, package in ((PROXY, f"npm install -g {PROXY}"), (OPENSSL, "apt install openssl")):
        if shutil.which(program) is None:
            return f"no {program} on the PATH ({package})"
    if _as_root() is None:
        return "JupyterHub starts people's servers as themselves: that needs root, or sudo without a password"
    return None


def _as_root() -> list[str] | None:
    """What comes before a command that root has to give; None where that cannot be."""
    if os.geteuid() == 0:
        return []
    asked = ["sudo", "--non-interactive", "true"]
    able = shutil.which("sudo") and subprocess.run(asked, capture_output=True).returncode == 0
    return ["sudo", "--non-interactive"] if able else None


@dataclass(frozen=True)
class Machine:
    """A folder with the accounts' homes, the students' environment, the exchange and the hub's settings."""

    root: Path
    people: tuple[str, ...]

    @property
    def exchange(self) -> Path:
        return self.root / "exchange"

    def home(self, name: str) -> Path:
        return self.root / "home" / name

    def uid(self, name: str) -> int:
        return FIRST_UID + self.people.index(name)

    def run(self, *command: str) -> str:
        """Gives a command as root; what it printed."""
        return subprocess.run([*_as_root(), *command], check=True, capture_output=True, text=True).stdout

    def give(self, name: str, *paths: Path) -> None:
        """Moves folders into an account's home, and makes all in there its own, private."""
        home, owner = str(self.home(name)), f"{self.uid(name)}:{self.uid(name)}"
        for path in paths:
            self.run("mv", str(path), home)
        self.run("chown", "--recursive", owner, home)
        self.run("chmod", "700", home)

    def inside(self, name: str | None, *command: str) -> list[str]:
        """The command line that runs a command on this machine, as one of its people or as root."""
        line = [*_as_root(), str(bubblewrap.binary()), "--dev-bind", "/", "/", "--cap-add", "ALL"]
        line += ["--unshare-pid", "--proc", "/proc", "--die-with-parent", *_opened(self.root)]
        for file in ("passwd", "group", "shadow"):
            line += ["--ro-bind", str(self.root / "etc" / file), f"/etc/{file}"]
        user = ["setpriv", "--reuid", name, "--regid", name, "--init-groups"] if name else []
        return [*line, "--chdir", str(self.root), "--", *user, *command]


@contextlib.contextmanager
def machine(*people: str) -> Iterator[Machine]:
    """Accounts of these names, all with the same password, and an exchange that everybody may write to."""
    made = Machine(Path(tempfile.mkdtemp(prefix="hub-")), people)  # not pytest's, which nobody else may enter
    try:
        made.root.chmod(0o755)
        made.exchange.mkdir()
        made.exchange.chmod(0o777)
        _write_accounts(made)
        for name in people:
            made.home(name).mkdir(parents=True)
            made.give(name)
        yield made
    finally:
        made.run("rm", "--recursive", "--force", str(made.root))


def _write_accounts(made: Machine) -> None:
    """This machine's accounts and the new ones, which take the place of any that are called the same."""
    command = [OPENSSL, "passwd", "-6", PASSWORD]
    secret = subprocess.check_output(command, text=True).strip()
    lines: dict[str, list[str]] = {"passwd": [], "group": [], "shadow": ["root:*:19000:0:99999:7:::"]}
    for name in made.people:
        uid = made.uid(name)
        lines["passwd"].append(f"{name}:x:{uid}:{uid}::{made.home(name)}:/bin/bash")
        lines["group"].append(f"{name}:x:{uid}:")
        lines["shadow"].append(f"{name}:{secret}:19000:0:99999:7:::")
    (made.root / "etc").mkdir()
    for file, added in lines.items():
        before = [] if file == "shadow" else Path("/etc", file).read_text(encoding="utf-8").splitlines()
        kept = [line for line in before if line.partition(":")[0] not in made.people]
        (made.root / "etc" / file).write_text("\n".join(kept + added) + "\n", encoding="utf-8")
    (made.root / "etc" / "shadow").chmod(0o600)
    made.run("chown", "root:root", str(made.root / "etc" / "shadow"))


def _opened(root: Path) -> list[str]:
    """Where Python, the project or the machine's folder lies in one that only its owner may enter: it is shown to
    all, and nothing else of that folder."""
    needed = [Path(path).resolve() for path in (sys.base_prefix, sys.prefix, PROJECT, root)]
    closed = {folder for path in needed for folder in path.parents if not folder.stat().st_mode & 0o001}
    line: list[str] = []
    for folder in sorted(closed):
        line += ["--perms", "0755", "--tmpfs", str(folder)]
    for path in needed:
        inner = [folder for folder in path.parents if closed & {folder, *folder.parents} and folder not in closed]
        for folder in reversed(inner):
            line += ["--perms", "0755", "--dir", str(folder)]
        if closed & set(path.parents):
            line += ["--bind", str(path), str(path)]
    return line


@contextlib.contextmanager
def running(made: Machine, site: str) -> Iterator[str]:
    """The hub of the example with this course.toml, started as its README says; yields its address."""
    shutil.copytree(EXAMPLE, made.root / "hub")
    (made.root / "hub" / "course.toml").write_text(site, encoding="utf-8")
    python = student_python(made.root, "jupyterhub")
    port, config, log = lab.free_port(), made.root / "here.py", made.root / "hub.log"
    ports = [port, lab.free_port(), lab.free_port()]
    config.write_text(HERE.format(example=made.root / "hub", ports=ports, project=PROJECT), encoding="utf-8")
    command = made.inside(None, "env", "PYTHONPATH=", str(python), "-m", "jupyterhub", "--config", str(config))
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        lab.wait_until_up(server, f"http://127.0.0.1:{port}/hub/api/", log)
        yield f"http://127.0.0.1:{port}"
    except Exception as error:
        error.add_note(f"The hub's log ends with:\n{log.read_text(errors='replace')[-6000:]}")
        raise
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):  # it has ended by itself
            made.run("kill", str(server.pid))
        server.wait(60)


# What is this test's alone: free ports, and Lab's own commands for the test's hands.
HERE = """
load_subconfig("{example}/jupyterhub_config.py")
main, hub, api = {ports}
c.JupyterHub.bind_url = f"http://127.0.0.1:{{main}}"
c.JupyterHub.hub_port = hub
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{{api}}"
c.Spawner.args += ["--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"]
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.JupyterHub.services[0]["environment"]["PYTHONPATH"] = "{project}"
"""
