"""What the store asks of Qdrant, with deadlines and with failures in our own words."""

from __future__ import annotations

import logging
import math
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import anyio
import httpx
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from citewell.adapters.stores.elastic_qdrant.address import Address
from citewell.adapters.stores.elastic_qdrant.text_engine import PAUSE_SECONDS, WRITE_SECONDS
from citewell.core.errors import ConfigurationError, StoreError, StoreUnavailable

logger = logging.getLogger(__name__)

T = TypeVar("T")
PAGE: Final = 500
BATCH: Final = 200


class VectorEngine:
    """Qdrant. Every method raises StoreUnavailable where it does not answer in time."""

    def __init__(self, address: Address, secrets: Mapping[str, str]) -> None:
        self._address = address
        self._secrets = secrets
        self._client: AsyncQdrantClient | None = None
        self._known: set[str] = set()
        self._dimensions: dict[str, int] = {}
        self._silent_until = 0.0

    @property
    def search_parameters(self) -> models.SearchParams | None:
        """How points are compared; the local mode knows one way only."""
        return models.SearchParams(exact=self._address.exact) if self._address.remote_vectors else None

    async def ask(self, call: Callable[[AsyncQdrantClient], Awaitable[T]], seconds: float | None = None) -> T:
        """Return what ``call`` returns. Raises StoreError where Qdrant refuses it."""
        if time.monotonic() < self._silent_until:
            raise StoreUnavailable("The vector engine did not answer a moment ago.")
        try:
            with anyio.fail_after(seconds or self._address.timeout):
                return await call(self._connected())
        except UnexpectedResponse as error:
            raise _refused(error) from error
        except (TimeoutError, ApiException, httpx.HTTPError, OSError) as error:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            raise StoreUnavailable("The vector engine does not answer.", detail=type(error).__name__) from error
        except (ValueError, AssertionError) as error:  # the client asserts what an answer holds
            raise StoreUnavailable("The vector engine answers with something that is not its own.") from error

    async def exists(self, collection: str) -> bool:
        """Say whether there is such a collection; one that was there once is not asked for again."""
        if collection not in self._known and await self.ask(lambda client: client.collection_exists(collection)):
            self._known.add(collection)
        return collection in self._known

    async def create(self, collection: str, dimension: int, keywords: Sequence[str]) -> None:
        """Create the collection for unit vectors, with an index on each of ``keywords``, unless it is there."""
        if await self.exists(collection):
            return
        params = models.VectorParams(size=dimension, distance=models.Distance.DOT)
        await self.ask(lambda client: client.create_collection(collection, vectors_config=params), WRITE_SECONDS)
        for name in keywords if self._address.remote_vectors else ():
            await self._create_index(collection, name)

    async def dimension(self, collection: str) -> int:
        """Return the dimension of the collection's vectors, which never changes."""
        if collection not in self._dimensions:
            info = await self.ask(lambda client: client.get_collection(collection))
            vectors = info.config.params.vectors
            self._dimensions[collection] = vectors.size if isinstance(vectors, models.VectorParams) else 0
        return self._dimensions[collection]

    async def upsert(self, collection: str, points: Sequence[models.PointStruct]) -> None:
        """Store points, findable on return."""
        for start in range(0, len(points), BATCH):
            part = list(points[start : start + BATCH])
            await self._change(lambda client, part=part: client.upsert(collection, part, wait=True))  # type: ignore[misc]

    async def delete(self, collection: str, condition: models.Filter) -> None:
        """Take away the points that meet ``condition``."""
        selector = models.FilterSelector(filter=condition)
        await self._change(lambda client: client.delete(collection, selector, wait=True))

    async def set_payload(self, collection: str, payload: dict[str, Any], condition: models.Filter) -> None:
        """Write ``payload`` over that of the points that meet ``condition``."""
        await self._change(lambda client: client.set_payload(collection, payload, points=condition, wait=True))

    async def scroll(self, collection: str, condition: models.Filter, limit: int) -> list[models.Record]:
        """Return the points, at most ``limit``, that meet ``condition``."""
        found: list[models.Record] = []
        offset: Any = None
        while len(found) < limit:
            page, offset = await self._page(collection, condition, offset)
            found += page
            if offset is None:
                break
        return found[:limit]

    async def close(self) -> None:
        """Release the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _page(self, collection: str, condition: models.Filter, offset: Any) -> tuple[list[models.Record], Any]:
        return await self.ask(
            lambda client: client.scroll(
                collection, scroll_filter=condition, limit=PAGE, offset=offset, with_payload=True, with_vectors=False
            )
        )

    async def _change(self, call: Callable[[AsyncQdrantClient], Awaitable[Any]]) -> None:
        await self.ask(call, WRITE_SECONDS)

    async def _create_index(self, collection: str, name: str) -> None:
        schema = models.PayloadSchemaType.KEYWORD
        await self._change(lambda client: client.create_payload_index(collection, name, schema, wait=True))

    def _connected(self) -> AsyncQdrantClient:
        if self._client is None:
            self._client = self._connect()
        return self._client

    def _connect(self) -> AsyncQdrantClient:
        place = self._address.vectors
        if not self._address.remote_vectors:
            return AsyncQdrantClient(":memory:") if place == ":memory:" else AsyncQdrantClient(path=place)
        return AsyncQdrantClient(
            url=place,
            api_key=self._secrets.get("QDRANT_API_KEY"),
            timeout=math.ceil(WRITE_SECONDS),
            check_compatibility=False,
            trust_env=False,
            verify=_trusting(self._address.ca) if self._address.ca else True,
        )


def _trusting(certificates: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=certificates)
    except OSError as error:
        raise ConfigurationError(f"elastic+qdrant: the certificates in {certificates} cannot be read.") from error


def _refused(error: UnexpectedResponse) -> StoreError:
    status = error.status_code or 0
    detail = f"status {status}: {error.content[:500].decode('utf-8', 'replace')}"
    logger.warning("The vector engine refused a request with status %d.", status)
    if status in (401, 403):
        return StoreUnavailable(f"The vector engine refuses us (status {status}): see QDRANT_API_KEY.", detail=detail)
    if status == 429 or status >= 500 or status < 400:
        return StoreUnavailable(f"The vector engine cannot answer now (status {status}).", detail=detail)
    return StoreError(f"The vector engine refused a request (status {status}).", detail=detail)
