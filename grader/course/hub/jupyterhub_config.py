"""JupyterHub's settings for a class on one Linux machine. README.md beside this file says how to use it.

Everybody has an account of the machine. A student's JupyterLab runs as the student, with the edition for students;
instructors share one that runs as the course's account, with the course's folder, gradebook and formgrader.
"""

import os
import sys
import tomllib
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub puts it there)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import machine_checks  # noqa: E402  (it lies beside this file)

site = tomllib.loads(Path(os.environ.get("COURSE_TOML", HERE / "course.toml")).read_text(encoding="utf-8"))
COURSE = "transformer-internals"  # the course_id in the course's nbgrader_config.py
INSTRUCTORS = f"formgrade-{COURSE}"  # nbgrader takes roles from groups that are called so
STUDENTS = f"nbgrader-{COURSE}"
# The hub and everybody's JupyterLab run from one environment, the instructors' from the course's own.
CLASS_PYTHON = sys.executable
COURSE_PYTHON = site.get("python", f"{site['folder']}/.venv/bin/python")


def activated(python: str) -> dict[str, str]:
    """nbgrader calls other programs by their names."""
    return {"PATH": f"{Path(python).parent}:{os.environ['PATH']}"}


machine_checks.demand(site, COURSE_PYTHON)

# A terminal's shell would be a login shell, for which the system's /etc/profile sets PATH anew: without the course.
TERMINAL = """--ServerApp.terminado_settings={"shell_command": ["bash"]}"""

# Log in with the machine's password. Nobody else who has an account gets in.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allowed_users = {*site["students"], *site["instructors"]}

# A JupyterLab of one's own: a process of one's own account, so the machine keeps people's files apart.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = [CLASS_PYTHON, "-m", "jupyterhub.singleuser"]
c.Spawner.args = [TERMINAL]
c.Spawner.default_url = "/lab"
# nbgrader's settings for everybody: where the exchange is, and that the hub says who is in which course.
c.Spawner.environment = {
    **activated(CLASS_PYTHON),
    "JUPYTER_CONFIG_PATH": str(HERE / "class"),
    "COURSE_EXCHANGE": site["exchange"],
}

c.JupyterHub.load_groups = {
    STUDENTS: {"users": site["students"]},
    INSTRUCTORS: {"users": site["instructors"]},
}
# What nbgrader's panels ask the hub: one's own groups and, for the list of formgraders, the services.
c.Spawner.server_token_scopes = [
    "users:activity!user",
    "access:servers!server",
    "read:users:name!user",
    "read:users:groups!user",
    "list:services",
    "read:services",
]
c.JupyterHub.load_roles = [
    {
        "name": INSTRUCTORS,
        "scopes": [f"access:services!service={COURSE}", "list:services", "read:services"],
        "groups": [INSTRUCTORS],
    }
]

# The instructors' JupyterLab: /services/transformer-internals/lab, also in their list of courses.
c.JupyterHub.services = [
    {
        "name": COURSE,
        "url": f"http://127.0.0.1:{site.get('port', 9999)}",
        "user": site["account"],
        "cwd": site["folder"],
        "command": [COURSE_PYTHON, "-m", "jupyterhub.singleuser", TERMINAL],
        "environment": {
            **activated(COURSE_PYTHON),
            "JUPYTER_CONFIG_PATH": str(HERE / "instructors"),
            "JUPYTERHUB_USER": site["account"],
        },
        "oauth_no_confirm": True,
    }
]
