"""The document type definition of IMS QTI 1.2.1, and what a program that follows it makes of an answer.

IMS's own file is in no package registry. But pyslet, an implementation of the specification, quotes its declarations
one by one in its docstrings; put together they are the definition, up to a few slips of the pen, mended here.
"""

import inspect
import math
import re
import xml.etree.ElementTree as ET
import zipfile
from functools import cache
from io import BytesIO, StringIO

from lxml import etree
from pyslet.qtiv1 import assessment, common, core, item, objectbank, outcomes, sao, section, xml

MODULES = (assessment, common, core, item, objectbank, outcomes, sao, section, xml)
NAMESPACE = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


@cache
def dtd() -> etree.DTD:
    """The definition, for files without their namespace."""
    text = "\n".join(inspect.getsource(module) for module in MODULES)
    quoted = re.findall(r"<!(?:ELEMENT|ATTLIST)\s+[^>]*>", text)
    real = [found for found in quoted if re.match(r"<!\w+\s+[a-z_]+\s", found)]  # not those for `response_*`
    return etree.DTD(StringIO("\n".join(map(_mended, real))))


def _mended(declaration: str) -> str:
    declaration = declaration.replace('#REQUIRED"', "#REQUIRED").replace("::", "")
    declaration = declaration.replace("%I_Title;", "title CDATA #IMPLIED")
    if declaration.startswith("<!ELEMENT"):
        declaration = re.sub(r"([?*)])(\s*\n\s*)(?=[\w(])", r"\1,\2", declaration)  # lists without their commas
        declaration = re.sub(r",\s*\)", ")", declaration)
    return declaration


def faults(data: bytes) -> list[str]:
    """What in an assessment's file is not as the definition has it."""
    root = etree.fromstring(re.sub(rb"<questestinterop [^>]*>", b"<questestinterop>", data))
    dtd().validate(root)
    return [error.message for error in dtd().error_log.filter_from_errors()]


def assessments(package: bytes) -> list[bytes]:
    """The assessments' files in a package."""
    with zipfile.ZipFile(BytesIO(package)) as archive:
        return [archive.read(name) for name in archive.namelist() if re.fullmatch(r"([^/]+)/\1\.xml", name)]


def plain(data: bytes) -> ET.Element:
    """The file's tree, without the namespace."""
    root = ET.fromstring(data)
    for element in root.iter():
        element.tag = element.tag.removeprefix(NAMESPACE)
    return root


def mark(item: ET.Element, given) -> tuple[float, list[str]]:
    """The score (0 to 100) for a set of choices, or for a typed text, and the feedback that is shown."""
    score, shown = 0.0, []
    for condition in item.iter("respcondition"):
        tests = condition.find("conditionvar")
        # Canvas writes and reads several texts to type as alternatives, without an `or` around them.
        several = any if isinstance(given, str) and {test.tag for test in tests} == {"varequal"} else all
        if not several(_holds(test, given) for test in tests):
            continue
        for setting in condition.findall("setvar"):
            score = float(setting.text)
        shown += [f.get("linkrefid") for f in condition.findall("displayfeedback")]
        if condition.get("continue") != "Yes":
            break
    said = {f.get("ident"): f.findtext(".//mattext") for f in item.findall("itemfeedback")}
    return score, [said[name] for name in shown]


def _holds(test: ET.Element, given) -> bool:
    if test.tag in ("and", "or", "not"):
        results = [_holds(part, given) for part in test]
        return {"and": all, "or": any, "not": lambda r: not r[0]}[test.tag](results)
    if test.tag == "varequal" and isinstance(given, str):
        return test.text.casefold() == given.strip().casefold()
    if test.tag == "varequal":
        return test.text in given
    return {
        "other": lambda: True,
        "vargte": lambda: _number(given) >= float(test.text),
        "varlte": lambda: _number(given) <= float(test.text),
    }[test.tag]()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
