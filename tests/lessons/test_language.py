"""One vocabulary, spelled one way, wherever a person reads: lessons, hints, mistakes, the quiz, the README."""

import re
from collections.abc import Iterator
from pathlib import Path

import jupytext
import pytest

from grader import answers
from grader.exercises import exercise, ids
from grader.paths import find_course
from quiz.bank import load_all
from quiz.texts import texts

COURSE = find_course(Path(__file__))
PAGES = [
    str(path.relative_to(COURSE.root)) for pattern in ("*.md", "grader/**/*.md") for path in COURSE.root.glob(pattern)
]
# A form that is wrong, and what is written instead. Code, mathematics, quotations and titles are not prose.
WRONG = {
    r"\b[Pp]re ?norm\b|\bPre-?N|\b[Pp]re-?LN\b(?!-)": "pre-norm",
    r"\b[Pp]ost ?norm\b|\bPost-?N|\b[Pp]ost-?LN\b(?!-)": "post-norm",
    r"\bRMS[ -][Nn]orm|\b[Rr]ms ?norm\b": "RMSNorm",
    r"\b[Ll]ayer[ -]?norm|\bLayer[ -]Norm": "LayerNorm",
    r"\b[Ff]eed ?forward\b": "feed-forward",
    r"\b[Ww]armup(?!_)|\bWarmUp": "warm-up",
    r"\bSwi?glu\b|\bSwiGlu|\bSWIGLU|\bSwi-GLU": "SwiGLU",
    r"\bKV-cache|\b[Kk]v[ -]cache": "KV cache",
    r"\bRoPe\b|\bROPE\b|\bRope\b": "RoPE",
    r"\bQK ?[Nn]orm\b|\bqk-norm\b": "QK-norm",
    r"\bresidual-stream\b": "residual stream",
    r"\bsoft-max\b": "softmax",
    r"\bHugging ?face\b|\bHuggingFace\b|\bhugging face\b": "Hugging Face",
    r"\bLLaMA\b|\bLLama\b": "Llama",
    r"\bPytorch\b|\bpytorch\b": "PyTorch",
    r"\bJupyter ?lab\b|\bJupyter Lab\b": "JupyterLab",
    r"\b[Aa]utograder\b|\b[Aa]uto grader\b": "auto-grader",
    r"\b[Aa]uto-grad\b": "autograd",
    r"\bFP16\b|\bBF16\b|\bbf16\b|\bfp16\b": "float16, bfloat16",
    r"(?<!F\.)\b(?:[Nn]ormal|[Ii]nitial|[Gg]eneral|[Ss]ummar|[Rr]eal)iz": "-ise",
    r"\b[Oo]ptimiser": "optimizer, PyTorch's word",
    r"\b[Bb]ehavior|\b[Cc]olor|\b[Cc]enter": "behaviour, colour, centre",
    r"\bdata-?set\b|\bDataset\b": "data set",
    r"\bhyper-parameter": "hyperparameter",
}
# In this order: a fence before the code within a line, so that its backticks pair.
NO_PROSE = (
    r"^```.*?^```",
    r"`[^`]*`",
    r"\$\$.*?\$\$",
    r"\$[^$]*\$",
    r"\]\([^)]*\)",
    r"https?://\S+",
    r"\*[A-Z][^*]*\*",  # a title
    r'"[^"]{1,200}"',  # what somebody else has said
    r"<[^>]*>",
)
SOURCES = re.compile(r"^## Sources$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def prose(markdown: str) -> str:
    for pattern in NO_PROSE:
        markdown = re.sub(pattern, " ", markdown, flags=re.MULTILINE | re.DOTALL)
    return markdown


def wrong_forms(text: str) -> list[str]:
    """Each wrong form in a piece of prose, with the right one and what stands around it."""
    hits = ((match, right) for form, right in WRONG.items() for match in re.finditer(form, text))
    return [f"{m[0]!r} for {right}: …{text[max(0, m.start() - 40) : m.end() + 30]!r}" for m, right in hits]


def of_lesson(name: str) -> str:
    cells = jupytext.read(COURSE.source(name)).cells
    return SOURCES.sub("", "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown"))


def of_exercises() -> Iterator[tuple[str, str]]:
    for name in ids():
        yield name, "\n".join(exercise(name).hints)
        yield name, "\n".join(f"{mistake.name}\n{mistake.hint}" for mistake in answers.of(name).mistakes)


def of_quiz() -> Iterator[tuple[str, str]]:
    for bank in load_all():
        for question in bank.questions:
            for place in texts(question):
                # What a person may type is taken in any spelling.
                if place.field != "source" and "accept" not in place.field:
                    yield f"{bank.lesson}/{question.id} {place.field}", place.text


@pytest.mark.parametrize("name", COURSE.lesson_names())
def test_a_lessons_words(name):
    text = of_lesson(name)
    assert len(text) > 2000
    assert wrong_forms(prose(text)) == []


def test_hints_and_mistakes():
    found = [(name, wrong) for name, text in of_exercises() for wrong in wrong_forms(prose(text))]
    assert found == []


def test_the_quiz():
    found = [(where, wrong) for where, text in of_quiz() for wrong in wrong_forms(prose(text))]
    assert found == []


@pytest.mark.parametrize("file", PAGES)
def test_other_pages(file):
    assert wrong_forms(prose((COURSE.root / file).read_text(encoding="utf-8"))) == []


def test_every_picture_has_alternative_text():
    """In a lesson and in the README. A plot's is made by `plots.show`, which refuses one without."""
    pages = {name: of_lesson(name) for name in COURSE.lesson_names()}
    pages["README"] = (COURSE.root / "README.md").read_text(encoding="utf-8")
    for name, text in pages.items():
        assert all(alt.strip() for alt in re.findall(r"!\[([^\]]*)\]\(", text)), name
        assert all(re.search(r'\balt="[^"]', tag) for tag in re.findall(r"<img\b[^>]*>", text)), name


@pytest.mark.parametrize("name", COURSE.lesson_names())
def test_a_link_in_text_is_bold(name):
    """JupyterLab tells a link from the text around it by colour alone."""
    cells = [cell.source for cell in jupytext.read(COURSE.source(name)).cells if cell.cell_type == "markdown"]
    assert [link for text in cells for link in re.findall(r"(?<![*!])\[[^\]]+\]\([^)]+\)", _plain(text))] == []


@pytest.mark.parametrize("name", COURSE.lesson_names())
def test_a_listing_in_text_has_no_language(name):
    """JupyterLab's colours for a language's comments and names are too pale, in both themes."""
    cells = [cell.source for cell in jupytext.read(COURSE.source(name)).cells if cell.cell_type == "markdown"]
    assert not [text for text in cells if re.search(r"^```\w", text, re.MULTILINE)]


def _plain(markdown: str) -> str:
    """Without code and mathematics, in which brackets stand, too."""
    return re.sub(r"^```.*?^```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", "", markdown, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", COURSE.lesson_names())
def test_plots_are_shown_by_the_one_function_that_demands_words(name):
    code = "\n".join(c.source for c in jupytext.read(COURSE.source(name)).cells if c.cell_type == "code")
    assert not re.search(r"\bplt\.|pyplot|\.show\(\)|display\(", code)
    assert "plots.show(" in code or "new_axes" not in code


@pytest.mark.parametrize(
    ("text", "right"), [("a prenorm block", "pre-norm"), ("the Warmup", "warm-up"), ("Layer Norm", "LayerNorm")]
)
def test_a_wrong_form_is_seen(text, right):
    (said,) = wrong_forms(prose(text))
    assert right in said
    assert wrong_forms(prose(f"`{text}` and ${text}$ and *{text.capitalize()}*")) == []


@pytest.mark.parametrize("name", COURSE.lesson_names())
def test_every_column_of_a_table_has_a_name(name):
    """A screen reader says it with every cell."""
    cells = [cell.source for cell in jupytext.read(COURSE.source(name)).cells if cell.cell_type == "markdown"]
    heads = [head for text in cells for head in re.findall(r"^(\|.*)\n\|[-:| ]+\|$", text, re.MULTILINE)]
    assert heads, "the table of parts at the top is one"
    assert [head for head in heads if not all(column.strip() for column in head.strip("|").split("|"))] == []
