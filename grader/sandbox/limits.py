"""What one kernel, with all the processes it starts, may use."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Caps:
    """The limits of one kernel.

    memory_bytes    on top of what a kernel with everything imported takes; of all its processes together
    processes       and threads, at any time
    scratch_bytes   of files in its private folders, and as much again in shared memory
    file_bytes      of any one file
    cpu_seconds     of any one process
    open_files      at any time, of any one process
    """

    memory_bytes: int = 2 * 2**30
    processes: int = 64
    scratch_bytes: int = 64 * 2**20
    file_bytes: int = 64 * 2**20
    cpu_seconds: int = 600
    open_files: int = 256

    def to_json(self) -> dict[str, int]:
        return asdict(self)
