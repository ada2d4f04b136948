"""Fills a collection as somebody else does who knows nothing of citewell: the published schema, the engine's own analyzer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pymilvus import DataType, Function, FunctionType, MilvusClient

TEXTS = (
    *("document_id", "title", "section_path", "citation_url", "file_path", "doc_type", "version"),
    *("repo_name", "issue_state", "issue_labels"),
    *("resource_kind", "resource_name", "resource_namespace", "file_type"),
)
NUMBERS = ("chunk_index", "release_date", "issue_number")

RELEASES: list[dict[str, Any]] = [
    {
        "document_id": "releases/1.10.md",
        "chunk_index": index,
        "content_text": text,
        "title": "Release 1.10",
        "section_path": "Release 1.10 > Changes",
        "citation_url": "https://example.org/releases/1.10",
        "file_path": "releases/1.10.md",
        "doc_type": "release",
        "version": "1.10",
        "release_date": 1743465600,
        "vector": vector,
    }
    for index, (text, vector) in enumerate([("kettles boil faster", [1.0, 0.0]), ("cups are warmer", [0.8, 0.6])])
]
ISSUE: dict[str, Any] = {
    "document_id": "issue-17",
    "chunk_index": 0,
    "content_text": "the kettle does not boil",
    "citation_url": "https://example.org/issues/17",
    "repo_name": "tea/kettle",
    "issue_number": 17,
    "issue_state": "open",
    "issue_labels": "bug, help wanted",
    "vector": [0.0, 1.0],
}
EVERYTHING = [*RELEASES, ISSUE]


def fill(
    address: str,
    name: str,
    *,
    bm25: bool = True,
    without: tuple[str, ...] = (),
    rows: Sequence[dict[str, Any]] = EVERYTHING,
) -> None:
    """Create the collection ``name`` of the published schema, or of one that lacks something, and fill it with ``rows``."""
    client = MilvusClient(uri=address)
    schema = client.create_schema(auto_id=True, enable_dynamic_field=False)
    indexes = client.prepare_index_params()
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("content_text", DataType.VARCHAR, max_length=65535, enable_analyzer=bm25)
    if "vector" not in without:
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=len(rows[0]["vector"]))
        indexes.add_index("vector", index_type="FLAT", metric_type="COSINE")
    if bm25:
        _add_bm25(schema, indexes)
    for field in set(TEXTS) - set(without):
        schema.add_field(field, DataType.VARCHAR, max_length=2048)
    for field in set(NUMBERS) - set(without):
        schema.add_field(field, DataType.INT64)
    client.create_collection(name, schema=schema, index_params=indexes, consistency_level="Strong")
    empty = dict.fromkeys(TEXTS, "") | dict.fromkeys(NUMBERS, 0)
    whole = ({**empty, **row} for row in rows)
    client.insert(name, [{field: value for field, value in row.items() if field not in without} for row in whole])
    client.close()


def _add_bm25(schema: Any, indexes: Any) -> None:
    schema.add_field("sparse_vector", DataType.SPARSE_FLOAT_VECTOR)
    inputs, outputs = ["content_text"], ["sparse_vector"]
    schema.add_function(
        Function(name="bm25", function_type=FunctionType.BM25, input_field_names=inputs, output_field_names=outputs)
    )
    indexes.add_index("sparse_vector", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
