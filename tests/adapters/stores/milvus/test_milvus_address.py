"""What the address of the store says, and what is refused."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("pymilvus")

from citewell.adapters.stores.milvus.address import Address, parse_address
from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import StoreSetup
from citewell.registry import open_store


def test_an_address_names_a_server_and_may_have_options() -> None:
    assert parse_address("http://milvus:19530") == Address(uri="http://milvus:19530")
    given = parse_address("https://milvus.example.org/?prefix=kb_&timeout=0.5&index=hnsw&database=team&ca=/ca.pem")
    assert given == Address(
        uri="https://milvus.example.org", prefix="kb_", timeout=0.5, index="HNSW", database="team", ca="/ca.pem"
    )


def test_an_address_may_be_a_file() -> None:
    file = parse_address("/data/kb.db?prefix=kb_")
    assert file == Address(uri="/data/kb.db", prefix="kb_")
    assert not file.remote


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("", "address of a server"),
        ("milvus:19530", "address of a server"),
        ("./folder", "address of a server"),
        ("http://", "no address"),
        ("http://milvus:port", "no address"),
        ("http://milvus:19530/path", "no address"),
        ("http://root:secret@milvus:19530", "MILVUS_TOKEN"),
        ("http://milvus:19530?prefx=a", "prefix"),
        ("http://milvus:19530?prefix=1a", "prefix"),
        ("http://milvus:19530?prefix=a-b", "prefix"),
        ("http://milvus:19530?timeout=soon", "timeout"),
        ("http://milvus:19530?timeout=0", "timeout"),
        ("http://milvus:19530?index=DISKANN", "FLAT"),
        ("http://milvus:19530?database=a%20b", "database"),
    ],
)
def test_an_address_that_cannot_be_is_refused_with_the_reason(rest: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as caught:
        parse_address(rest)
    assert "secret" not in caught.value.message


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("citewell.adapters.stores.milvus")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    with pytest.raises(MissingExtra, match=r"pip install 'citewell\[milvus\]'"):
        open_store("milvus:http://milvus:19530", StoreSetup())
