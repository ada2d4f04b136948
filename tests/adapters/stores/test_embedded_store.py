from __future__ import annotations

from pathlib import Path

from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.ports import Store
from citewell.testing.store_samples import count_words
from citewell.testing.store_suite import ExactStoreSuite


class TestEmbeddedStore(ExactStoreSuite):
    def open_store(self, folder: Path) -> Store:
        return EmbeddedStore(folder, analyze=count_words, version="words")
