"""What a walled process sees of the machine: the Python that it runs on, and what it is shown on purpose."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
SETTINGS = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/fonts",
)
USER = 1000
WARM_BYTES = str(32 * 2**20)


@dataclass(frozen=True)
class View:
    """What is shown besides Python itself.

    modules   importable name -> file or folder of this machine: shown at /course, read-only
    preload   modules that are imported before any kernel is forked; "package.*" for all of a package
    env       the whole environment
    """

    modules: tuple[tuple[str, str], ...] = ()
    preload: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, fields: dict) -> "View":
        """From JSON: lists for tuples, objects for pairs."""
        pairs = {name: tuple(dict(fields.get(name, {})).items()) for name in ("modules", "env")}
        return cls(preload=tuple(fields.get("preload", ())), **pairs)

    def to_json(self) -> dict:
        return {"modules": dict(self.modules), "preload": list(self.preload), "env": dict(self.env)}

    def arguments(self) -> list[str]:
        """For bubblewrap, in the order in which it mounts."""
        made = ["--perms", "0755", "--dir", "/etc"]
        for path in (*SYSTEM, *SETTINGS):
            made += _as_it_is(path)
        made += ["--proc", "/proc", "--dev", "/dev"]
        # For caches that imports make in the warm process; each kernel has its own folders over these.
        for path in ("/tmp", "/scratch"):
            made += ["--size", WARM_BYTES, "--tmpfs", path]
        made += ["--perms", "0755", "--dir", "/scratch/home"]
        shown = [(path, path) for path in python()] + [(path, f"/course/{name}") for name, path in self.modules]
        there = {"/", "/tmp", *SYSTEM}
        for parent in sorted({str(p) for _, where in shown for p in Path(where).parents} - there):
            made += ["--perms", "0755", "--dir", parent]  # those that bubblewrap makes by itself are for one user
        for path, where in shown:
            made += ["--ro-bind", path, where]
        return [*made, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


def _as_it_is(path: str) -> list[str]:
    """Links (/lib on most systems) stay links."""
    link = Path(path)
    if link.is_symlink() and not link.readlink().is_absolute():
        return ["--symlink", str(link.readlink()), path]
    return ["--ro-bind-try", path, path]


def python() -> list[str]:
    """Where this Python and its packages lie, outermost first. /usr is shown anyhow."""
    wanted = {os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix), sys.prefix, sys.base_prefix}
    wanted.add(str(Path(os.path.realpath(sys.executable)).parent))
    kept = sorted(path for path in wanted if not path.startswith("/usr/") and path != "/usr")
    return [path for path in kept if not any(other != path and path.startswith(f"{other}/") for other in kept)]
