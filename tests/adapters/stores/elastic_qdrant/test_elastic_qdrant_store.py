"""The conformance suite over an Elasticsearch-compatible engine and Qdrant."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewell.core.ports import Store, StoreSetup
from citewell.testing.store_samples import count_words
from citewell.testing.store_suite import StoreSuite


class TestElasticQdrantStore(StoreSuite):
    @pytest.fixture(autouse=True)
    def _place(self, place: str) -> None:
        self.place = place

    def open_store(self, folder: Path) -> Store:
        from citewell.adapters.stores.elastic_qdrant.address import parse_address
        from citewell.adapters.stores.elastic_qdrant.store import ElasticQdrantStore

        return ElasticQdrantStore(parse_address(self.place), StoreSetup(), analyze=count_words)
