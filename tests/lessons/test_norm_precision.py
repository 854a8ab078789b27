"""What lesson 04 says of its measurements is what it measures, wherever it runs."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow


def test_the_claims_come_out_as_the_text_says(solved):
    rows = read_claims(solved("04_norm_precision"))
    verdicts = [(row["says"], row["verdict"]) for row in rows]
    assert verdicts == [
        ("numbers well-behaved (~radius 1.0)", "not here: less"),
        ("numbers well-behaved (~radius 1.0)", "holds here"),
        ("activations don't explode into Inf", "not here: more"),
        ("activations don't explode into Inf", "holds here"),
        ("x / RMS(x) ⊙ γ", "holds here"),
        ("x / RMS(x) ⊙ γ", "not here: less"),
        ("each layer just adds subtle refinements", "not here: less"),
        ("each layer just adds subtle refinements", "holds here"),
    ]
    (llama,) = [row["measured"] for row in rows if row["compared"].startswith("Llama's order")]
    assert llama == pytest.approx(74, abs=6), "the text says: about a quarter of the numbers are others"
