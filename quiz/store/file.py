"""A log in a file: lines of JSON, only ever added to, by any number of processes at once.

Writers hold a lock; readers need none. A damaged file is copied aside, and one with all that can be read takes
its place in one step.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock

from quiz.event import Event
from quiz.store.base import StoreError
from quiz.store.reading import Reader, is_line, readable
from quiz.store.trouble import explained
from quiz.store.writing import add, create, replace

PATIENCE = 2.0  # seconds to wait for the lock, which others hold for milliseconds
PAUSE = 1.0  # seconds until reading tries again to write what could not be written


class FileStore:
    """Keeps events in the file `path`, which need not exist; its folder must.

    `trouble` says why events are in memory only; it is None when all are in the file.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), patience: float = PATIENCE
    ):
        # Beside the file itself, not beside a link to it, two programs find the same lock.
        self.path, self._clock, self._patience = Path(os.path.realpath(path)), clock, patience
        self.trouble: str | None = None
        self._reader, self._all, self._stale = Reader(self.path), (), False
        self._unwritten: list[Event] = []
        self._failed_at = -PAUSE

    def append(self, event: Event) -> None:
        """Writes an event, and those that could not be written before. Raises StoreError; then it is in memory."""
        self._unwritten.append(event)
        self._stale = True
        self.flush()

    def flush(self, patience: float | None = None) -> None:
        """Writes what is in memory only; waits at most `patience` seconds for others. Raises StoreError."""
        try:
            with self._locked(patience):
                self._set_aside_if_damaged()
                add(self.path, [event.to_json().encode() for event in self._unwritten])
                self._unwritten, self.trouble = [], None
                self._refresh()  # what is kept is shown even if the drive goes away now
        except StoreError as error:
            self.trouble = str(error) if self._unwritten else None
            self._failed_at = time.monotonic()
            raise

    def events(self) -> Sequence[Event]:
        """All events: those of the file as far as it can be read, then those in memory."""
        self._refresh()
        if (self._reader.damaged or self._unwritten) and time.monotonic() - self._failed_at >= PAUSE:
            with suppress(StoreError):
                self.flush(patience=0)
        if self._stale:
            known = {event.id for event in self._reader.events}
            self._all = (*self._reader.events, *(e for e in self._unwritten if e.id not in known))
            self._stale = False
        return self._all

    def lines(self) -> list[bytes]:
        """The file's lines, those of newer versions included. Raises StoreError."""
        with explained(self.path):
            return readable(self.path.read_bytes())[0] if self.path.exists() else []

    def merge(self, lines: Sequence[bytes]) -> int:
        """Adds the lines that are not there yet; how many that were. Raises StoreError."""
        with self._locked():
            self._set_aside_if_damaged()
            have = set(self.lines())
            new = [line for line in dict.fromkeys(lines) if is_line(line) and line not in have]
            add(self.path, new)
        return len(new)

    def delete(self) -> None:
        """Removes the file and what was set aside beside it. Raises StoreError."""
        with self._locked():
            for path in (self.path, *self.set_aside()):
                path.unlink(missing_ok=True)
            self._unwritten, self.trouble, self._stale = [], None, True

    def set_aside(self) -> list[Path]:
        """The damaged copies beside the file."""
        return sorted(self.path.parent.glob(f"{self.path.stem}.damaged-*{self.path.suffix}"))

    def _refresh(self) -> None:
        with suppress(OSError):  # what was read before is still true; writing will say what is wrong
            self._stale |= self._reader.refresh()

    def _set_aside_if_damaged(self) -> None:
        if self.path.is_dir():
            self.path.rename(self._aside())
        self._stale |= self._reader.refresh()
        if not self._reader.damaged:
            return
        data = self.path.read_bytes()
        lines, clean = readable(data)
        if not clean:
            self.path.open("r+b").close()  # a file that may not be written is not replaced either
            create(self._aside(), data)
            replace(self.path, lines)
        self._reader, self._stale = Reader(self.path), True
        self._reader.refresh()

    def _aside(self) -> Path:
        stamp = self._clock().strftime("%Y%m%dT%H%M%SZ")
        names = (f"{self.path.stem}.damaged-{stamp}{n or ''}{self.path.suffix}" for n in range(1000))
        return next(path for path in map(self.path.with_name, names) if not path.exists())

    @contextmanager
    def _locked(self, patience: float | None = None) -> Iterator[None]:
        with explained(self.path):
            if not self.path.parent.is_dir():  # the lock would make it, on whatever disk is there now
                raise FileNotFoundError(errno.ENOENT, "no such folder")
            lock = self.path.with_name(f".{self.path.name}.lock")
            with FileLock(lock, timeout=self._patience if patience is None else patience, poll_interval=0.005):
                yield
