"""Two short hands for making XML."""

import xml.etree.ElementTree as ET


def add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    """A new last child, with its text."""
    element = ET.SubElement(parent, tag, attributes)
    element.text = text
    return element


def add_text(parent: ET.Element, tag: str, text: str, **attributes: str) -> ET.Element:
    """A new last child whose text stands in a `text` element, as Moodle wants it."""
    element = add(parent, tag, None, **attributes)
    add(element, "text", text)
    return element
