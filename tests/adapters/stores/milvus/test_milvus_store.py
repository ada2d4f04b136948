"""The conformance suite over both kinds of Milvus Lite, or over a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewell.core.ports import Store, StoreSetup
from citewell.testing.store_samples import count_words
from citewell.testing.store_suite import StoreSuite


async def two() -> int:
    return 2


class TestMilvusStore(StoreSuite):
    @pytest.fixture(autouse=True)
    def _place(self, place: str) -> None:
        self.place = place

    def open_store(self, folder: Path) -> Store:
        from citewell.adapters.stores.milvus.address import parse_address
        from citewell.adapters.stores.milvus.store import MilvusStore

        return MilvusStore(parse_address(self.place), StoreSetup(dimension=two), analyze=count_words)

    async def test_filters_leave_statistics_alone(
        self, store: Store, request: pytest.FixtureRequest, milvus_kind: str
    ) -> None:
        """Milvus Lite in pure Python counts over what a filter leaves; Milvus' own core counts over everything."""
        if milvus_kind == "milvus":
            request.applymarker(pytest.mark.xfail(reason="statistics of what the filter leaves", strict=True))
        await super().test_filters_leave_statistics_alone(store)
