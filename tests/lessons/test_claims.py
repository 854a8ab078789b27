"""Claims: when one holds, how it says that it does not, and how a test reads a table out of a notebook."""

import nbformat
import pytest
from nbclient import NotebookClient

from lessons.support.claims import Claim, ClaimTable, read_claims


def claim(measured, **fields) -> Claim:
    return Claim(**{"says": "the note", "compared": "this with that", "claimed": 10.0, "measured": measured} | fields)


@pytest.mark.parametrize(
    ("measured", "fields", "verdict"),
    [
        (10.4, {"margin": 0.5}, "holds here"),
        (10.6, {"margin": 0.5}, "not here: more"),
        (9.4, {"margin": 0.5}, "not here: less"),
        (-3.0, {"margin": 0.5}, "not here: the other way round"),
        (float("nan"), {"margin": 0.5}, "not here: not a number"),
        (15.0, {"claimed": (15, 30)}, "holds here"),
        (30.0, {"claimed": (15, 30)}, "holds here"),
        (31.0, {"claimed": (15, 30)}, "not here: more"),
        (31.0, {"claimed": (15, 30), "margin": 2}, "holds here"),
        (12.0, {"claimed": (15, 30), "margin": 2}, "not here: less"),
        (99.0, {"direction": "at least"}, "holds here"),
        (9.8, {"direction": "at least", "margin": 0.5}, "holds here"),
        (9.4, {"direction": "at least", "margin": 0.5}, "not here: less"),
        (-99.0, {"direction": "at most"}, "holds here"),
        (10.4, {"direction": "at most", "margin": 0.5}, "holds here"),
        (10.6, {"direction": "at most", "margin": 0.5}, "not here: more"),
        (10.0, {"direction": "more than"}, "not here: less"),
        (10.5, {"direction": "more than", "margin": 0.5}, "not here: less"),
        (10.6, {"direction": "more than", "margin": 0.5}, "holds here"),
        (None, {"missing": "no compiler: none found"}, "not measured (no compiler: none found)"),
    ],
)
def test_verdict(measured, fields, verdict):
    tried = claim(measured, **fields)
    assert tried.verdict == verdict
    assert tried.holds is (None if measured is None else verdict == "holds here")


def test_a_claim_without_a_measurement_says_why():
    with pytest.raises(ValueError, match="say why"):
        claim(None)


def test_an_unknown_direction_is_refused():
    with pytest.raises(ValueError, match="about, at least, at most or more than"):
        claim(1.0, direction="above")


def test_the_row_shows_claimed_and_measured_alike():
    row = claim(-81.24, claimed=(15, 30), margin=2, unit=" %").row()
    assert row[2:] == ("15 to 30 % (± 2)", "−81.2 %", "not here: the other way round")
    assert claim(1234.5, direction="more than", margin=1).row()[2:4] == ("more than 10 (by 1)", "1,234")


def test_html_has_headings_and_escapes_words():
    html = ClaimTable(claim(10.0, says="<b>fast</b>"))._repr_html_()
    assert html.count('<th scope="col"') == 5
    assert "&lt;b&gt;fast&lt;/b&gt;" in html and "<b>fast" not in html
    assert "✓ holds here" in html


def test_read_claims_out_of_an_executed_notebook():
    source = """
from lessons.support.claims import Claim, ClaimTable
radius = Claim("radius 1.0", "length", 1, 8.0, unit=" m")
ClaimTable(radius, Claim("speed", "both", (15, 30), None, missing="no compiler"))
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    first, second = read_claims(notebook)
    assert (first["says"], first["measured"], first["holds"], first["verdict"]) == (
        "radius 1.0",
        8,
        False,
        "not here: more",
    )
    assert (second["holds"], second["verdict"]) == (None, "not measured (no compiler)")
    shown = notebook.cells[0].outputs[0].data
    assert shown["text/plain"].splitlines()[0] == "radius 1.0 [length]: claimed 1 m, measured 8 m: not here: more"
    assert "<table>" in shown["text/html"]
