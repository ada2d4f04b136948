"""Engines for the tests of this folder: each that holds texts in its turn, and Qdrant's core or its client's local mode.

``TEST_ELASTIC``, ``TEST_OPENSEARCH`` and ``TEST_QDRANT`` name servers to be used instead.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest
from running_engines import running

NODES = ("elasticsearch", "opensearch")
"""Slow to create the indexes of each test: the suite asks them what it asks of examples, `make test-engines` everything."""
ENGINES = ("noida", *(NODES if "TEST_ALL_ENGINES" in os.environ else ()))


@pytest.fixture(scope="session", params=ENGINES)
def elastic(request: pytest.FixtureRequest) -> Iterator[str]:
    """Lend the address of an engine: one that stands in for Elasticsearch, a node of it, a node of OpenSearch."""
    for package in ("elasticsearch", "opensearchpy", "qdrant_client"):
        pytest.importorskip(package)
    with running(request.param) as address:
        yield address


@pytest.fixture(scope="session")
def core() -> Iterator[str]:
    """Lend the address of Qdrant, or of its core."""
    with running("qdrant") as address:
        yield address


@pytest.fixture
def qdrant(request: pytest.FixtureRequest) -> str:
    """Lend the address of Qdrant or of its core and, beside nodes that have enough to do, of the client's local mode."""
    quick = request.node.callspec.params["elastic"] == "noida"
    address: str = request.getfixturevalue("core") if quick or os.environ.get("TEST_QDRANT") else ":memory:"
    return address


@pytest.fixture
def prefix(elastic: str, qdrant: str) -> Iterator[str]:
    """Lend a beginning of names that no other test uses, and take away what has it: nodes bear a thousand indexes."""
    from citewell.adapters.stores.elastic_qdrant.layout import Names

    prefix = f"t{uuid.uuid4().hex[:12]}_"
    yield prefix
    names = ",".join(name for name, _ in Names(prefix).indexes())
    urlopen(Request(f"{elastic}/{names}?ignore_unavailable=true", method="DELETE")).close()
    if qdrant.startswith("http"):
        drop_collections(qdrant, prefix)


def drop_collections(qdrant: str, prefix: str) -> None:
    with urlopen(f"{qdrant}/collections") as answer:
        names = [collection["name"] for collection in json.load(answer)["result"]["collections"]]
    for name in names:
        if name.startswith(prefix):
            urlopen(Request(f"{qdrant}/collections/{name}", method="DELETE")).close()


@pytest.fixture
def place(elastic: str, qdrant: str, prefix: str) -> str:
    """Lend the address of an empty store."""
    return f"{elastic},{qdrant}?prefix={prefix}&timeout=30"
