"""Engines for the tests of this folder: each that holds texts in its turn, and Qdrant's local mode or a server.

``CITEWELL_TEST_ELASTIC``, ``CITEWELL_TEST_OPENSEARCH`` and ``CITEWELL_TEST_QDRANT`` name servers to be used instead.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest
from running_engines import running

ENGINES = ("noida", "elasticsearch", "opensearch")


@pytest.fixture(scope="session", params=ENGINES)
def elastic(request: pytest.FixtureRequest) -> Iterator[str]:
    """Lend the address of an engine: one that stands in for Elasticsearch, a node of it, a node of OpenSearch."""
    for package in ("elasticsearch", "opensearchpy", "qdrant_client"):
        pytest.importorskip(package)
    with running(request.param) as address:
        yield address


@pytest.fixture(scope="session")
def qdrant() -> str:
    """Lend the address of Qdrant, or of its local mode."""
    return os.environ.get("CITEWELL_TEST_QDRANT") or ":memory:"


@pytest.fixture
def prefix(elastic: str) -> Iterator[str]:
    """Lend a beginning of names that no other test uses, and take away the indexes that have it: nodes bear a thousand."""
    from citewell.adapters.stores.elastic_qdrant.layout import Names

    prefix = f"t{uuid.uuid4().hex[:12]}_"
    yield prefix
    names = ",".join(name for name, _ in Names(prefix).indexes())
    urlopen(Request(f"{elastic}/{names}?ignore_unavailable=true", method="DELETE")).close()


@pytest.fixture
def place(elastic: str, qdrant: str, prefix: str) -> str:
    """Lend the address of an empty store."""
    return f"{elastic},{qdrant}?prefix={prefix}&timeout=30"
