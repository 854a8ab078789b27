"""Whether freed memory is kept for the next result, or given back to the system and fetched anew."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator

# mallopt's parameters in the GNU C library, and the values it starts with.
TRIM_THRESHOLD, MMAP_MAX = -1, -4
USUAL = {TRIM_THRESHOLD: 128 * 1024, MMAP_MAX: 65536}
KEEPING = {TRIM_THRESHOLD: -1, MMAP_MAX: 0}


@contextlib.contextmanager
def freed_memory_kept() -> Iterator[bool]:
    """Inside, what a tensor gave back is used again at once. Yields whether that can be had here.

    The GNU C library hands large pieces back to the system, which has to clear every page before it lends it again:
    for a large tensor that can take longer than the operation. On a GPU PyTorch keeps memory by itself.
    """
    library = _gnu()
    if library is None:
        yield False
        return
    for name, value in KEEPING.items():
        library.mallopt(name, value)
    try:
        yield True
    finally:
        for name, value in USUAL.items():
            library.mallopt(name, value)
        library.malloc_trim(0)


def _gnu():
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None
