"""Lesson 13: of the answers that are often given one holds, and the plot's title tells what the text asks for."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow


def test_only_one_answer_holds(solved):
    rows = {row["says"]: row for row in read_claims(solved("13_interview"))}
    assert [says for says, row in rows.items() if row["holds"]] == ["RMSNorm ignores a scale of x"]
    assert rows["float16 reaches 65504, so x² is safe up to there"]["measured"] == 255
    assert rows["SwiGLU at a width of 4d costs nothing"]["measured"] == pytest.approx(50)
    assert rows["most of a block is attention"]["measured"] == pytest.approx(100 - 66.8, abs=0.05)


def test_the_rounds_are_shown_and_say_what_to_do_next(solved):
    texts = [
        output["data"]["text/plain"]
        for cell in solved("13_interview").cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    for said in ("The quiz by lesson", "A round by weakness: 10", "Blank page: ", "Not written yet.", "Bug "):
        assert any(text.startswith(said) for text in texts), said
    assert any(text.startswith("A dot: the test finds the version.") for text in texts)
    assert "Not begun yet" in texts[-1]
