"""Tables as learning platforms write them: whatever encoding, delimiter and line ends, kept when written again."""

import codecs
import csv
import io
from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError

DELIMITERS = ",;\t"


@dataclass
class Sheet:
    """A CSV file: its first row, the others, and how it was written."""

    path: Path
    head: list[str]
    rows: list[list[str]]
    encoding: str = "utf-8"
    delimiter: str = ","
    newline: str = "\r\n"

    def column(self, *names: str) -> int | None:
        """The place of the first of these headings that is there; upper and lower case are the same."""
        heads = [plain(head) for head in self.head]
        return next((heads.index(plain(name)) for name in names if plain(name) in heads), None)

    def to_bytes(self) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator=self.newline)
        writer.writerows([self.head, *self.rows])
        return text.getvalue().encode(self.encoding)


def plain(heading: str) -> str:
    return " ".join(heading.split()).casefold()


def read_sheet(path: Path) -> Sheet:
    """Raises CourseError if it is no table."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({error.strerror}). Name the file that you have downloaded."
        ) from error
    encoding = _encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is no text ({error.reason}): save it as CSV (comma separated values).") from error
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if line]
    except csv.Error as error:
        raise CourseError(f"{path} is no table ({error}): save it as CSV (comma separated values).") from error
    if not lines:
        raise CourseError(f"{path} is empty: download it again.")
    head, *rows = lines
    rows = [row + [""] * (len(head) - len(row)) for row in rows]
    return Sheet(path, head, rows, encoding, delimiter, "\r\n" if "\r\n" in text else "\n")


def _encoding(content: bytes) -> str:
    if content.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        content.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        return "cp1252"  # what a spreadsheet program on Windows writes
