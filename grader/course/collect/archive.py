"""The files of a download: of a folder or a zip, and of zips in it. Nothing is unpacked to the disk.

What cannot be taken is an item too, with a sentence: nothing is left out silently but what systems put there.
"""

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from grader.course.submissions import NotReadable, read_regular
from grader.errors import CourseError
from grader.notebook.reading import MAX_BYTES

# Nobody's work: what systems and programs leave in a folder.
RUBBISH = {"__macosx", ".ds_store", ".ipynb_checkpoints", "thumbs.db", "desktop.ini", "__pycache__", ".git"}
OTHER_ARCHIVES = {b"Rar!": "rar", b"7z\xbc\xaf": "7z", b"\x1f\x8b": "gzip", b"\xfd7zX": "xz"}
ZIP = b"PK\x03\x04"
DEPTH = 4  # zips in zips
MAX_FILES = 5_000  # in what one person packed
MAX_UNPACKED = 256 * 2**20  # bytes, of what one person packed
ENCRYPTED = 0x1
UTF8 = 0x800


@dataclass(frozen=True)
class Item:
    """One file of a download.

    parts     folders and archives it lies in, and its own name
    content   its bytes if it can be a notebook, else nothing
    problem   why it is not taken
    when      seconds since 1970, if its folder or archive says when it was saved
    packed    how many zips of a student's own it lies in
    """

    parts: tuple[str, ...]
    content: bytes = b""
    problem: str | None = None
    when: float | None = None
    packed: int = 0

    @property
    def shown(self) -> str:
        return "/".join(unicodedata.normalize("NFC", part) for part in self.parts)

    @property
    def can_be_notebook(self) -> bool:
        return bool(self.content) or ".ipynb" in self.parts[-1].casefold()


class _Budget:
    """What may be read of one person's archive. Whoever packs more has packed a bomb."""

    def __init__(self):
        self.files, self.bytes = MAX_FILES, MAX_UNPACKED

    def spend(self, size: int) -> bool:
        self.files, self.bytes = self.files - 1, self.bytes - size
        return self.files >= 0 and self.bytes >= 0


def items(source: Path) -> Iterator[Item]:
    """All files of a folder or of a zip, in order. Raises CourseError if it is neither."""
    if source.is_dir():
        yield from _folder(source)
    elif source.is_file() and zipfile.is_zipfile(source):
        yield from _zip(source, (), 0, None)
    else:
        what = "is neither a folder nor a zip" if source.exists() else "is not there"
        raise CourseError(f"{source} {what}: name the folder or the zip that you have downloaded.")


def _folder(root: Path) -> Iterator[Item]:
    for folder, names, files in os.walk(root):
        here = Path(folder)
        links = [name for name in names if (here / name).is_symlink()]
        names[:] = sorted(name for name in names if not _rubbish(name) and name not in links)
        for name in sorted([*files, *links]):
            if not _rubbish(name):
                yield from _file(here / name, tuple(map(_readable, (here / name).relative_to(root).parts)))


def _readable(name: str) -> str:
    """A name that is not UTF-8 comes, as a rule, from an old zip of Windows."""
    try:
        name.encode()
        return name
    except UnicodeEncodeError:
        return os.fsencode(name).decode("cp1252", "replace")


def _file(path: Path, parts: tuple[str, ...]) -> Iterator[Item]:
    try:
        if path.stat(follow_symlinks=False).st_size > MAX_BYTES:
            raise NotReadable(_too_large(parts))
        yield from _sniffed(read_regular(path), Item(parts, when=_saved(path)), None)
    except NotReadable as error:
        yield Item(parts, problem=str(error))


def _saved(path: Path) -> float | None:
    """When a file was saved, where that is another time than when it was put into this folder."""
    about = path.stat()
    return about.st_mtime if about.st_mtime < about.st_ctime - 60 else None


def _sniffed(content: bytes, item: Item, budget: _Budget | None) -> Iterator[Item]:
    """What the file is, by its first bytes: names lie."""
    if content.startswith(ZIP):
        yield from _inner_zip(content, item, budget or _Budget())
    elif kind := next((kind for magic, kind in OTHER_ARCHIVES.items() if content.startswith(magic)), None):
        yield replace(item, problem=f"It is packed with {kind}, which is not read here: unpack it where it lies.")
    elif content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" or ".ipynb" in item.parts[-1].casefold():
        yield replace(item, content=content)
    else:
        yield item


def _inner_zip(content: bytes, item: Item, budget: _Budget) -> Iterator[Item]:
    if item.packed >= DEPTH:
        yield replace(item, problem=f"It is packed more than {DEPTH} times: ask for the notebook itself.")
        return
    try:
        yield from _zip(io.BytesIO(content), item.parts, item.packed + 1, budget)
    except CourseError as error:
        yield replace(item, problem=str(error))


def _zip(file: Path | io.BytesIO, parts: tuple[str, ...], packed: int, budget: _Budget | None) -> Iterator[Item]:
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                name = PurePosixPath(_name(info).replace("\\", "/"))
                if not info.is_dir() and not any(map(_rubbish, name.parts)):
                    item = Item((*parts, *name.parts), packed=packed, when=_packed_when(info))
                    yield from _member(archive, info, item, budget)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise CourseError(f"{'/'.join(parts) or file} is a damaged zip ({error}): ask for it again.") from error


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, item: Item, budget: _Budget | None) -> Iterator[Item]:
    if problem := _refused(info, item):
        yield replace(item, problem=problem)
        return
    try:
        with archive.open(info) as file:
            content = file.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, OSError) as error:
        yield replace(item, problem=f"It is damaged in its archive ({error}): ask for it again.")
        return
    if budget and not budget.spend(len(content)):
        what = f"more than {MAX_FILES} files or {MAX_UNPACKED // 2**20} MiB"
        raise CourseError(
            f"{'/'.join(item.parts[: -len(PurePosixPath(_name(info)).parts)])} unpacks to {what}: refused."
        )
    yield from _sniffed(content, item, budget)


def _refused(info: zipfile.ZipInfo, item: Item) -> str | None:
    """Why a member of a zip is not even read; None if it is."""
    if ".." in item.parts or _name(info).startswith(("/", "\\")) or ":" in item.parts[0][1:2]:
        return "Its name leads out of its archive: refused."
    if stat.S_ISLNK(info.external_attr >> 16):
        return "It is a link to another file, and links are not followed: refused."
    if info.flag_bits & ENCRYPTED:
        return "It is encrypted: ask for it without a password."
    return _too_large(item.parts) if info.file_size > MAX_BYTES else None


def _too_large(parts: tuple[str, ...]) -> str:
    return f"{parts[-1]} has more than {MAX_BYTES // 2**20} MiB: refused."


def _name(info: zipfile.ZipInfo) -> str:
    """Old programs write UTF-8 without saying so, and Python then reads the characters of DOS."""
    if info.flag_bits & UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _packed_when(info: zipfile.ZipInfo) -> float | None:
    try:
        when = datetime(*info.date_time)
    except ValueError:
        return None
    return when.timestamp() if when.year > 1980 else None  # 1980: the format's beginning, so not said


def _rubbish(name: str) -> bool:
    return name.casefold() in RUBBISH or name.startswith("._") or name.startswith("~$")
