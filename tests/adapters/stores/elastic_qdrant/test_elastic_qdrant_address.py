"""What the address of the store says, and what is refused."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("elasticsearch")
pytest.importorskip("opensearchpy")
pytest.importorskip("qdrant_client")

from citewell.adapters.stores.elastic_qdrant.address import Address, parse_address
from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import StoreSetup
from citewell.registry import open_store

BOTH = "http://es:9200,http://qdrant:6333"


def test_an_address_names_both_engines_and_may_have_options() -> None:
    assert parse_address(BOTH) == Address(text="http://es:9200", vectors="http://qdrant:6333")
    given = parse_address(
        "https://ann:s%40cret@es/base/,:memory:?prefix=kb_&timeout=0.5&ca=/ca.pem&dialect=opensearch&exact=false"
    )
    assert given == Address(
        text="https://es/base",
        vectors=":memory:",
        user="ann",
        password="s@cret",
        prefix="kb_",
        timeout=0.5,
        ca="/ca.pem",
        dialect="opensearch",
        exact=False,
    )
    assert "s@cret" not in repr(given)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("", "both engines"),
        ("http://es:9200", "both engines"),
        ("es:9200,http://qdrant:6333", "first address"),
        ("http://es:port,http://qdrant:6333", "first address"),
        ("http://es:9200,qdrant:6333", "second address"),
        ("http://es:9200,http://ann:x@qdrant:6333", "QDRANT_API_KEY"),
        (f"{BOTH}?prefx=a", "prefix"),
        (f"{BOTH}?prefix=Kb*", "prefix"),
        (f"{BOTH}?timeout=soon", "timeout"),
        (f"{BOTH}?timeout=0", "timeout"),
        (f"{BOTH}?dialect=solr", "opensearch"),
        (f"{BOTH}?exact=maybe", "true, false"),
    ],
)
def test_an_address_that_cannot_be_is_refused_with_the_reason(rest: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        parse_address(rest)


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("citewell.adapters.stores.elastic_qdrant")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    with pytest.raises(MissingExtra, match=r"pip install 'citewell\[elastic\]'"):
        open_store(f"elastic+qdrant:{BOTH}", StoreSetup())
