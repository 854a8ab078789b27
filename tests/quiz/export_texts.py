"""Whether an export's HTML says what a text of the bank says, by the quiz's own renderer."""

import re
import xml.etree.ElementTree as ET

from quiz.render import block
from tests.quiz.export_banks import seen


def stands_in(exported: str, *texts: str) -> bool:
    """Whether these Markdown texts stand in the HTML, in this order; mathematics count by their TeX."""
    said, place = seen(exported), 0
    for text in texts:
        wanted = plain(text)
        place = said.find(wanted, place)
        if place < 0:
            return False
        place += len(wanted)
    return True


def plain(markdown: str) -> str:
    """What a reader of the quiz sees of a text, mathematics as their TeX."""
    shown = re.sub(r"</code>(?=<(?:p|ul|ol|table|code)\b)", "</code>\n", block(markdown))
    root = ET.fromstring(f"<r>{shown}</r>")
    for parent in root.iter():
        for child in [c for c in parent if c.tag.endswith("}math")]:
            tex, tail = child.get("alttext"), child.tail
            child.clear()
            child.tag, child.text, child.tail = "span", f"\\({tex}\\)", tail
    return seen(ET.tostring(root, encoding="unicode"))
