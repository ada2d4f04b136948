"""What kind of code a chunk is can be filtered by, beside what it says of its resource."""

from __future__ import annotations

import pytest

from citewell.core.access import OPEN_POLICY
from citewell.core.model import StoredChunk
from citewell.core.ports import Contents, Replace, SourceFile
from citewell.ingest.indexing import Recipe, index_file
from citewell.text.redaction import Redactor

MANIFEST = b"apiVersion: v1\nkind: Service\nmetadata:\n  name: tea\n  namespace: kitchen\n"


def index(path: str, data: bytes) -> StoredChunk:
    recipe = Recipe(
        source="s", collection="c", chunker="code", ids="path", policy=lambda: OPEN_POLICY, redactor=Redactor(b"k" * 32)
    )
    contents = Contents(SourceFile(path=path, fingerprint="1", size=len(data)), data)
    change = index_file(contents, recipe, acl=frozenset(), permalink="", commit="").change
    assert isinstance(change, Replace)
    return StoredChunk(change.chunks[0], change.document.info)


@pytest.mark.parametrize(
    ("path", "expected"), [("a.yaml", "yaml"), ("a.py", "python"), ("a.go", "go"), ("a.md", None), ("LICENSE", None)]
)
def test_code_has_its_kind_as_a_field_and_prose_has_none(path: str, expected: str | None) -> None:
    assert index(path, b"x = 1\n").field("file_type") == expected


def test_a_manifest_has_the_fields_of_its_resource_too() -> None:
    stored = index("a.yaml", MANIFEST)
    names = ("resource_kind", "resource_name", "resource_namespace", "file_type")
    assert [stored.field(name) for name in names] == ["Service", "tea", "kitchen", "yaml"]
