"""A clock for a blank page. It shows the time since it was made, and nothing depends on it."""

from pathlib import Path
from time import monotonic

import anywidget


class Clock(anywidget.AnyWidget):
    """Counts up in the page; `stop` keeps the time. A page asks for the seconds: its machine's clock may differ."""

    _esm = Path(__file__).with_name("clock.js")

    def __init__(self):
        super().__init__()
        self._start, self._end = monotonic(), None
        self.on_msg(lambda _widget, _message, _buffers: self._tell())

    @property
    def seconds(self) -> float:
        """Since the clock was made, or until it was stopped."""
        return (monotonic() if self._end is None else self._end) - self._start

    def stop(self) -> float:
        """Stops it, once, and returns the seconds."""
        if self._end is None:
            self._end = monotonic()
            self._tell()
        return self.seconds

    def _tell(self) -> None:
        self.send({"seconds": self.seconds, "runs": self._end is None})

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": "A clock. It runs in JupyterLab."}, metadata


def in_words(seconds: float) -> str:
    """3 minutes 5 seconds."""
    minutes, rest = divmod(int(seconds), 60)
    parts = [(minutes, "minute")] * bool(minutes) + [(rest, "second")]
    return " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts)
