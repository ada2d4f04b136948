"""Stores with a hole each, for a check that must find it."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from typing import Any

from citewell.adapters.stores.embedded import open_store
from citewell.core.access import Tokens
from citewell.core.model import ChunkId, Document, StoredChunk
from citewell.core.ports import Candidates, StoreSetup

EVERYTHING: Tokens = frozenset({"public", *(f"group:{name}" for name in ("engineering", "backend", "finance"))})


class Leaky:
    """The embedded store; subclasses break one promise."""

    def __init__(self, rest: str, setup: StoreSetup) -> None:
        self._store = open_store(rest, setup)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class LeakyDocuments(Leaky):
    """Opens any document to anybody."""

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        return await self._store.document(document_id, visible=EVERYTHING)


class LeakyRanking(Leaky):
    """Ranks and shows what is hidden, too."""

    async def lexical(self, query: Any, *, visible: Tokens, **rest: Any) -> Candidates:
        return await self._store.lexical(query, visible=EVERYTHING, **rest)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        return await self._store.chunks(ids, visible=EVERYTHING)


class TalkativeStore(Leaky):
    """Writes into its log what it has been asked to show."""

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        found = await self._store.chunks(ids, visible=visible)
        logging.getLogger("citewell.stores").debug("%s", [stored.chunk.text for stored in found.values()])
        return found


class LitteringStore(Leaky):
    """Leaves a copy of what it shows among the temporary files."""

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        found = await self._store.chunks(ids, visible=visible)
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write("".join(stored.chunk.text for stored in found.values()))
        return found


class DeafStore(Leaky):
    """Finds nothing: nothing can leak from it, and nothing is proven by it."""

    async def lexical(self, query: Any, **rest: Any) -> Candidates:
        return Candidates()
