"""Small documents, vectors and questions that tests of stores are written with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citewell.core.access import PUBLIC, Tokens
from citewell.core.model import NO_METADATA, Chunk, ChunkId, Document, DocumentInfo, LedgerEntry, Lines, Window
from citewell.core.ports import Candidates, DenseQuery, LexicalQuery, Replace, Store
from citewell.core.requests import NO_FILTERS, Filters
from citewell.text.terms import TermVector

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

MODEL = "sample"
ANYONE: Tokens = frozenset({PUBLIC})


def count_words(chunk: Chunk, info: DocumentInfo) -> TermVector:
    """Return the words of ``chunk`` between blanks, each counting one: an analyzer whose scores can be checked by hand."""
    words = chunk.text.split()
    return TermVector({word: float(count) for word, count in Counter(words).items()}, float(len(words)))


def sample_info(
    path: str, *, source: str = "handbook", metadata: Mapping[str, str] = NO_METADATA, **fields: str
) -> DocumentInfo:
    """Return a description of the document at ``path``, with ``fields`` in place of the defaults."""
    given: dict[str, Any] = {"id": path, "title": "", "language": "en", "kind": "markdown", "collection": "docs"}
    permalink = f"https://example.org/{path}"
    return DocumentInfo(source=source, path=path, permalink=permalink, metadata=metadata, **{**given, **fields})


def sample(
    path: str,
    *texts: str,
    acl: Sequence[str] = (PUBLIC,),
    windows: int = 1,
    ids: Sequence[str] = (),
    source: str = "handbook",
    metadata: Mapping[str, str] = NO_METADATA,
    own: Sequence[Mapping[str, str]] = (),
    **fields: str,
) -> Replace:
    """Return the change that stores a document whose chunks are ``texts``, each cut into so many equal ``windows``.

    ``metadata`` is the document's, ``own`` that of its chunks.
    """
    info = sample_info(path, source=source, metadata=metadata, **fields)
    chunks: list[Chunk] = []
    start = 0
    for ordinal, text in enumerate(texts):
        chunks.append(
            Chunk(
                id=ChunkId(ids[ordinal] if ids else f"{source}/{path}#{ordinal}"),
                ordinal=ordinal,
                start=start,
                end=start + len(text),
                text=text,
                lines=Lines(ordinal + 1, ordinal + 1),
                metadata=own[ordinal] if own else NO_METADATA,
                windows=_cut(text, windows),
            )
        )
        start += len(text) + 1
    entry = LedgerEntry(path=path, outcome="indexed", fingerprint="1", recipe="r", document_id=info.id)
    return Replace(document=Document(info=info, text="\n".join(texts), acl=frozenset(acl)), chunks=tuple(chunks), entry=entry)


def _cut(text: str, windows: int) -> tuple[Window, ...]:
    size = -(-len(text) // windows) if windows else 0
    return tuple(Window(i * size, min((i + 1) * size, len(text))) for i in range(windows))


def row(*components: float) -> Vectors:
    """Return a vector."""
    return np.array(components, dtype=np.float32)


async def embed(store: Store, vectors: Mapping[str, Vectors], model: str = MODEL) -> None:
    """Give every waiting passage the vector that ``vectors`` holds for its text; the others go on waiting."""
    waiting = await store.pending(model, 10_000)
    await store.put_vectors(model, {p.hash: vectors[p.text] for p in waiting if p.text in vectors})


async def find(
    store: Store, words: str, *, visible: Tokens = ANYONE, filters: Filters = NO_FILTERS, limit: int = 10
) -> Candidates:
    """Search for ``words`` by BM25, each with the weight 1."""
    query = LexicalQuery(words, dict.fromkeys(words.split(), 1.0))
    return await store.lexical(query, visible=visible, filters=filters, limit=limit)


async def near(
    store: Store,
    vector: Vectors,
    *,
    visible: Tokens = ANYONE,
    filters: Filters = NO_FILTERS,
    limit: int = 10,
    model: str = MODEL,
) -> Candidates:
    """Search for the chunks nearest to ``vector``."""
    return await store.dense(DenseQuery(model, vector), visible=visible, filters=filters, limit=limit)


def ids(candidates: Candidates) -> list[str]:
    """Return the chunk ids of ``candidates``, best first."""
    return [hit.chunk for hit in candidates.hits]
