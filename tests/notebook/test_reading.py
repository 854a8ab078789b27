"""What is no notebook says so in a sentence; what is one is read, whatever else is in it."""

import json

import pytest

from grader.notebook import reading
from grader.notebook.reading import Unreadable, read_cells
from tests.notebook.frames import code, notebook, text


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"{ not json", "not valid JSON"),
        (b'{"nbformat": 4, "cells": [', "not valid JSON"),
        ("{}".encode("utf-16"), "not UTF-8"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"nbformat": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[1, 2]", "does not say its nbformat"),
        (b'{"cells": []}', "does not say its nbformat"),
        (b'{"nbformat": 4}', "no list of cells"),
        (b'{"nbformat": 5, "cells": []}', "newer than this grader reads"),
        (b'{"nbformat": 3, "worksheets": 7}', "old format 3"),
        (b'{"nbformat": 4, "cells": [3]}', "Cell 1 of the notebook is neither code nor text"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 5}]}', "source of cell 1"),
    ],
)
def test_unreadable(content, sentence):
    with pytest.raises(Unreadable, match=sentence) as raised:
        read_cells(content)
    assert str(raised.value).endswith(".")


def test_too_large(monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 100)
    with pytest.raises(Unreadable, match="clear its outputs"):
        read_cells(notebook([text("x" * 200)]))


def test_old_format_is_upgraded():
    old = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": ""},
        "worksheets": [
            {
                "metadata": {},
                "cells": [
                    {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["Title"]},
                    {
                        "cell_type": "code",
                        "language": "python",
                        "metadata": {},
                        "input": ["a = 1\n", "b = 2"],
                        "outputs": [],
                    },
                ],
            }
        ],
    }
    cells = read_cells(json.dumps(old).encode())
    assert [(cell.kind, cell.source) for cell in cells] == [("markdown", "## Title"), ("code", "a = 1\nb = 2")]


def test_odd_but_readable():
    cells = [
        {"cell_type": "code", "source": ["a\n", "b"], "metadata": None, "id": 5},
        {"cell_type": "code", "source": "c", "metadata": {"nbgrader": [], "tags": "experiment"}},
        {"cell_type": "raw", "source": "d", "metadata": {"nbgrader": {"grade_id": 3}}},
    ]
    read = read_cells(b"\xef\xbb\xbf" + notebook(cells))
    assert [cell.source for cell in read] == ["a\nb", "c", "d"]
    assert all(cell.grade_id is None and cell.cell_id is None and not cell.experiment for cell in read)


def test_half_a_surrogate_does_not_reach_a_file():
    (cell,) = read_cells(notebook([code("x = '\ud800'")]))
    assert cell.source == "x = '?'"
