"""What lesson 05 says of its measurements is what it measures, wherever it runs."""

import pytest

from lessons.support.claims import read_claims

pytestmark = pytest.mark.slow


def test_the_claims_come_out_as_the_text_says(solved):
    rows = {row["compared"]: row for row in read_claims(solved("05_norm_placement"))}
    verdicts = {compared: row["verdict"] for compared, row in rows.items()}
    assert verdicts == {
        "pre-norm: change of x by 32 silent layers": "holds here",
        "post-norm: the same": "not here: more",
        "Xavier: post-norm's last gradient over pre-norm's": "holds here",
        "N(0, 0.02): post-norm's last gradient over pre-norm's": "not here: less",
        "root mean square of what a branch reads": "holds here",
        "Xavier: pre-norm's stream after 32 blocks": "not here: more",
        "N(0, 0.02): pre-norm's stream after 32 blocks": "not here: less",
    }
    # The written answer's "about five times" and "about a quarter", with room for another torch.
    assert rows["Xavier: post-norm's last gradient over pre-norm's"]["measured"] == pytest.approx(5.4, rel=0.25)
    assert rows["N(0, 0.02): post-norm's last gradient over pre-norm's"]["measured"] == pytest.approx(0.23, rel=0.25)
