"""Engines for the tests of this folder: Milvus Lite in its two kinds, or a server that ``TEST_MILVUS`` names."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import pytest
from running_engines import running

ENGINES = ("milvus", "milvus-2.5")


@pytest.fixture(scope="session", params=ENGINES)
def milvus(request: pytest.FixtureRequest) -> Iterator[str]:
    """Lend the address of an engine: pure Python in one kind, Milvus' own C++ core in the other."""
    pytest.importorskip("pymilvus")
    with running(request.param) as address:
        yield address


@pytest.fixture
def milvus_kind(milvus: str, request: pytest.FixtureRequest) -> str:
    """Lend the name of the engine's kind; a server counts as Milvus' own core."""
    kind: str = request.node.callspec.params["milvus"]
    return "milvus-2.5" if os.environ.get("TEST_MILVUS") else kind


@pytest.fixture
def prefix(milvus: str) -> Iterator[str]:
    """Lend a beginning of names that no other test uses, and take away the collections that have it."""
    from pymilvus import MilvusClient

    prefix = f"t{uuid.uuid4().hex[:12]}_"
    yield prefix
    client = MilvusClient(uri=milvus)
    for name in client.list_collections():
        if name.startswith(prefix):
            client.drop_collection(name)
    client.close()


@pytest.fixture
def place(milvus: str, prefix: str) -> str:
    """Lend the address of an empty store."""
    return f"{milvus}?prefix={prefix}&timeout=30"
