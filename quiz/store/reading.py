"""Reads a progress file as far as it can be read, and only what is new in it since the last time."""

import codecs
import errno
import json
import re
import stat
from pathlib import Path

from quiz.errors import QuizError
from quiz.event import Event, from_json

LONGEST_LINE = 1_000_000
_GUARD = 256  # bytes before the place reached, to see that nobody changed what was read
_OWN_LINE = re.compile(r'\{"id": ?"[0-9a-f]{32}"')
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Reader:
    """Follows a growing file. `damaged` says that it holds what is no line of a log."""

    def __init__(self, path: Path):
        self.path = path
        self._forget()

    def refresh(self) -> bool:
        """Reads what is new; whether anything was. Raises OSError when the file cannot be read."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return self._vanished()
        if not stat.S_ISREG(found.st_mode):  # reading a pipe would wait for ever
            raise OSError(errno.EINVAL, "it is not a file")
        mark = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if mark == self._mark:
            return False
        before = len(self.events)
        fresh = self._continue(mark) if self._mark else self._start()
        self._mark = mark
        return fresh or len(self.events) != before

    def _vanished(self) -> bool:
        if not self.path.parent.is_dir():  # a drive that is not there now: what was read is still true
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(self.path.parent))
        had = bool(self.events)
        self._forget()
        return had

    def _continue(self, mark: tuple) -> bool:
        if self._mark[:2] == mark[:2] and mark[2] >= self._reached:
            with self.path.open("rb") as file:
                file.seek(self._reached - len(self._guard))
                if file.read(len(self._guard)) == self._guard:
                    self._take(file.read())
                    return False
        return self._start()

    def _start(self) -> bool:
        data = self.path.read_bytes()
        self._forget()
        self._take(data)
        return True

    def _forget(self) -> None:
        self.events: list[Event] = []
        self.damaged = False
        self._ids: set[str] = set()
        self._mark, self._reached, self._guard = None, 0, b""

    def _take(self, data: bytes) -> None:
        lines, clean = readable(data)
        self.damaged |= not clean
        for event in filter(None, map(from_json, lines)):
            if event.id not in self._ids:
                self._ids.add(event.id)
                self.events.append(event)
        # A line without its end is read again: it may be in the midst of being written.
        done = data.rfind(b"\n") + 1
        self._reached += done
        self._guard = (self._guard + data[:done])[-_GUARD:]


def read_log(path: Path) -> list[Event]:
    """The events of a log, for a report: it is left as it is. Raises QuizError for what cannot be read."""
    reader = Reader(path)
    try:
        reader.refresh()
        if not path.exists():
            raise FileNotFoundError(errno.ENOENT, "there is no such file")
    except OSError as error:
        raise QuizError(f"The log {path} cannot be read: {error.strerror}.") from None
    if reader.damaged and not reader.events:
        raise QuizError(f"{path} is not a log of the quiz: no line of it can be read.")
    return reader.events


def readable(data: bytes) -> tuple[list[bytes], bool]:
    """Every line that can be read, those of newer versions included, and whether that is all there is."""
    if data.startswith(_UTF16) and (kept := readable(data.decode("utf-16", "replace").encode())[0]):
        return kept, False  # an editor has saved it so
    *lines, last = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
    kept, clean = [], True
    for line in filter(None, map(bytes.strip, lines)):
        found = [line] if is_line(line) else _pieces(line)
        clean &= found == [line]
        kept += found
    return kept + ([last] if is_line(last) else []), clean


def is_line(line: bytes) -> bool:
    """Whether it is a line of a log: an event, or an object of a newer version."""
    if len(line) > LONGEST_LINE:
        return False
    if from_json(line):
        return True
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _pieces(line: bytes) -> list[bytes]:
    """The whole events within a damaged line: after half of another one, after junk."""
    text, found, end = line.decode("utf-8", "replace"), [], 0
    for match in _OWN_LINE.finditer(text):
        if match.start() >= end:
            try:
                _, end = json.JSONDecoder().raw_decode(text, match.start())
            except (ValueError, RecursionError):
                continue
            found.append(text[match.start() : end].encode())
    return [piece for piece in found if is_line(piece)]
