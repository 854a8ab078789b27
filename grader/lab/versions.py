"""Which versions are installed, and which the course was proved with."""

import re
from importlib import metadata

from grader.errors import CourseError
from grader.paths import find_course

PACKAGE = "transformer-internals"
_PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)


def pinned() -> dict[str, str]:
    """Versions by package name: constraints.txt of the course, in a class what the wheel asks for exactly."""
    try:
        text = (find_course().root / "constraints.txt").read_text(encoding="utf-8")
    except (CourseError, FileNotFoundError):
        text = "\n".join(_required())
    return dict(_PIN.findall(text))


def installed(name: str) -> str | None:
    """The version of an installed package; None when it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def differing() -> list[str]:
    """Packages whose installed version is not the pinned one, as "name 1.0 (pinned: 2.0)"."""
    found = [(name, installed(name), wanted) for name, wanted in pinned().items()]
    return [f"{name} {has} (pinned: {wanted})" for name, has, wanted in found if has and _base(has) != wanted]


def required() -> list[str]:
    """The packages that the course itself needs, without those of its extras."""
    lines = [line for line in _required() if "extra ==" not in line]
    return [re.match(r"[\w.-]+", line)[0] for line in lines]


def _base(version: str) -> str:
    """Without the build's name: 2.1.0+cpu is 2.1.0."""
    return version.split("+")[0]


def _required() -> list[str]:
    try:
        return metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return []
