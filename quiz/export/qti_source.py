"""A text2qti document in which every text is a name, and what the names stand for.

text2qti reads Markdown of its own, with its own mathematics and marks at the beginning of lines. So it gets names only:
no text can be taken for its markup. And since it makes its identifiers from texts, here they are made from names, and
stay when a text changes or a question is added.
"""

import re
from html import escape

from quiz.export.html import legal
from quiz.export.ids import stable_uuid

NAME = re.compile(r"(&lt;p&gt;)?\b(name[0-9a-f]{32})\b(&lt;/p&gt;)?")


class Source:
    """Lines of text2qti's format, and the texts for the XML that it makes of them."""

    def __init__(self):
        self._lines: list[str] = []
        self._texts: dict[str, str] = {}

    @property
    def text(self) -> str:
        """What text2qti reads."""
        return "\n".join(self._lines)

    def head(self, lesson: str, title: str) -> None:
        """The assessment's title."""
        self._add("Quiz title:", f"{lesson}/title", title)

    def question(self, key: str, html: str, general: str, wrong: str = "") -> None:
        """A question, what is shown after any answer, and what after a wrong one. The answers follow."""
        self._lines.append("")
        self._add("Title:", f"{key}/title", key)
        self._add("1.", key, html)
        self._add("...", f"{key}/general", general)
        if wrong:
            self._add("-", f"{key}/wrong", wrong)

    def option(self, name: str, html: str, right: bool, several: bool, feedback: str = "") -> None:
        """A thing to choose."""
        marks = ("[*]", "[ ]") if several else ("*a)", "a)")
        self._add(marks[0] if right else marks[1], name, html)
        if feedback:
            self._add("...", f"{name}/feedback", feedback)

    def typed(self, name: str, answer: str) -> None:
        """An answer to type."""
        self._add("*", name, answer)

    def number(self, key: float, tolerance: float) -> None:
        """A number to type."""
        self._lines.append(f"= {key!r} +- {tolerance!r}")

    def fill(self, xml: str) -> str:
        """The XML with the texts in place of their names: HTML where text2qti has made a paragraph."""
        return NAME.sub(lambda m: escape(legal(self._texts[m[2]])), xml)

    def _add(self, mark: str, name: str, text: str) -> None:
        token = f"name{stable_uuid(name).hex}"
        self._texts[token] = text
        self._lines.append(f"{mark} {token}")
