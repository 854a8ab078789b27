"""Markdown to HTML, in Python and offline: TeX becomes MathML, code is coloured, raw HTML stays text."""

import re
import xml.etree.ElementTree as ET
from functools import cache, lru_cache
from html import escape

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from quiz.errors import QuizError

# latex2mathml takes what it does not understand for text; these elements then lack a child.
CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3, "mroot": 2}
# A minus after an operator that closes nothing, as in (3, -1), is a sign, not a subtraction; browsers do not see it.
_SIGN = re.compile(r"(<mo[^>]*>(?!&#x00029;|&#x0007D;|&#x02016;|&#x0007C;|[\])|!])[^<]*</mo>)<mo>&#x02212;</mo>")
_PHRASING = {"paragraph_open", "paragraph_close", "inline", "fence"}


def block(markdown: str) -> str:
    """Paragraphs, lists, code. Raises QuizError for TeX that does not convert."""
    return _markdown().render(markdown)


def phrasing(markdown: str) -> str:
    """One paragraph, or code, for places where HTML allows no blocks: a legend, a label.

    Raises QuizError for other blocks, and for TeX that does not convert.
    """
    tokens = _markdown().parse(markdown)
    if {t.type for t in tokens} - _PHRASING or sum(t.type == "inline" for t in tokens) > 1:
        raise QuizError("only one paragraph, or code, can stand here")
    kept = [t for t in tokens if not t.type.startswith("paragraph")]
    return _markdown().renderer.render(kept, _markdown().options, {})


def tokens(markdown: str) -> list[Token]:
    """The parts of a text, for a form that is not HTML."""
    return _markdown().parse(markdown)


@lru_cache(maxsize=4096)
def mathml(tex: str, display: bool = False) -> str:
    """TeX as MathML. Raises QuizError naming the TeX when it does not convert."""
    try:
        result = convert(tex.strip(), display="block" if display else "inline")
        fault = _fault(tex, ET.fromstring(result))
    except Exception as error:  # latex2mathml raises whatever its parser happened to trip over
        fault = str(error) or type(error).__name__
    if fault:
        raise QuizError(f"the TeX `{tex.strip()}` does not convert: {fault}")
    for bar in ("&#x02016;", "&#x0007C;"):  # \rVert stretches with its own index otherwise
        result = result.replace(f"<mo>{bar}</mo>", f'<mo stretchy="false">{bar}</mo>')
    result = _SIGN.sub(r'\1<mo form="prefix">&#x02212;</mo>', result)
    return result.replace("<math ", f'<math alttext="{escape(tex.strip())}" ', 1)


def _fault(tex: str, tree: ET.Element) -> str | None:
    plain = re.sub(r"\\.", "", tex)
    if plain.count("{") != plain.count("}"):
        return "its braces do not match"
    for element in tree.iter():
        tag = element.tag.rpartition("}")[2]
        if element.text and "\\" in element.text:
            return f"unknown command {element.text}"
        if len(element) != CHILDREN.get(tag, len(element)):
            return f"an argument is missing in a {tag}"
    return None


def parser() -> MarkdownIt:
    """The Markdown that the bank is written in: CommonMark, tables and `$TeX$`; raw HTML is text."""
    md = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    return md.use(dollarmath_plugin, double_inline=True, allow_labels=False)


@cache
def _markdown() -> MarkdownIt:
    md = parser()
    md.add_render_rule("math_inline", lambda self, tokens, i, *_: mathml(tokens[i].content))
    for name in ("math_inline_double", "math_block"):
        md.add_render_rule(name, lambda self, tokens, i, *_: mathml(tokens[i].content, display=True))
    md.add_render_rule("fence", lambda self, tokens, i, *_: _code(tokens[i]))
    md.add_render_rule("link_open", _link)
    return md


def _code(token: Token) -> str:
    """A `code` element in place of `pre`, which a label may not contain; the style sheet keeps its lines."""
    try:
        lexer = get_lexer_by_name(token.info.strip() or "text", stripnl=False)
    except ClassNotFound:
        raise QuizError(f"unknown language of a code block: {token.info.strip()}") from None
    body = highlight(token.content.rstrip("\n"), lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<code class="quiz-code">{body}</code>'


def _link(self, tokens, i, options, env) -> str:
    # A link that opens in place would replace JupyterLab itself.
    tokens[i].attrs |= {"target": "_blank", "rel": "noopener"}
    return self.renderToken(tokens, i, options, env)
