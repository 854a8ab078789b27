"""Where a person's events are kept. What follows from them is not here: see `quiz.session` and `quiz.schedule`."""

from quiz.store.base import MemoryStore, Store, StoreError
from quiz.store.file import FileStore
from quiz.store.place import person, place
from quiz.store.reading import read_log

__all__ = ["FileStore", "MemoryStore", "Store", "StoreError", "person", "place", "read_log"]
