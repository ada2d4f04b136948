"""The conformance suite of ``Store``: what the port promises, as tests that every implementation passes.

    class TestMyStore(StoreSuite):
        def open_store(self, folder: Path) -> Store:
            return MyStore(folder, analyze=count_words)

Needs pytest, with its asynchronous tests run by anyio.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citewell.core.ports import Store
from citewell.testing.store_access import AccessRules
from citewell.testing.store_ranking import DenseRules, FilterRules, LexicalRules, VisibilityRules
from citewell.testing.store_writing import QueueRules, WritingRules


@pytest.mark.anyio
class StoreSuite(LexicalRules, DenseRules, FilterRules, VisibilityRules, WritingRules, QueueRules, AccessRules):
    """Subclass it and say how the store is opened; its analyzer must be ``store_samples.count_words``."""

    def open_store(self, folder: Path) -> Store:
        """Return a new store of the kind under test, kept in ``folder``."""
        raise NotImplementedError

    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        """Lend an empty store to a test."""
        store = self.open_store(tmp_path / "store")
        yield store
        await store.close()
