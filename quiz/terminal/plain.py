"""The bank's Markdown as plain text: paragraphs wrapped, code indented, formulas on the line."""

import textwrap

from markdown_it.token import Token

from quiz.render import tokens
from quiz.terminal.mathematics import linear


def plain(markdown: str, width: int = 79, indent: str = "") -> str:
    """A text for a terminal. `indent` stands before every line."""
    text, depth, marks = "", 0, []
    for token in tokens(markdown):
        if token.type == "list_item_open":
            depth += 1
            marks.append(f"{token.info}. " if token.info else "- ")
        elif token.type == "list_item_close":
            depth -= 1
        elif block := _block(token, width - len(indent) - 2 * depth):
            first = marks.pop() if marks else "  " * bool(depth)
            gap = "\n" if depth else "\n\n"
            text += gap * bool(text) + _hang(block, indent + "  " * max(depth - 1, 0), first)
    return text


def _block(token: Token, width: int) -> str:
    if token.type == "inline":
        return textwrap.fill(_inline(token.children), max(width, 20), break_on_hyphens=False)
    if token.type == "fence":
        return textwrap.indent(token.content.rstrip("\n"), "    ")
    return "  " + linear(token.content) if token.type == "math_block" else ""


def _hang(text: str, indent: str, first: str) -> str:
    head, *rest = text.split("\n")
    return "\n".join([indent + first + head, *(indent + " " * len(first) + one for one in rest)])


def _inline(children: list[Token]) -> str:
    text, address = "", ""
    for token in children:
        if token.type.startswith("math"):
            text += linear(token.content)
        elif token.type == "link_open":
            address = str(token.attrs["href"])
        elif token.type == "link_close":
            text += f" ({address})"
        elif token.type in ("softbreak", "hardbreak"):
            text += " "
        else:
            text += f"`{token.content}`" if token.type == "code_inline" else token.content
    return text
