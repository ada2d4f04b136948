"""The collections in Milvus, their fields and their names."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pymilvus import DataType, Function, FunctionType, MilvusClient
from pymilvus.exceptions import MilvusException

from citewell.adapters.stores.keywords import identity

logger = logging.getLogger(__name__)

LONGEST: Final = 65_535
"""The most bytes that Milvus takes for a text."""

KEY: Final = 64
MOST_KEYS: Final = 4_096
"""The most values that Milvus takes in one array."""

TEXTS: Final = (
    "document_id",
    "title",
    "section_path",
    "citation_url",
    "file_path",
    "doc_type",
    "version",
    "repo_name",
    "issue_state",
    "issue_labels",
    "resource_kind",
    "resource_name",
    "resource_namespace",
    "file_type",
    "exact",
    "chunk",
    "info",
)
"""What is given back: the fields of the contract, then what a chunk is made of again."""

NUMBERS: Final = ("chunk_index", "release_date", "issue_number", "window")
KEYS: Final = ("file", "generation", "chunk_key", "passage", "model")
RECORD_TEXTS: Final = ("name", "entry", "info", "text")
RECORD_KEYS: Final = ("kind", "source", "doc", "file", "generation", "model")
FLAGS: Final = ("held", "pinned", "settled", "wanted")

CHUNKS_LOOKED_UP: Final = ("acl", "facets", "file", "passage", "chunk_key")
RECORDS_LOOKED_UP: Final = ("acl", "facets", "kind", "source", "doc", "file")

PLACEHOLDER: Final = (1.0, 0.0)
"""The vector of records, which are never searched by it: Milvus has no collection without one."""


@dataclass(frozen=True, slots=True)
class Names:
    """What everything is called under one prefix."""

    prefix: str

    @property
    def records(self) -> str:
        """The collection of files, texts, states and the queue of passages."""
        return f"{self.prefix}citewell_records"

    def chunks(self, collection: str) -> str:
        """Return the collection that holds the chunks of ``collection``: its own name where Milvus takes it."""
        name = self.prefix + collection
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,200}", name) and name != self.records:
            return name
        return f"{self.prefix}c_{re.sub(r'[^A-Za-z0-9_]', '_', collection)[:80]}_{identity(collection)[:12]}"


def create_chunks(client: MilvusClient, timeout: float, *, name: str, dimension: int, index: str) -> None:
    """Create a collection of chunks.

    ``content_text`` to ``file_type`` are those of the contract. BM25 is computed by Milvus over ``terms``, our own analysis.
    """
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    _add_texts(schema, ("content_text", *TEXTS))
    schema.add_field("terms", DataType.VARCHAR, max_length=LONGEST, enable_analyzer=True, analyzer_params=TOKENIZER)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    schema.add_field("sparse_vector", DataType.SPARSE_FLOAT_VECTOR)
    for number in NUMBERS:
        schema.add_field(number, DataType.INT64)
    _add_keys(schema, KEYS)
    schema.add_function(
        Function(
            name="bm25",
            function_type=FunctionType.BM25,
            input_field_names=["terms"],
            output_field_names=["sparse_vector"],
        )
    )
    indexes = client.prepare_index_params()
    indexes.add_index("vector", index_type=index, metric_type="COSINE", params=INDEX_PARAMETERS.get(index, {}))
    indexes.add_index("sparse_vector", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=BM25)
    _create(client, timeout, name, schema, indexes, CHUNKS_LOOKED_UP)


def create_records(client: MilvusClient, timeout: float, *, name: str) -> None:
    """Create the collection of records."""
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    _add_texts(schema, RECORD_TEXTS)
    _add_keys(schema, RECORD_KEYS)
    for flag in FLAGS:
        schema.add_field(flag, DataType.BOOL)
    for number in ("order", "count"):
        schema.add_field(number, DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=len(PLACEHOLDER))
    indexes = client.prepare_index_params()
    indexes.add_index("vector", index_type="FLAT", metric_type="L2")
    _create(client, timeout, name, schema, indexes, RECORDS_LOOKED_UP)


TOKENIZER: Final = {"tokenizer": "standard"}
K1: Final = 2.0
"""The most that Milvus takes: occurrences stop counting sooner than in our own BM25."""

BM25: Final = {"bm25_k1": K1, "bm25_b": 0.5}
INDEX_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "HNSW": {"M": 32, "efConstruction": 200},
    "IVF_FLAT": {"nlist": 1024},
    "IVF_SQ8": {"nlist": 1024},
}


def _create(client: MilvusClient, timeout: float, name: str, schema: Any, indexes: Any, looked_up: Sequence[str]) -> None:
    """Create a collection that is empty: its indexes are there at once, and nobody need wait half a second for each.

    ``looked_up`` are the fields that conditions look at. Milvus Lite has no index for some, and compares with every row.
    """
    client.create_collection(name, schema=schema, consistency_level="Strong", timeout=timeout)
    client.create_index(name, indexes, timeout=timeout, sync=False)
    for field in looked_up:
        inverted = client.prepare_index_params()
        inverted.add_index(field, index_type="INVERTED")
        try:
            client.create_index(name, inverted, timeout=timeout, sync=False)
        except MilvusException as refusal:
            logger.debug("Milvus has no index for %s: %s", field, refusal)


def _add_texts(schema: Any, names: tuple[str, ...]) -> None:
    for name in names:
        schema.add_field(name, DataType.VARCHAR, max_length=LONGEST)


def _add_keys(schema: Any, names: tuple[str, ...]) -> None:
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=KEY)
    for name in names:
        schema.add_field(name, DataType.VARCHAR, max_length=KEY)
    for name in ("acl", "facets"):
        schema.add_field(name, DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=MOST_KEYS, max_length=KEY)
