"""What the course's source claims, beside what this machine measured. Judges a number, never a person.

A table shows itself as HTML in a notebook and as text elsewhere, and carries its rows as JSON under
`CLAIMS_MIME`, so that a test can read them out of an executed notebook with `read_claims`.
"""

from dataclasses import asdict, dataclass
from html import escape
from math import inf, isnan

CLAIMS_MIME = "application/vnd.transformer-internals.claims+json"
HEADINGS = ("The note says", "Compared here", "Claimed", "Measured here", "Verdict")


@dataclass(frozen=True)
class Claim:
    """One claim put to the test.

    says        the claim, in the words of whoever makes it
    compared    what was measured to try it
    claimed     the number it claims or implies, or a range (low, high)
    measured    this machine's number, in the same unit; None when it could not be measured
    direction   "about": may miss the number or the range by `margin`; "at least", "at most": likewise, on
                one side; "more than": must beat the number by `margin`
    missing     why there is no measurement, when there is none
    """

    says: str
    compared: str
    claimed: float | tuple[float, float]
    measured: float | None
    margin: float = 0.0
    direction: str = "about"
    unit: str = ""
    missing: str = ""

    def __post_init__(self):
        if self.direction not in ("about", "at least", "at most", "more than"):
            raise ValueError(f"direction {self.direction!r}: use about, at least, at most or more than.")
        if self.measured is None and not self.missing:
            raise ValueError(f"{self.says!r} has no measurement; say why in `missing`.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest measurement with which the claim holds."""
        low, high = self.claimed if isinstance(self.claimed, tuple) else (self.claimed, self.claimed)
        if self.direction == "more than":
            return high + self.margin, inf
        return (
            -inf if self.direction == "at most" else low - self.margin,
            inf if self.direction == "at least" else high + self.margin,
        )

    @property
    def holds(self) -> bool | None:
        """Whether the claim holds on this machine; None when it was not measured. NaN never holds."""
        if self.measured is None:
            return None
        low, high = self.bounds
        beats = self.measured > low if self.direction == "more than" else self.measured >= low
        return beats and self.measured <= high

    @property
    def verdict(self) -> str:
        """Holds here; or not here, with the way it misses; or not measured, with the reason."""
        if self.holds is None:
            return f"not measured ({self.missing})"
        if self.holds:
            return "holds here"
        low, high = self.bounds
        if isnan(self.measured):
            return "not here: not a number"
        if self.measured < 0 < low:
            return "not here: the other way round"
        return f"not here: {'more' if self.measured > high else 'less'}"

    def row(self) -> tuple[str, ...]:
        """The table's cells, as text."""
        pair = self.claimed if isinstance(self.claimed, tuple) else (self.claimed,)
        claimed = " to ".join(map(_number, pair)) + self.unit
        claimed = claimed if self.direction == "about" else f"{self.direction} {claimed}"
        margin = f" (by {_number(self.margin)})" if self.direction == "more than" else f" (± {_number(self.margin)})"
        measured = "–" if self.measured is None else _number(self.measured) + self.unit
        return self.says, self.compared, claimed + margin * bool(self.margin), measured, self.verdict


def _number(value: float) -> str:
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}").replace("-", "−")


class ClaimTable:
    """The claims of one lesson as a table; the last expression of a cell shows it. `who` heads the claims."""

    def __init__(self, *claims: Claim, who: str = HEADINGS[0]):
        self.claims, self.headings = claims, (who, *HEADINGS[1:])

    def __repr__(self) -> str:
        rows = [f"{c[0]} [{c[1]}]: claimed {c[2]}, measured {c[3]}: {c[4]}" for c in map(Claim.row, self.claims)]
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in self.headings)
        body = "".join(_html_row(claim) for claim in self.claims)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        rows = [asdict(claim) | {"holds": claim.holds, "verdict": claim.verdict} for claim in self.claims]
        return {"text/plain": repr(self), "text/html": self._repr_html_(), CLAIMS_MIME: {"claims": rows}}


def _html_row(claim: Claim) -> str:
    mark = {True: "✓", False: "✗", None: "–"}[claim.holds]
    # A number and its unit stay on one line.
    row = [cell.replace(claim.unit, claim.unit.replace(" ", "\u00a0")) if claim.unit else cell for cell in claim.row()]
    *cells, verdict = map(escape, row)
    style = 'style="text-align:left"'
    return "<tr>" + "".join(f"<td {style}>{cell}</td>" for cell in (*cells, f"<b>{mark} {verdict}</b>")) + "</tr>"


def read_claims(notebook) -> list[dict]:
    """The rows of every claim table among the outputs of an executed notebook, in order."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    tables = [output["data"][CLAIMS_MIME] for output in outputs if CLAIMS_MIME in output.get("data", {})]
    return [row for table in tables for row in table["claims"]]
