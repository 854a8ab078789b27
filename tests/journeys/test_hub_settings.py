"""The example's settings say what its course.toml says, it starts only where people's files are their own, and every
file of it is explained."""

import getpass
import json
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest
from traitlets.config import PyFileConfigLoader

from grader.author.student_files import student_files
from tests.journeys.classroom import COURSE_ID, PROJECT

FOLDER = PROJECT / "grader" / "course" / "hub"
SHIPPED = tomllib.loads((FOLDER / "course.toml").read_text(encoding="utf-8"))
INSTRUCTORS = f"formgrade-{COURSE_ID}"
pytestmark = [
    pytest.mark.other_os,
    pytest.mark.skipif(sys.platform == "win32", reason="a hub starts people's servers as accounts of a Unix machine"),
]


@pytest.fixture
def site(tmp_path) -> dict:
    """As shipped, but with an account and a folder that this machine has."""
    folder = tmp_path / "course"
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    folder.chmod(0o700)
    return SHIPPED | {"account": getpass.getuser(), "folder": str(folder)}


@pytest.fixture
def settings(site, tmp_path, monkeypatch):
    return loaded(site, tmp_path, monkeypatch)


def loaded(site: dict, folder: Path, monkeypatch):
    """The settings that the hub would start with, for this course.toml."""
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in site.items())
    (folder / "course.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("COURSE_TOML", str(folder / "course.toml"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    return PyFileConfigLoader("jupyterhub_config.py", str(FOLDER)).load_config()


def test_people_are_those_of_course_toml_and_nobody_else(settings, site):
    groups = {name: group["users"] for name, group in settings.JupyterHub.load_groups.items()}
    assert groups == {INSTRUCTORS: site["instructors"], f"nbgrader-{COURSE_ID}": site["students"]}
    assert settings.Authenticator.allowed_users == {*site["instructors"], *site["students"]}


def test_only_instructors_get_into_the_courses_jupyterlab(settings, site):
    (service,) = settings.JupyterHub.services
    (role,) = settings.JupyterHub.load_roles
    assert service["name"] == COURSE_ID and service["user"] == site["account"] and service["cwd"] == site["folder"]
    assert role["groups"] == [INSTRUCTORS] and f"access:services!service={COURSE_ID}" in role["scopes"]


def test_students_run_the_classs_python_and_never_the_courses(settings, site):
    (service,) = settings.JupyterHub.services
    assert settings.Spawner.cmd[0] == sys.executable
    assert service["command"][0] == f"{site['folder']}/.venv/bin/python"
    assert site["folder"] not in settings.Spawner.environment["PATH"]


def test_what_the_hub_gives_a_jupyterlab_is_what_nbgraders_settings_take(settings, site, monkeypatch):
    given = settings.Spawner.environment
    monkeypatch.setenv("COURSE_EXCHANGE", given["COURSE_EXCHANGE"])
    found = PyFileConfigLoader("nbgrader_config.py", given["JUPYTER_CONFIG_PATH"]).load_config()
    assert found.Exchange.root == site["exchange"]
    assert found.Authenticator.plugin_class == "nbgrader.auth.JupyterHubAuthPlugin"


def test_the_courses_name_is_the_one_in_its_own_settings():
    own = PyFileConfigLoader("nbgrader_config.py", str(PROJECT)).load_config()
    assert own.CourseDirectory.course_id == COURSE_ID


def test_the_readme_explains_every_file():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert len(files) == 6 and [name for name in files - {"README.md"} if f"| `{name}` |" not in text] == []


def test_students_do_not_get_it():
    assert [path for path in student_files(PROJECT) if "hub" in path.parts] == []


def test_a_terminal_keeps_the_courses_path(settings):
    """A login shell would set PATH anew, and `python` be another one, or none."""
    (service,) = settings.JupyterHub.services
    for command in (service["command"], settings.Spawner.args):
        assert command[-1] == '--ServerApp.terminado_settings={"shell_command": ["bash"]}'


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"account": "nobody-here"}, "useradd --create-home --shell /bin/bash nobody-here."),
        ({"folder": "/nowhere/course"}, "there is no /nowhere/course/.venv/bin/python."),
    ],
)
def test_a_machine_that_is_not_as_course_toml_says(site, tmp_path, monkeypatch, wrong, said):
    with pytest.raises(SystemExit) as stopped:
        loaded(site | wrong, tmp_path, monkeypatch)
    assert str(stopped.value).startswith("JupyterHub was not started: ") and said in str(stopped.value)


def test_a_folder_that_others_can_enter_keeps_the_hub_from_starting(site, tmp_path, monkeypatch):
    assert loaded(site, tmp_path, monkeypatch).JupyterHub.services
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        there = site | {"folder": folder, "python": sys.executable}
        with pytest.raises(SystemExit, match=f"others can read what is in {folder}; .*chmod 700 {folder}"):
            loaded(there, tmp_path, monkeypatch)


def test_who_has_no_account_is_named_and_keeps_nobody_out(site, tmp_path, monkeypatch, capsys):
    assert loaded(site | {"students": ["nobody-here"]}, tmp_path, monkeypatch).Authenticator.allowed_users
    assert "people who have no account here: nobody-here" in capsys.readouterr().err
