"""The warm process has matplotlib's list of fonts from this user, and makes none."""

import contextlib
import json
import sys
from pathlib import Path

import pytest
from matplotlib import font_manager

from grader.notebook.walled import view
from grader.sandbox import View, warm
from grader.sandbox.fonts import shown_fonts
from grader.sandbox.warm import Warm
from tests.redteam.kernels import answers, run

pytestmark = [pytest.mark.other_os, pytest.mark.skipif(sys.platform != "linux", reason="the wall is Linux's")]
LIST = f"fontlist-v{font_manager.FontManager.__version__}.json"


@pytest.fixture
def known(tmp_path, monkeypatch) -> Path:
    """This user's list: DejaVu Sans under other names in matplotlib, the system, and somebody's home."""
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))
    (dejavu,) = [f for f in font_manager.fontManager.ttflist if f.fname.endswith("mpl-data/fonts/ttf/DejaVuSans.ttf")]
    places = {"Own": "fonts/ttf/DejaVuSans.ttf", "System": "/usr/share/x.ttf", "Secret": "/home/ada/secret.ttf"}
    manager = font_manager.FontManager.__new__(font_manager.FontManager)
    manager.__dict__.update(font_manager.fontManager.__dict__)
    manager.ttflist = [font_manager.FontEntry(**vars(dejavu) | {"name": n, "fname": p}) for n, p in places.items()]
    font_manager.json_dump(manager, tmp_path / LIST)
    return tmp_path / LIST


def test_kernels_know_these_fonts_and_none_of_a_home(known, monkeypatch):
    monkeypatch.setattr(warm, "_lines", {})
    with contextlib.closing(Warm(view())) as own:
        warm.use(view(), own.address)
        made = run("from matplotlib import font_manager\nanswer([f.name for f in font_manager.fontManager.ttflist])")
    assert answers(made) == ["Own", "System"]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"ttflist": [1], "afmlist": []}', "\0"])
def test_a_list_that_cannot_be_read_is_not_shown(known, tmp_path, content):
    known.write_text(content)
    (tmp_path / "copies").mkdir()
    assert shown_fonts(view(), tmp_path / "copies") == []


def test_where_no_copy_can_be_written_nothing_is_shown(known, tmp_path):
    assert shown_fonts(view(), tmp_path / "no such folder") == []


def test_nothing_is_shown_that_is_not_there(known, tmp_path):
    assert shown_fonts(View(), tmp_path) == []
    known.unlink()
    assert shown_fonts(view(), tmp_path) == []


def test_the_copy_stands_where_matplotlib_looks(known, tmp_path):
    (tmp_path / "copies").mkdir()
    *_, option, copy, there = shown_fonts(view(), tmp_path / "copies")
    assert (option, there) == ("--ro-bind", f"{dict(view().env)['MPLCONFIGDIR']}/{LIST}")
    assert [font["name"] for font in json.loads(Path(copy).read_text())["ttflist"]] == ["Own", "System"]
