"""Awkward texts: whatever stands in the bank is what a reader sees, in every format."""

import io
import json
import sqlite3
import tempfile
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz.export import export
from quiz.export.json import read
from quiz.schema import Bank
from tests.quiz import moodle_rules, qti_dtd
from tests.quiz.export_banks import batch, code_in, every_type, literal, seen, tex_in
from tests.quiz.make import untimed

# Markup of HTML, XML, TeX, Markdown, text2qti, Moodle, Anki, mustache and of our own.
AWKWARD = ["&", "<", ">", "&amp;", "<b>bold</b>", "<script>alert(1)</script>", "]]>", "<![CDATA[", "<!-- -->", '"', "'"]
AWKWARD += [
    "$",
    "$$",
    "$x$",
    "$$x$$",
    "\\(x\\)",
    "\\[x\\]",
    "\\",
    "\\\\",
    "{",
    "}",
    "{%",
    "%",
    "{c1::x}",
    "{=}",
    "#",
    "`",
]
AWKWARD += [
    "*a) right",
    "a) wrong",
    "[*] x",
    "[ ] x",
    "... feedback",
    "+ x",
    "- x",
    "! x",
    "= 3 +- 1",
    "___",
    "^^^^",
    "* x",
]
AWKWARD += [
    "1. x",
    "Title: x",
    "Quiz title: x",
    "GROUP",
    "END_GROUP",
    "COMMENT",
    "Points: 2",
    "name" + "0" * 32,
    "~x",
    "::x",
]
AWKWARD += [
    "[$]x[/$]",
    "[latex]x[/latex]",
    "[sound:x.mp3]",
    "[[1]]",
    "@@PLUGINFILE@@",
    "$course$",
    "%24IMS-CC-FILEBASE%24",
]
AWKWARD += [
    "ü",
    "→",
    "𝒩(μ, σ²)",
    "数",
    "🙂",
    "e\u0301",
    "\u00a0",
    "\u200b",
    "\x07",
    "\ufffe",
    "|",
    "a_b_c",
    "**x**",
    "C:\\new\\table",
]
TEXTS = st.lists(st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
few = settings(untimed, max_examples=15)  # each makes a whole export
LINES = TEXTS.map(lambda parts: " ".join(" ".join(parts).split()).replace("{{", "{ {").replace("}}", "} }"))


def htmls(name: str, bank: Bank) -> list[str]:
    """Every HTML text of an export."""
    data = export(name, batch(bank)).data
    if name == "moodle":
        root = ET.fromstring(data)
        assert moodle_rules.faults(root) == []
        return [e.findtext("text") or "" for e in root.iter() if e.get("format") == "html"]
    if name == "qti":
        (file,) = qti_dtd.assessments(data)
        assert qti_dtd.faults(file) == []
        return [element.text for element in qti_dtd.plain(file).iter("mattext")]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return _fields(archive.read("collection.anki2"))


def _fields(database: bytes) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "collection.anki2"
        file.write_bytes(database)
        connection = sqlite3.connect(file)
        rows = connection.execute("SELECT flds FROM notes").fetchall()
        connection.close()
    return [field for (row,) in rows for field in row.split("\x1f")]


def legal(text: str) -> str:
    """What is left of a text in XML, and in Markdown."""
    return "".join("\ufffd" if (ord(s) < 32 and s != "\n") or s in "\ufffe\uffff" else s for s in text)


@pytest.mark.parametrize("name", ["anki", "moodle", "qti"])
@few
@given(LINES)
def test_a_text_is_seen_as_it_is(name, text):
    found = htmls(name, every_type(literal(text)))
    said = [seen(html) for html in found]
    wanted = " ".join(legal(text).split())
    for before in ("P ", "H1 ", "right ", "because ", "idea ", "Book ", "praise ", "four ", "item 3 "):
        assert any(f"{before}{wanted}".rstrip() in one for one in said), before
    # Nothing that only looks like mathematics, a sound, a picture or an element has become one.
    assert not any(
        mark in html for html in found for mark in ("\\(", "\\[", "[sound:", "[$", "[latex]", "<b>", "<script")
    )
    assert not any("equation_image" in html for html in found)


@pytest.mark.parametrize("name", ["anki", "moodle", "qti"])
@few
@given(st.lists(LINES, min_size=1, max_size=4))
def test_code_keeps_every_line_and_sign(name, lines):
    code = "\n".join(f"  {line}".rstrip() for line in ["first", *lines, "last"])
    fence = "`" * (3 + code.count("`"))
    bank = every_type()
    asked = bank.questions[0].model_copy(update={"setting": f"{fence}python\n{code}\n{fence}"})
    found = htmls(name, bank.model_copy(update={"questions": [asked]}))
    assert legal(code) in [block for html in found for block in code_in(html)]


@pytest.mark.parametrize("name", ["anki", "moodle", "qti"])
@pytest.mark.parametrize(
    "tex",
    [
        "a<b",
        "a & b",
        "x > 0",
        r"\frac{1}{2}",
        r"f'(x)",
        r'\text{"q"}',
        r"\{x\}",
        "x_{i}^{2}",
        r"\text{é 数}",
        "a\\\\b",
        "50\\%",
    ],
)
def test_tex_arrives_whole(name, tex):
    found = htmls(name, every_type(f"${tex}$"))
    assert {formula for html in found for formula in tex_in(html)} == {tex}


@few
@given(LINES)
def test_json_keeps_every_text(text):
    bank = every_type(literal(text))
    data = export("json", batch(bank)).data
    assert read(data) == [bank]
    assert json.loads(data)["lessons"][0]["questions"][0]["question"]["prompt"] == bank.questions[0].prompt


@few
@given(LINES.filter(lambda text: text.strip()))
def test_typed_answers_and_titles_arrive_as_they_are(text):
    bank = every_type()
    asked = bank.questions[-1].model_copy(update={"accept": [text.strip()]})
    odd = Bank.model_validate({**bank.model_dump(), "title": text, "questions": [asked.model_dump()]})
    moodle = ET.fromstring(export("moodle", batch(odd)).data)
    assert moodle[0].findtext("info/text") == " ".join(legal(text).split())
    assert moodle_rules.mark(moodle[1], legal(text.strip()))[0] == 1
    root = qti_dtd.plain(qti_dtd.assessments(export("qti", batch(odd)).data)[0])
    assert legal(text.strip()) in [test.text for test in root.iter("varequal")]
    assert root.find("assessment").get("title") == " ".join(legal(text).split())
