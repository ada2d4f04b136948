"""The collections of chunks, one for each of ours: created when first written to, loaded once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from citewell.adapters.stores.milvus.engine import WRITE_SECONDS, Engine, Row
from citewell.adapters.stores.milvus.layout import Names, create_chunks
from citewell.adapters.stores.milvus.record_book import RecordBook
from citewell.core.errors import StoreError, WrongDimension


class Shelves:
    """Knows which collections of chunks there are, and the dimension of their vectors."""

    def __init__(
        self, engine: Engine, names: Names, records: RecordBook, dimension: Callable[[], Awaitable[int]] | None
    ) -> None:
        self._engine = engine
        self._names = names
        self._records = records
        self._configured = dimension
        self._known: dict[str, str] | None = None
        self._dimension: int | None = None

    async def names(self) -> list[str]:
        """Return what the collections are called in Milvus."""
        if self._known is None:
            await self.refresh()
        return sorted((self._known or {}).values())

    async def refresh(self) -> None:
        """Look again which collections there are: another process may have made one."""
        found = {name: self._names.chunks(name) for name in await self._records.collections()}
        for remote in found.values():
            await self._engine.load(remote)
        self._known = found

    async def of(self, wanted: tuple[str, ...]) -> list[str]:
        """Return those of the collections ``wanted``, of all where none is named."""
        await self.names()
        known = self._known or {}
        return sorted(known[name] for name in (wanted or known) if name in known)

    async def dimension(self) -> int | None:
        """Return the dimension of the vectors; None where nothing was written yet."""
        if self._dimension is None:
            for name in await self.names():
                self._dimension = vector_dimension(await self._engine.describe(name))
                break
        return self._dimension

    async def prepare(self, collection: str) -> tuple[str, int]:
        """Return the name of ``collection`` in Milvus and its dimension, created unless it is there.

        Raises EmbeddingFailed where the embedder cannot tell its dimension, WrongDimension where it has changed.
        """
        await self.names()
        known = self._known if self._known is not None else {}
        name = self._names.chunks(collection)
        wanted = await self._wanted_dimension()
        if collection not in known:
            if not await self._engine.exists(name):
                index = self._engine.address.index
                await self._engine.ask(
                    partial(create_chunks, name=name, dimension=wanted, index=index), seconds=WRITE_SECONDS
                )
            self._check(name, await self._engine.describe(name), wanted)
            await self._engine.load(name)
            await self._records.add_collection(collection)
            known[collection] = name
        return name, wanted

    async def _wanted_dimension(self) -> int:
        kept = await self.dimension()
        if kept is not None:
            return kept
        if self._configured is None:
            raise StoreError("Milvus must know how long vectors are before anything is stored, and no embedder says so.")
        self._dimension = await self._configured()
        return self._dimension

    def _check(self, name: str, description: Row, wanted: int) -> None:
        fields = {field["name"] for field in description.get("fields", ())}
        if not {"terms", "facets", "acl", "generation"} <= fields:
            raise StoreError(
                f"The collection {name} in Milvus is not ours to write: name it under `foreign`, or give the store a prefix."
            )
        kept = vector_dimension(description)
        if kept != wanted:
            raise WrongDimension(
                f"The collection {name} holds vectors of {kept}, the embedder gives {wanted}: use another prefix."
            )


def vector_dimension(description: Row) -> int | None:
    """Return the dimension of the field ``vector`` of a collection."""
    for field in description.get("fields", ()):
        if field["name"] == "vector":
            return int(field["params"]["dim"])
    return None
