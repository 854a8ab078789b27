"""What doctor says of a machine that grades: this one, and those that lack something."""

import sys
from pathlib import Path

import pytest

from grader.lab import grading_node as node
from grader.lab.environment import FAIL, NOTE, OK
from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import NoWall
from tests.lab.serving import grader, small_course

GIB = 2**30
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at Linux's own settings")
THINGS = ("Memory", "Temporary files", "bubblewrap", "User namespaces", "seccomp", "Container", "AppArmor", "Sandbox")


@pytest.fixture
def no_wall(monkeypatch):
    monkeypatch.setattr(node, "why_not", lambda: NoWall("bubblewrap cannot build a wall here", "grade elsewhere"))


@pytest.fixture
def settings(monkeypatch):
    """/proc as another machine has it: what is put in here."""
    found: dict[str, str] = {}
    for module in (node, bubblewrap):
        monkeypatch.setattr(module, "_setting", lambda path: found.get(Path(path).name))
    return found


@linux
def test_every_thing_has_its_line():
    lines = node.grading_node()
    assert all(line.text.startswith(thing) for line, thing in zip(lines, THINGS, strict=True))
    assert all(line.remedy for line in lines if line.status != OK)


@linux
def test_the_command(tmp_path):
    result = grader(small_course(tmp_path), "doctor")
    assert "[OK]   bubblewrap 0." in result.stdout and "[OK]   Sandbox: works" in result.stdout
    assert "GB free" in result.stdout


@pytest.mark.parametrize(("free", "status"), [(GIB // 2, FAIL), (2 * GIB, NOTE), (8 * GIB, OK)])
def test_memory(free, status):
    line = node.memory(free)
    assert line.status == status and bool(line.remedy) == (status != OK)


def test_memory_of_a_container_with_a_limit(tmp_path):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9999 kB\nMemAvailable:   8388608 kB\n")
    assert node.available(meminfo, tmp_path) == 8 * GIB
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text(f"{GIB}\n")
    assert node.available(meminfo, tmp_path) == 8 * GIB
    (tmp_path / "memory.max").write_text(f"{3 * GIB}\n")
    assert node.available(meminfo, tmp_path) == 2 * GIB


def test_a_long_path_for_temporary_files(tmp_path):
    line = node.scratch(tmp_path / ("x" * 90))
    assert line.status == FAIL and "TMPDIR" in line.remedy


def test_no_room_for_temporary_files(monkeypatch):
    usage = node.shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(node.shutil, "disk_usage", lambda folder: usage)
    assert node.scratch(Path("/")).status == FAIL


def test_where_bubblewrap_comes_from(monkeypatch, tmp_path):
    def no_binary():
        raise NoWall("bubblewrap is not installed", bubblewrap.INSTALL)

    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho bubblewrap 9.8.7\n")
    fake.chmod(0o755)
    monkeypatch.setattr(node, "binary", lambda: fake)
    assert node.bubblewrap().text == f"bubblewrap 9.8.7: this system's, {fake}"
    fake.write_text("#!/bin/sh\nexit 1\n")
    assert node.bubblewrap().status == NOTE and "cannot be run" in node.bubblewrap().text
    monkeypatch.setattr(node, "binary", no_binary)
    assert node.bubblewrap().status == NOTE and "apt install bubblewrap" in node.bubblewrap().remedy


@pytest.mark.parametrize("name", ["unprivileged_userns_clone", "max_user_namespaces"])
def test_user_namespaces_switched_off(settings, name):
    settings[name] = "0"
    line = node.namespaces()
    assert line.status == NOTE and f"{name}=" in line.remedy


def test_no_seccomp(settings):
    assert node.filters().status == NOTE and node.filters().remedy
    settings |= {"actions_avail": "kill_process errno allow", "status": "Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n"}
    assert node.filters().status == OK and "stands around this process" in node.filters().text


def test_in_a_container(monkeypatch, no_wall):
    monkeypatch.setattr(node, "in_container", lambda: True)
    assert node.container().status == NOTE and "seccomp=unconfined" in node.container().remedy
    monkeypatch.setattr(node, "why_not", lambda: None)
    assert node.container().status == OK


def test_ubuntus_rule(settings, no_wall, monkeypatch):
    settings["apparmor_restrict_unprivileged_userns"] = "1"
    assert node.apparmor().status == NOTE and "bwrap-userns-restrict" in node.apparmor().remedy
    monkeypatch.setattr(node, "why_not", lambda: None)
    assert node.apparmor().status == OK


def test_no_wall(no_wall):
    line = node.sandbox()
    assert line.status == NOTE and "Until then grading refuses to start" in line.remedy


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_another_system(monkeypatch, platform):
    monkeypatch.setattr(node.sys, "platform", platform)
    (line,) = node.grading_node()
    assert line.status == NOTE and "needs Linux" in line.text
    assert "virtual machine" in line.remedy and "WSL 2" in line.remedy
