"""A piece of text for a person, shown as HTML in a notebook and as plain text elsewhere."""

from dataclasses import dataclass

from grader.judge.card import panel


@dataclass(frozen=True)
class Page:
    """A title, some sentences (backticks mark code), and, where there is one, a listing."""

    title: str
    text: str
    listing: str = ""

    def __repr__(self) -> str:
        return "\n\n".join(part for part in (f"{self.title} {self.text}", self.listing) if part)

    def _repr_html_(self) -> str:
        return panel(self.title, self.text, self.listing)
