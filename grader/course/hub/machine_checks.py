"""What has to be so on the machine before the hub starts. Run by jupyterhub_config.py, on what course.toml says."""

import grp
import pwd
import sys
from pathlib import Path


def demand(site: dict, python: str) -> None:
    """Ends the hub's start with a sentence where the machine is not as course.toml says. python: the course's own."""
    accounts = {account.pw_name: account.pw_dir for account in pwd.getpwall()}
    people = [*site["students"], *site["instructors"]]
    if site["account"] not in accounts:
        _stop(
            f"course.toml names {site['account']} as the course's account, which this machine does not have",
            f"useradd --create-home --shell /bin/bash {site['account']}",
        )
    if not Path(python).exists():
        _stop(
            f"the course is not set up: there is no {python}", "README.md, the first step, or `folder` in course.toml"
        )
    owned = {accounts[name]: name for name in people if name in accounts} | {site["folder"]: site["account"]}
    if found := [folder for folder, owner in owned.items() if open_to_others(Path(folder), owner)]:
        _stop(
            f"others can read what is in {', '.join(found)}; solutions, grades and everybody's work are to be their "
            "owners' alone",
            f"chmod 700 {' '.join(found)}",
        )
    if missing := [name for name in people if name not in accounts]:
        # They cannot log in, and nobody else is hurt.
        print(f"course.toml names people who have no account here: {', '.join(missing)}.", file=sys.stderr)


def open_to_others(folder: Path, owner: str) -> bool:
    """Whether other people's accounts can get into a folder that is there, as into the homes that `useradd` makes on
    many systems."""
    folder = folder.resolve()
    return folder.is_dir() and all(_lets_in(one, owner) for one in (folder, *folder.parents))


def _lets_in(folder: Path, owner: str) -> bool:
    about = folder.stat()
    group = {one.pw_name for one in pwd.getpwall() if one.pw_gid == about.st_gid}
    group |= {name for one in grp.getgrall() if one.gr_gid == about.st_gid for name in one.gr_mem}
    return bool(about.st_mode & 0o001 or (about.st_mode & 0o010 and group - {owner, "root"}))


def _stop(what: str, remedy: str) -> None:
    sys.exit(f"JupyterHub was not started: {what}. What to do: {remedy}.")
