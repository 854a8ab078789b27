"""matplotlib's list of this machine's fonts, for the warm process: making it anew takes a seventh of its imports."""

import json
import os
from pathlib import Path

from grader.sandbox.view import SYSTEM, View, python

LISTS = "fontlist-v*.json"


def shown_fonts(view: View, folder: Path) -> list[str]:
    """For bubblewrap: this user's list, of the fonts that the view shows, where matplotlib will look for its own.

    folder: takes a copy for each version of matplotlib's list. Where there is no list, none that can be read, or no
    room for a copy, nothing is shown, and matplotlib makes its own.
    """
    if (place := dict(view.env).get("MPLCONFIGDIR")) is None:
        return []
    shown = []
    for found in sorted(_cache().glob(LISTS)):
        copy = folder / found.name
        if _copied(found, copy):
            shown += ["--ro-bind", str(copy), f"{place}/{found.name}"]
    return ["--perms", "0755", "--dir", place, *shown] if shown else []


def _cache() -> Path:
    """Where matplotlib keeps its lists for this user."""
    if given := os.environ.get("MPLCONFIGDIR"):
        return Path(given)
    caches = os.environ.get("XDG_CACHE_HOME") or f"{os.environ.get('HOME', '/nowhere')}/.cache"
    return Path(caches, "matplotlib")


def _copied(found: Path, copy: Path) -> bool:
    """Without fonts of this user's home and the like, of which nobody behind the wall is to know."""
    try:
        known = json.loads(found.read_bytes())
        for kind in ("afmlist", "ttflist"):
            known[kind] = [font for font in known[kind] if _is_shown(font["fname"])]
        copy.write_text(json.dumps(known))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return True


def _is_shown(path: str) -> bool:
    """matplotlib's own fonts have relative paths."""
    return not path.startswith("/") or any(Path(path).is_relative_to(shown) for shown in (*SYSTEM, *python()))
