"""Stores and a model with a hole each: what the comparison of two worlds has to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from citewell.adapters.embedders.hashed import open_embedder
from citewell.core.access import Tokens
from citewell.core.errors import DocumentNotFound, Forbidden
from citewell.core.model import Document
from citewell.core.ports import Candidates, DocumentPage, Embedder, Ranked, Role, SourceCount

EVERYTHING: Tokens = frozenset({"public", "user:ada", *(f"group:{name}" for name in ("staff", "board", "backend"))})
ALL = 1_000


class Broken:
    """A store as it should be; subclasses break one promise."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def shown(self, found: Candidates, visible: Tokens) -> Candidates:
        """Return ``found`` without what is hidden: a filter after the fact."""
        stored = await self._store.chunks([hit.chunk for hit in found.hits], visible=visible)
        return replace(found, hits=tuple(hit for hit in found.hits if hit.chunk in stored))

    async def words(self, hit: Ranked) -> set[str]:
        """Return the words of a passage, but for its canary."""
        stored = await self._store.chunks([hit.chunk], visible=EVERYTHING)
        return {word for word in stored[hit.chunk].chunk.text.split() if not word.startswith("zq")}


class GlobalStatistics(Broken):
    """Ranks by how often words occur in all documents, and shows only what may be read."""

    async def lexical(self, query: Any, *, visible: Tokens, filters: Any, limit: int) -> Candidates:
        found = await self._store.lexical(query, visible=EVERYTHING, filters=filters, limit=ALL)
        shown = await self.shown(found, visible)
        return replace(shown, hits=shown.hits[:limit])


class PostFilter(Broken):
    """Takes the best of everything, then leaves out what may not be read."""

    async def dense(self, query: Any, *, visible: Tokens, filters: Any, limit: int) -> Candidates:
        honest = await self._store.dense(query, visible=visible, filters=filters, limit=limit)
        found = await self._store.dense(query, visible=EVERYTHING, filters=filters, limit=limit)
        return replace(await self.shown(found, visible), pending=honest.pending)


class CountingHidden(Broken):
    """Counts hidden hits, and so pages of them, though it never shows one."""

    async def lexical(self, query: Any, *, visible: Tokens, filters: Any, limit: int) -> Candidates:
        honest = await self._store.lexical(query, visible=visible, filters=filters, limit=limit)
        found = await self._store.lexical(query, visible=EVERYTHING, filters=filters, limit=limit)
        seen = {hit.chunk for hit in honest.hits}
        return replace(honest, hits=(*honest.hits, *(Ranked(hit.chunk, 1e-9) for hit in found.hits if hit.chunk not in seen)))


class NearDuplicates(Broken):
    """Leaves out a passage that says nearly what a better one says, be that hidden or not."""

    async def lexical(self, query: Any, *, visible: Tokens, filters: Any, limit: int) -> Candidates:
        honest = await self._store.lexical(query, visible=visible, filters=filters, limit=limit)
        kept = [hit for hit in honest.hits if not await self._is_repeated(hit, query, filters)]
        return replace(honest, hits=tuple(kept))

    async def _is_repeated(self, hit: Ranked, query: Any, filters: Any) -> bool:
        everything = await self._store.lexical(query, visible=EVERYTHING, filters=filters, limit=ALL)
        better = (other for other in everything.hits[: [other.chunk for other in everything.hits].index(hit.chunk)])
        said = await self.words(hit)
        return any([len(said & words) > 0.7 * len(said | words) for words in [await self.words(other) for other in better]])


class CountingEverything(Broken):
    """Counts in a source what nobody but others may read."""

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        mine = {count.state.name for count in await self._store.sources(visible=visible)}
        return tuple(count for count in await self._store.sources(visible=EVERYTHING) if count.state.name in mine)


class ListingEverything(Broken):
    """Counts in a page of documents those that only others may read."""

    async def documents(self, *, visible: Tokens, filters: Any, offset: int, limit: int) -> DocumentPage:
        honest = await self._store.documents(visible=visible, filters=filters, offset=offset, limit=limit)
        everything = await self._store.documents(visible=EVERYTHING, filters=filters, offset=offset, limit=limit)
        return replace(honest, total=everything.total)


class PendingForAll(Broken):
    """Says that vectors are missing where only hidden documents wait for theirs."""

    async def dense(self, query: Any, *, visible: Tokens, filters: Any, limit: int) -> Candidates:
        honest = await self._store.dense(query, visible=visible, filters=filters, limit=limit)
        found = await self._store.dense(query, visible=EVERYTHING, filters=filters, limit=limit)
        return replace(honest, pending=found.pending)


class TellingErrors(Broken):
    """Tells a document that may not be read from one that is not there."""

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        try:
            return await self._store.document(document_id, visible=visible)
        except DocumentNotFound:
            await self._store.document(document_id, visible=EVERYTHING)
            raise Forbidden("You may not read this document.") from None


class OpenDocuments(Broken):
    """Opens every document to everybody."""

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        return await self._store.document(document_id, visible=EVERYTHING)


class BatchDependent:
    """A model whose vectors depend on what else is embedded at the same time."""

    def __init__(self) -> None:
        self._inner: Embedder = open_embedder("", {})
        self.name = self._inner.name
        self.degraded: tuple[str, ...] = ()

    async def embed(self, texts: Sequence[str], role: Role) -> Any:
        vectors = await self._inner.embed(texts, role)
        mixed = vectors + np.float32(0.1) * vectors.mean(axis=0)
        return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
