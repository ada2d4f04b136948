"""The conformance suites of ``Store``: what the port promises, as tests that every implementation passes.

    class TestMyStore(StoreSuite):
        def open_store(self, folder: Path) -> Store:
            return MyStore(folder, analyze=count_words)

A store whose ``exact_isolation`` is true passes `ExactStoreSuite`, which holds more rules.
Needs pytest, with its asynchronous tests run by anyio.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citewell.core.ports import Store
from citewell.testing.store_access import AccessRules
from citewell.testing.store_exactness import ExactDenseRules, ExactLexicalRules
from citewell.testing.store_filters import FieldRules, FilterRules, ListingRules
from citewell.testing.store_ranking import DenseRules, LexicalRules, VisibilityRules
from citewell.testing.store_writing import QueueRules, WritingRules


@pytest.mark.anyio
class StoreSuite(
    LexicalRules, DenseRules, FilterRules, FieldRules, ListingRules, VisibilityRules, WritingRules, QueueRules, AccessRules
):
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


@pytest.mark.anyio
class ExactStoreSuite(StoreSuite, ExactLexicalRules, ExactDenseRules):
    """The same for a store that computes scores itself, from what the reader may see and nothing else."""
