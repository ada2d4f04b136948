from __future__ import annotations

from pathlib import Path

from citewell.core.ports import Store
from citewell.testing.memory_store import MemoryStore
from citewell.testing.store_samples import count_words
from citewell.testing.store_suite import ExactStoreSuite


class TestMemoryStore(ExactStoreSuite):
    def open_store(self, folder: Path) -> Store:
        return MemoryStore(analyze=count_words)
