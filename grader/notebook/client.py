"""nbclient's NotebookClient, less what a student's kernel should not decide: how much is kept, and for whom."""

import asyncio
import json
import logging
import time
from collections.abc import Callable

import zmq
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.notebook.runner import Limits
from grader.probe import RECORD_MIME

KEPT = ("stream", "display_data", "execute_result", "error")
# No widgets and no updates of other cells' outputs: both let one cell reach into another one's.
PASSED = (*KEPT, "status", "clear_output", "execute_input")
# Timeouts and deaths are results; the batch says so once, in words.
SILENT = logging.Logger("nbclient", logging.CRITICAL + 1)
ANSWER, SUBSCRIBED = 1.0, 0.5  # seconds until a kernel that has not answered, or not to us, is asked again
OVERHEAD = 200  # bytes an output costs beyond its data: a million empty ones are many, too


class Client(NotebookClient):
    """Runs all cells, whatever they raise. `running` is the id of the cell being run, None before and after.

    Where they are so, a cell's metadata get notes under `run`: `timed_out` (it was interrupted), `cut` (outputs
    over the limit were dropped) and `failed` (it raised, and showing the error was prevented).
    """

    def __init__(self, nb: NotebookNode, manager: AsyncKernelManager, limits: Limits):
        super().__init__(
            nb,
            km=manager,
            allow_errors=True,
            interrupt_on_timeout=True,
            record_timing=False,
            store_widget_state=False,
            skip_cells_with_tag="",
            log=SILENT,
        )
        self.limits, self.on_cell_executed = limits, _note_failure
        self.running: str | None = None
        self._total = limits.total_bytes

    async def connect(self) -> None:
        """Waits until the kernel answers. Raises RuntimeError if it does not."""
        self.kc = self.km.client()
        # A larger message is dropped where it arrives, before it takes this process's memory.
        self.kc.context.setsockopt(zmq.MAXMSGSIZE, self.limits.record_bytes)
        self.kc.start_channels(hb=False)  # whether the kernel lives, its manager knows
        await self._ready(time.monotonic() + self.limits.startup_seconds)
        self.kc.allow_stdin = False

    async def _ready(self, deadline: float) -> None:
        """Until a question is answered, and the channel of outputs has told of it. (jupyter_client's wait_for_ready
        then listens for 0.2 s to silence, which with a kernel this quick is half of a notebook's time.)"""
        while True:
            asked = self.kc.kernel_info()
            answered = await self._told(asked, self.kc.get_shell_msg, "kernel_info_reply", ANSWER)
            if answered and await self._told(asked, self.kc.get_iopub_msg, "idle", SUBSCRIBED):
                return
            if not await self.km.is_alive():
                raise RuntimeError("it ended before it answered")
            if time.monotonic() > deadline:
                raise TimeoutError(f"it did not answer within {self.limits.startup_seconds:g} s")

    async def _told(self, asked: str, receive: Callable, what: str, seconds: float) -> bool:
        """Whether a message of this type, or a status of this name, comes in answer to `asked`."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    told = await receive()
                    names = told["msg_type"], told["content"].get("execution_state")
                    if told["parent_header"].get("msg_id") == asked and what in names:
                        return True
        except TimeoutError:
            return False

    async def run_cells(self) -> None:
        for index, cell in enumerate(self.nb.cells):
            if cell.cell_type == "code":
                self._begin(cell)
                await self.async_execute_cell(cell, index)
                if not self._heard:
                    await self._listen_again(cell)
        self.running = None

    def _begin(self, cell: NotebookNode) -> None:
        self.running, self._heard = cell.id, False
        graded = cell.metadata.get("nbgrader", {}).get("grade")
        # What a graded cell shows decides, so that an earlier one must not have used up its room.
        self._room = self.limits.output_bytes if graded else min(self.limits.output_bytes, self._total)
        # One record is what a check gives; a second one is kept as evidence. Nothing else gives records.
        self._records = 2 if graded else 0

    async def _listen_again(self, cell: NotebookNode) -> None:
        """The kernel has answered, but the end of its outputs never came: a message that was too large has
        closed the connection. The cells to come must be heard again."""
        _note(cell, "cut")
        self.kc.stop_channels()
        await self.connect()

    def _get_timeout(self, cell: NotebookNode | None) -> float:
        mark = cell.metadata.get("nbgrader", {}) if cell is not None else {}
        # A lesson's setup is no student's work: it imports torch, which takes what the machine makes it take.
        setup = mark.get("locked") and not mark.get("grade")
        return self.limits.startup_seconds if setup else self.limits.cell_seconds

    async def _async_handle_timeout(self, timeout, cell: NotebookNode | None = None):
        if cell is not None:
            _note(cell, "timed_out")
        return await super()._async_handle_timeout(timeout, cell)

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int):
        kind = msg["msg_type"]
        if kind not in PASSED:
            return None
        if kind == "status":
            self._heard = msg["content"]["execution_state"] == "idle"
        if kind in KEPT:
            msg["content"].pop("transient", None)
            if not self._fits(msg["content"]):
                _note(cell, "cut")
                if not self._shortened(msg["content"]):
                    return None
        return super().process_message(msg, cell, cell_index)

    def _fits(self, content: dict) -> bool:
        if RECORD_MIME in content.get("data", {}):
            self._records -= 1
            return self._records >= 0
        size = OVERHEAD + len(json.dumps(content))
        self._room -= size
        self._total -= size if self._room >= 0 else 0
        return self._room >= 0

    def _shortened(self, content: dict) -> bool:
        """Whether something of an output that does not fit can be kept: the start of a text."""
        left = self._room + OVERHEAD + len(json.dumps(content))
        if left <= OVERHEAD or not isinstance(content.get("text"), str):
            return False
        content["text"] = content["text"][:left]
        self._total -= left
        return True


def _note_failure(cell: NotebookNode, cell_index: int, execute_reply: dict | None) -> None:
    shown = any(output.output_type == "error" for output in cell.outputs)
    if execute_reply and execute_reply["content"]["status"] == "error" and not shown:
        _note(cell, "failed")


def _note(cell: NotebookNode, what: str) -> None:
    cell.metadata.setdefault("run", {})[what] = True
