"""Milvus as the store talks to it: every question in a worker thread, with a deadline, and every failure one of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import grpc
from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

from citewell.adapters.stores.milvus.address import Address
from citewell.adapters.stores.milvus.connection import open_client, translated
from citewell.core.errors import StoreError, StoreUnavailable

T = TypeVar("T")
Row = dict[str, Any]

PAGE: Final = 1_000
"""How many rows are read or written at once."""

MOST_HITS: Final = 16_384
"""Milvus returns no more of one list."""

WRITE_SECONDS: Final = 60.0
PAUSE_SECONDS: Final = 1.0
"""How long nobody else tries to connect after it has failed: questions that wait for one another would add up."""

MISSING: Final = 100
NOT_LOADED: Final = 101
"""Codes of collections that are not there, and of those that are not in memory."""


class CollectionNotLoaded(StoreError):
    """A collection must be loaded before it is searched."""


class NoPages:
    """Every row of a collection that is not there."""

    def next(self) -> list[Row]:
        """Return the next page: none."""
        return []


class Engine:
    """One connection, made at the first question. Collections that are not there answer like empty ones."""

    def __init__(self, address: Address, secrets: Mapping[str, str]) -> None:
        self._address = address
        self._token = secrets.get("MILVUS_TOKEN", "")
        self._client: MilvusClient | None = None
        self._connecting = anyio.Lock()
        self._loaded: set[str] = set()
        self._silent_until = 0.0

    @property
    def address(self) -> Address:
        """Where Milvus is."""
        return self._address

    async def ask(self, question: Callable[..., T], *, seconds: float | None = None, absent: T | None = None) -> T:
        """Return what ``question`` gets from the client; ``absent`` is the answer of a collection that is not there.

        ``question`` is called with the client and ``timeout``. Raises StoreUnavailable, or StoreError where Milvus refuses.
        """
        seconds = seconds or self._address.timeout
        client = await self._connect()
        try:
            with anyio.fail_after(seconds + 1):
                return await anyio.to_thread.run_sync(partial(question, client, timeout=seconds), abandon_on_cancel=True)
        except TimeoutError as error:
            raise StoreUnavailable("Milvus did not answer in time.") from error
        except MilvusException as error:
            if error.code == MISSING and absent is not None:
                return absent
            if error.code == NOT_LOADED:
                raise CollectionNotLoaded("A collection in Milvus is not loaded.") from error
            raise translated(error) from error
        except (grpc.RpcError, OSError, ValueError) as error:
            raise translated(error) from error

    async def _of(self, name: str, question: Callable[..., T], *, absent: T, seconds: float | None = None) -> T:
        """Ask about the collection ``name``, which is loaded where it is not: a file is opened with nothing in memory."""
        try:
            return await self.ask(question, seconds=seconds, absent=absent)
        except CollectionNotLoaded:
            await self.load(name, again=True)
            return await self.ask(question, seconds=seconds, absent=absent)

    async def exists(self, name: str) -> bool:
        """Say whether there is a collection ``name``."""
        return await self.ask(lambda client, timeout: bool(client.has_collection(name, timeout=timeout)))

    async def load(self, name: str, *, again: bool = False) -> None:
        """Have Milvus hold the collection in memory: asked for once in the life of this process, unless ``again``."""
        if again or name not in self._loaded:
            await self.ask(lambda client, timeout: client.load_collection(name, timeout=timeout), seconds=WRITE_SECONDS)
            self._loaded.add(name)

    async def describe(self, name: str) -> Row:
        """Return the description of the collection, empty where there is none."""
        nothing: Row = {}
        return await self.ask(lambda client, timeout: dict(client.describe_collection(name, timeout=timeout)), absent=nothing)

    async def metric(self, name: str, field: str) -> str:
        """Return the metric of the index on ``field``, empty where it has none."""

        def ask(client: MilvusClient, timeout: float) -> str:
            for index in client.list_indexes(name, field_name=field, timeout=timeout):
                described = client.describe_index(name, index, timeout=timeout) or {}
                return str(described.get("metric_type", ""))
            return ""

        return await self.ask(ask, absent="")

    async def search(
        self, name: str, data: Sequence[Any], field: str, limit: int, condition: str, fields: Sequence[str]
    ) -> list[list[tuple[Row, float]]]:
        """Return the nearest rows of each of ``data`` with their scores, best first."""

        def ask(client: MilvusClient, timeout: float) -> list[list[tuple[Row, float]]]:
            found = client.search(
                name,
                data=list(data),
                anns_field=field,
                limit=min(limit, MOST_HITS),
                filter=condition,
                output_fields=list(fields),
                timeout=timeout,
            )
            return [[(dict(hit["entity"]), float(hit["distance"])) for hit in hits] for hits in found]

        return await self._of(name, ask, absent=[[] for _ in data])

    async def query(self, name: str, condition: str, fields: Sequence[str], limit: int) -> list[Row]:
        """Return rows that meet ``condition``, in no order."""
        nothing: list[Row] = []
        return await self._of(
            name,
            lambda client, timeout: [
                dict(row)
                for row in client.query(
                    name, filter=condition, output_fields=list(fields), limit=min(limit, MOST_HITS), timeout=timeout
                )
            ],
            absent=nothing,
        )

    async def count(self, name: str, condition: str) -> int:
        """Return how many rows meet ``condition``."""

        def ask(client: MilvusClient, timeout: float) -> int:
            return int(client.query(name, filter=condition, output_fields=["count(*)"], timeout=timeout)[0]["count(*)"])

        return await self._of(name, ask, absent=0)

    async def scan(self, name: str, condition: str, fields: Sequence[str]) -> list[Row]:
        """Return every row that meets ``condition``: of most, one page is all, and an iterator would ask thrice."""
        first = await self.query(name, condition, fields, PAGE)
        if len(first) < PAGE:
            return first
        asked: Callable[..., Any] = partial(
            MilvusClient.query_iterator,
            collection_name=name,
            batch_size=PAGE,
            filter=condition,
            output_fields=list(fields),
        )
        pages = await self._of(name, asked, absent=NoPages())
        found: list[Row] = []
        while page := await self.ask(lambda client, timeout: [dict(row) for row in pages.next()]):
            found += page
        return found

    async def get(self, name: str, ids: Sequence[str], fields: Sequence[str]) -> dict[str, Row]:
        """Return the rows among ``ids``, by id."""
        found: dict[str, Row] = {}
        nothing: list[Row] = []
        for start in range(0, len(ids), PAGE):
            part = list(ids[start : start + PAGE])
            rows = await self._of(
                name,
                lambda client, timeout, part=part: [
                    dict(row) for row in client.get(name, ids=part, output_fields=["id", *fields], timeout=timeout)
                ],
                absent=nothing,
            )
            found |= {row["id"]: row for row in rows}
        return found

    async def upsert(self, name: str, rows: Sequence[Row]) -> None:
        """Write ``rows`` whole, found on return."""
        for part in _batches(rows):
            await self.ask(
                lambda client, timeout, part=part: client.upsert(name, part, timeout=timeout), seconds=WRITE_SECONDS
            )

    async def delete(self, name: str, condition: str) -> None:
        """Take away what meets ``condition``."""
        nothing: Any = {}
        await self._of(
            name,
            lambda client, timeout: client.delete(name, filter=condition, timeout=timeout),
            seconds=WRITE_SECONDS,
            absent=nothing,
        )

    async def close(self) -> None:
        """Release the connection."""
        client, self._client = self._client, None
        if client is not None:
            await anyio.to_thread.run_sync(client.close)

    async def _connect(self) -> MilvusClient:
        async with self._connecting:
            if self._client is None:
                if time.monotonic() < self._silent_until:
                    raise StoreUnavailable("Milvus did not answer a moment ago.")
                self._client = await self._open()
        return self._client

    async def _open(self) -> MilvusClient:
        seconds = self._address.timeout + (1 if self._address.remote else WRITE_SECONDS)
        try:
            with anyio.fail_after(seconds):
                opening = partial(open_client, self._address, self._token)
                return await anyio.to_thread.run_sync(opening, abandon_on_cancel=True)
        except StoreUnavailable:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            raise
        except TimeoutError as error:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            raise StoreUnavailable("Milvus does not answer.") from error


BATCH_CHARACTERS: Final = 8_000_000
"""A message to Milvus holds 64 MB at most; a character takes up to four bytes, and vectors come on top."""


def _batches(rows: Sequence[Row]) -> list[list[Row]]:
    """Return ``rows`` in parts that one message holds."""
    parts: list[list[Row]] = []
    size = BATCH_CHARACTERS
    for row in rows:
        length = sum(len(value) if isinstance(value, str | list) else 1 for value in row.values())
        if size + length > BATCH_CHARACTERS or len(parts[-1]) == PAGE:
            parts.append([])
            size = 0
        parts[-1].append(row)
        size += length
    return parts
