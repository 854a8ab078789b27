"""The example's settings say what its course.toml says, and every file of it is explained."""

import sys
import tomllib

import pytest
from traitlets.config import PyFileConfigLoader

from grader.author.student_files import student_files
from tests.journeys.classroom import COURSE_ID, PROJECT

FOLDER = PROJECT / "grader" / "course" / "hub"
SITE = tomllib.loads((FOLDER / "course.toml").read_text(encoding="utf-8"))
INSTRUCTORS = f"formgrade-{COURSE_ID}"


@pytest.fixture
def settings(monkeypatch):
    monkeypatch.delenv("COURSE_TOML", raising=False)
    return PyFileConfigLoader("jupyterhub_config.py", str(FOLDER)).load_config()


def test_people_are_those_of_course_toml_and_nobody_else(settings):
    groups = {name: group["users"] for name, group in settings.JupyterHub.load_groups.items()}
    assert groups == {INSTRUCTORS: SITE["instructors"], f"nbgrader-{COURSE_ID}": SITE["students"]}
    assert settings.Authenticator.allowed_users == {*SITE["instructors"], *SITE["students"]}


def test_only_instructors_get_into_the_courses_jupyterlab(settings):
    (service,) = settings.JupyterHub.services
    (role,) = settings.JupyterHub.load_roles
    assert service["name"] == COURSE_ID and service["user"] == SITE["account"] and service["cwd"] == SITE["folder"]
    assert role["groups"] == [INSTRUCTORS] and f"access:services!service={COURSE_ID}" in role["scopes"]


def test_students_run_the_classs_python_and_never_the_courses(settings):
    (service,) = settings.JupyterHub.services
    assert settings.Spawner.cmd[0] == sys.executable
    assert service["command"][0] == f"{SITE['folder']}/.venv/bin/python"
    assert SITE["folder"] not in settings.Spawner.environment["PATH"]


def test_what_the_hub_gives_a_jupyterlab_is_what_nbgraders_settings_take(settings, monkeypatch):
    given = settings.Spawner.environment
    monkeypatch.setenv("COURSE_EXCHANGE", given["COURSE_EXCHANGE"])
    found = PyFileConfigLoader("nbgrader_config.py", given["JUPYTER_CONFIG_PATH"]).load_config()
    assert found.Exchange.root == SITE["exchange"]
    assert found.Authenticator.plugin_class == "nbgrader.auth.JupyterHubAuthPlugin"


def test_the_courses_name_is_the_one_in_its_own_settings():
    own = PyFileConfigLoader("nbgrader_config.py", str(PROJECT)).load_config()
    assert own.CourseDirectory.course_id == COURSE_ID


def test_the_readme_explains_every_file():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert len(files) == 5 and [name for name in files - {"README.md"} if f"| `{name}` |" not in text] == []


def test_students_do_not_get_it():
    assert [path for path in student_files(PROJECT) if "hub" in path.parts] == []
