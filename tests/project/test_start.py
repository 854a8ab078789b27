"""start.py: what it says to whom, and when it installs. The real installation is what .ci/run begins with."""

import importlib.util
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def start(tmp_path):
    """start.py as a module, pointed at an empty folder that has only the files with the versions."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.VERSIONS:
        (tmp_path / name).write_text(name)
    module.ROOT, module.VENV = tmp_path, tmp_path / ".venv"
    module.STAMP, module.PYTHON = module.VENV / "installed.txt", module.VENV / "python"
    module.VENV.mkdir()
    return module


@pytest.fixture
def calls(start, monkeypatch):
    """The commands that would have been run, instead of running them; `calls.fail` chooses which fail."""
    run = []
    start.PYTHON.touch()
    monkeypatch.setattr(start, "cpu_wheels", lambda: False)
    monkeypatch.setattr(start, "call", lambda command, **options: run.append(command) or 0)
    return run


def _run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(ROOT / "start.py"), *arguments], capture_output=True, text=True)


def test_an_unknown_command_gets_the_list_and_status_2(start):
    result = _run("tset")
    assert result.returncode == 2
    assert "There is no command 'tset'." in result.stderr
    assert all(name in result.stderr for name in start.COMMANDS)


@pytest.mark.parametrize("word", ["help", "--help", "-h"])
def test_help_is_not_a_mistake(word):
    assert _run(word).returncode == 0


def test_an_old_python_is_told_what_is_needed(start, monkeypatch):
    monkeypatch.setattr(start.sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.9\.18"):
        start.install(start.PROVING)


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_debians_python_without_venv_is_told_the_package(start, monkeypatch, module):
    real = importlib.util.find_spec
    monkeypatch.setattr(start.importlib.util, "find_spec", lambda name: None if name == module else real(name))
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        start.install(start.PROVING)


def test_it_installs_the_pinned_versions_once(start, calls):
    start.install(start.PROVING)
    packages = ".[course,exports,cluster,postgres,hub,otter,dev]"
    pip, compiled = calls[-2:]
    assert pip[1:] == ["-m", "pip", "install", "--no-compile", "-c", "constraints.txt", "-e", packages]
    assert compiled[1:3] == ["-m", "compileall"]
    calls.clear()
    start.install(start.PROVING)
    assert calls == []


def test_using_the_course_needs_fewer_packages_than_proving_it(start, calls):
    assert start.main(["lab"]) == 0
    assert any(".[course,exports]" in command for command in calls)
    calls.clear()
    assert start.main(["test"]) == 0
    assert any(".[course,exports,cluster,postgres,hub,otter,dev]" in command for command in calls)
    calls.clear()
    assert start.main(["lab"]) == 0  # what proving needs, using needs too
    assert not any("install" in command for command in calls)


@pytest.mark.parametrize("change", ["constraints.txt", "pyproject.toml", "a moved folder", "a lost python"])
def test_it_installs_again_when_that_changed(start, calls, change, tmp_path):
    start.install(start.PROVING)
    calls.clear()
    if change == "a moved folder":
        start.ROOT = tmp_path / "moved"
        shutil.copytree(tmp_path, start.ROOT, ignore=shutil.ignore_patterns("moved"))
    elif change == "a lost python":
        start.PYTHON.unlink()
    else:
        (tmp_path / change).write_text("new")
    start.install(start.PROVING)
    assert any("install" in command for command in calls)
    assert any("venv" in command for command in calls) == (change == "a lost python")


def test_an_installation_that_broke_off_is_made_again(start, calls, monkeypatch):
    monkeypatch.setattr(start, "call", lambda command, **options: int("install" in command))
    with pytest.raises(SystemExit, match="Installing failed"):
        start.install(start.PROVING)
    assert not start.STAMP.exists()


def test_when_pytorchs_index_fails_in_pip_the_ordinary_one_is_used(start, calls, monkeypatch):
    monkeypatch.setattr(start, "cpu_wheels", lambda: True)
    monkeypatch.setattr(start, "call", lambda c, **options: calls.append(c) or int("--extra-index-url" in c))
    start.install(start.PROVING)
    first, second = (command for command in calls if "install" in command)
    assert first == [*second, "--extra-index-url", start.CPU_WHEELS]
    assert start.STAMP.exists()


def test_cpu_wheels_are_not_for_a_machine_with_a_gpu(start, monkeypatch):
    monkeypatch.setattr(start.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert start.cpu_wheels() is False


@pytest.fixture
def no_gpu(start, monkeypatch):
    monkeypatch.setattr(start.sys, "platform", "linux")
    monkeypatch.setattr(start.shutil, "which", lambda name: None)


def test_an_index_that_does_not_answer_is_given_up(start, no_gpu, monkeypatch):
    monkeypatch.setattr(start.urllib.request, "urlopen", lambda url, timeout: threading.Event().wait())
    assert start.cpu_wheels() is False


def test_an_index_that_is_not_there_is_no_error(start, no_gpu, monkeypatch):
    monkeypatch.setattr(start, "CPU_WHEELS", "http://127.0.0.1:9/whl")
    assert start.cpu_wheels() is False


@pytest.mark.parametrize("extra", [["-k", "foo"], ["--", "-k", "foo"]])
def test_what_follows_goes_to_the_last_step(start, calls, extra):
    assert start.main(["test", *extra]) == 0
    assert calls[-1] == [str(start.PYTHON), "-m", "pytest", "-m", "not slow", "-k", "foo"]
    assert calls[-2][1:] == ["-m", "grader", "build", "--check"]


def test_the_quiz_alone_opens_and_with_arguments_is_the_bank(start, calls):
    assert start.main(["quiz"]) == start.main(["quiz", "validate"]) == 0
    assert [call[1:] for call in calls[-2:]] == [["-m", "grader", "lab", "--quiz"], ["-m", "quiz", "validate"]]


def test_a_failing_step_ends_the_command_with_its_status(start, calls, monkeypatch):
    start.install(start.PROVING)
    monkeypatch.setattr(start, "call", lambda command, **options: calls.append(command) or 3)
    calls.clear()
    assert start.main(["test"]) == 3
    assert len(calls) == 1


@pytest.mark.parametrize(("command", "status"), [("test-slow", 0), ("test", 5)])
def test_no_slow_test_is_no_failure(start, calls, monkeypatch, command, status):
    start.install(start.PROVING)
    monkeypatch.setattr(start, "call", lambda command, **options: 5 * ("pytest" in command))
    assert start.main([command]) == status


def test_make_forwards_every_command(start):
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (names,) = re.findall(r"^COMMANDS := (.*)$", text, re.MULTILINE)
    assert names.split() == list(start.COMMANDS)


def test_commands_of_start_are_commands_of_the_course(start):
    lists = [*(steps for _, steps in start.COMMANDS.values()), *start.ALONE.values()]
    steps = [step.split() for steps in lists for step in steps]
    used = [words[2] for words in steps if words[1] == "grader"]
    assert used and [name for name in used if not (ROOT / "grader" / "cli" / f"{name}.py").is_file()] == []


@pytest.mark.slow
def test_a_whole_installation_of_a_small_project(tmp_path):
    project = tmp_path / "project"
    (project / "grader").mkdir(parents=True)
    shutil.copy(ROOT / "start.py", project)
    (project / "constraints.txt").write_text("")
    extras = "[project.optional-dependencies]\ncourse = []\nexports = []\ndev = []\n"
    (project / "pyproject.toml").write_text(f'[project]\nname = "small"\nversion = "1"\n{extras}')
    (project / "grader" / "__init__.py").touch()
    (project / "grader" / "__main__.py").write_text("import sys\nprint(sys.prefix, sys.argv[1:])\nsys.exit(7)\n")
    command = [sys.executable, "start.py", "build", "--check"]
    first, second = (subprocess.run(command, cwd=project, capture_output=True, text=True) for _ in range(2))
    assert first.returncode == second.returncode == 7, first.stdout + first.stderr
    assert "Making the virtual environment" in first.stdout
    assert second.stdout.split() == [str(project / ".venv"), "['build',", "'--check']"]
