"""Markdown to the HTML of other programs: mathematics as each of them wants it, code in `pre`, raw HTML is text."""

import re
from collections.abc import Callable
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from quiz.render import parser

# What those programs would read as mathematics, sound or pictures if it stood in an ordinary text.
MARKS = re.compile(r"(?:\\(?=[()\[\]])|\$(?=\$)|\[(?=\$|/?latex\]|sound:|anki:))")
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML
FENCE = re.compile(r"^(?:```|~~~)[^\n]*\n([^\n]*)")


def legal(text: str) -> str:
    """The text without the control characters that XML forbids."""
    return ILLEGAL.sub("\ufffd", text)


def mathjax(tex: str, display: bool) -> str:
    """TeX between the marks that MathJax looks for."""
    left, right = ("\\[", "\\]") if display else ("\\(", "\\)")
    return f"{left}{escape(tex.strip(), quote=False)}{right}"


def plain_code(code: str, language: str) -> str:
    """A block of code without colours."""
    return f"<pre><code>{escape(code, quote=False)}</code></pre>\n"


def coloured_code(code: str, language: str) -> str:
    """A block of code with pygments' class names; the style sheet gives the colours."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        return plain_code(code, language)
    coloured = highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return f"<pre><code>{coloured}</code></pre>\n"


class Html:
    """Renders the bank's Markdown, with mathematics and code as the two functions make them."""

    def __init__(self, math: Callable[[str, bool], str] = mathjax, code: Callable[[str, str], str] = plain_code):
        self._md = parser()
        rule = self._md.add_render_rule
        rule("text", lambda _, tokens, i, *__: unread(escape(tokens[i].content, quote=False)))
        rule("code_inline", lambda _, tokens, i, *__: f"<code>{unread(escape(tokens[i].content, quote=False))}</code>")
        rule("code_block", lambda _, tokens, i, *__: unread(plain_code(tokens[i].content.rstrip("\n"), "")))
        rule("fence", lambda _, tokens, i, *__: unread(code(tokens[i].content.rstrip("\n"), tokens[i].info.strip())))
        rule("math_inline", lambda _, tokens, i, *__: math(tokens[i].content, False))
        rule("math_inline_double", lambda _, tokens, i, *__: math(tokens[i].content, True))
        rule("math_block", lambda _, tokens, i, *__: f"<p>{math(tokens[i].content, True)}</p>\n")

    def __call__(self, markdown: str) -> str:
        """Paragraphs, lists, code."""
        return legal(self._md.render(markdown)).strip()

    def line(self, markdown: str) -> str:
        """The same without paragraphs; of a block of code only the first line."""
        code = FENCE.match(markdown)
        if code:
            return unread(f"<code>{escape(legal(code[1]), quote=False)} …</code>")
        return legal(self._md.renderInline(" ".join(markdown.split())))


def unread(html: str) -> str:
    """Marks that mean nothing special here are parted by an empty element, which nobody sees."""
    return MARKS.sub(r"\g<0><span></span>", html)


def verbatim(text: str) -> str:
    """A text that is no Markdown."""
    return unread(escape(legal(text), quote=False))
