"""What the store asks of Elasticsearch or OpenSearch, with deadlines and with failures in our own words."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

import anyio

from citewell.adapters.stores.elastic_qdrant.address import Address
from citewell.adapters.stores.elastic_qdrant.text_clients import ElasticClient, OpenSearchClient, Reply, TextClient, dump
from citewell.core.errors import StoreError, StoreUnavailable

logger = logging.getLogger(__name__)

Body = Mapping[str, Any]

WRITE_SECONDS: Final = 60.0
PAUSE_SECONDS: Final = 1.0
"""How long an engine that did not answer is not asked again, so that one question waits for it once only."""

PAGE: Final = 1_000
BULK_CHARACTERS: Final = 4_000_000
MISSING: Final = 404
CONFLICT: Final = 409
OVERLOADED: Final = 429


class TextEngine:
    """One engine that holds the text. Every method raises StoreUnavailable where it does not answer in time."""

    def __init__(self, address: Address, secrets: Mapping[str, str]) -> None:
        self._address = address
        self._secrets = secrets
        self._client: TextClient | None = None
        self._finding = anyio.Lock()
        self._silent_until = 0.0

    async def send(
        self,
        method: str,
        path: str,
        body: Body | str | None = None,
        *,
        params: Mapping[str, str] | None = None,
        seconds: float | None = None,
        may_be: Sequence[int] = (),
    ) -> Reply:
        """Return the reply; a status other than success must be one of ``may_be``. Raises StoreError for others."""
        if time.monotonic() < self._silent_until:
            raise StoreUnavailable("The text engine did not answer a moment ago.")
        lines = isinstance(body, str)
        content = body if isinstance(body, str) or body is None else dump(body)
        try:
            with anyio.fail_after(seconds or self._address.timeout):
                client = self._client or await self._connect()
                reply = await client.send(method, path, content, params or {}, lines)
        except TimeoutError as error:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            raise StoreUnavailable("The text engine does not answer in time.") from error
        except StoreUnavailable:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            raise
        return _checked(reply, may_be)

    async def search(self, index: str, body: Body) -> dict[str, Any]:
        """Return the answer to one search; empty where there is no such index."""
        reply = await self.send("POST", f"/{index}/_search", body, may_be=(MISSING,))
        return reply.body if reply.status != MISSING else NOTHING

    async def searches(self, asked: Sequence[tuple[str, Body]]) -> list[dict[str, Any]]:
        """Return the answers to several searches, asked in one request; empty ones where there is no such index."""
        lines = "".join(f"{dump({'index': index})}\n{dump(body)}\n" for index, body in asked)
        reply = await self.send("POST", "/_msearch", lines)
        answers: list[dict[str, Any]] = reply.body.get("responses") or []
        if len(answers) != len(asked):
            raise StoreUnavailable("The text engine left questions unanswered.")
        return [_part(answer) for answer in answers]

    async def scan(self, index: str, query: Body, *, source: Sequence[str] | bool = True, by: str) -> AsyncIterator[Any]:
        """Yield every hit of ``query`` in the order of the keyword field ``by``, whose values are unique in it."""
        after: list[Any] | None = None
        while True:
            body: dict[str, Any] = {"size": PAGE, "query": query, "_source": source, "sort": [{by: "asc"}]}
            found = await self.search(index, body | ({"search_after": after} if after else {}))
            hits = found["hits"]["hits"]
            for hit in hits:
                yield hit
            if len(hits) < PAGE:
                return
            after = hits[-1]["sort"]

    async def get(self, index: str, ids: Sequence[str], *, source: str = "") -> dict[str, dict[str, Any]]:
        """Return the documents among ``ids`` as they were written last, searchable or not; ``source`` names the fields."""
        found: dict[str, dict[str, Any]] = {}
        for start in range(0, len(ids), PAGE):
            params = {"_source_includes": source} if source else {}
            part = list(ids[start : start + PAGE])
            reply = await self.send("POST", f"/{index}/_mget", {"ids": part}, params=params, may_be=(MISSING,))
            hits = reply.body.get("docs", []) if reply.status != MISSING else []
            found |= {hit["_id"]: hit["_source"] for hit in hits if hit.get("found")}
        return found

    async def write(self, index: str, operations: Sequence[tuple[str, str, Body | None]]) -> None:
        """Index, update or delete documents, searchable on return. Each operation is its kind, an id and a body.

        What is to be deleted or updated may be gone. Raises StoreError where the engine refuses one.
        """
        body = ""
        for kind, name, content in operations:
            body += (
                dump({kind: {"_index": index, "_id": name}}) + "\n" + (dump(content) + "\n" if content is not None else "")
            )
            if len(body) > BULK_CHARACTERS:
                await self._bulk(body)
                body = ""
        if body:
            await self._bulk(body)
        if operations:
            await self.send("POST", f"/{index}/_refresh", seconds=WRITE_SECONDS)

    async def delete(self, index: str, query: Body) -> None:
        """Take away what ``query`` finds."""
        params = {"refresh": "true", "conflicts": "proceed"}
        await self.send("POST", f"/{index}/_delete_by_query", {"query": query}, params=params, seconds=WRITE_SECONDS)

    async def create(self, index: str, definition: Body) -> None:
        """Create the index unless it is there."""
        reply = await self.send("PUT", f"/{index}", definition, seconds=WRITE_SECONDS, may_be=(400,))
        if reply.status == 400 and "already_exists" not in dump(reply.body):
            reason = (reply.body.get("error") or {}).get("reason", "no reason is given")
            raise StoreError(f"The index {index} cannot be created: {reason}")

    async def close(self) -> None:
        """Release the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _bulk(self, body: str) -> None:
        reply = await self.send("POST", "/_bulk", body, seconds=WRITE_SECONDS)
        for item in reply.body.get("items", ()):
            for result in item.values():
                if result.get("status", 200) >= 400 and result["status"] != MISSING:
                    _refuse(Reply(result["status"], result))

    async def _connect(self) -> TextClient:
        async with self._finding:
            if self._client is None:
                client: TextClient = ElasticClient(self._address, self._secrets)
                if await self._is_opensearch(client):
                    await client.close()
                    client = OpenSearchClient(self._address, self._secrets)
                self._client = client
        return self._client

    async def _is_opensearch(self, client: TextClient) -> bool:
        if self._address.dialect != "auto":
            return self._address.dialect == "opensearch"
        try:
            reply = await client.send("GET", "/", None, {}, False)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await client.close()
            raise
        version = reply.body.get("version") if isinstance(reply.body, dict) else None
        return isinstance(version, dict) and version.get("distribution") == "opensearch"


NOTHING: Final[dict[str, Any]] = {"hits": {"hits": [], "total": {"value": 0}}, "aggregations": {}}


def _part(answer: dict[str, Any]) -> dict[str, Any]:
    status = answer.get("status", 200)
    if status == MISSING:
        return NOTHING
    return dict(_checked(Reply(status, answer), ()).body)


def _checked(reply: Reply, may_be: Sequence[int]) -> Reply:
    if reply.status >= 400 and reply.status not in may_be:
        _refuse(reply)
    if not isinstance(reply.body, dict):
        raise StoreUnavailable("The text engine answers with something that is not its own JSON.")
    if reply.body.get("timed_out") or (reply.body.get("_shards") or {}).get("failed"):
        raise StoreUnavailable("The text engine answered for a part of the index only.")
    return reply


def _refuse(reply: Reply) -> None:
    """Raise what the status means. The engine's own words may quote what was asked: they are for the log."""
    detail = f"status {reply.status}: {dump(reply.body)[:500] if isinstance(reply.body, dict) else ''}"
    logger.warning("The text engine refused a request with status %d.", reply.status)
    if reply.status in (401, 403):
        raise StoreUnavailable(
            f"The text engine refuses us (status {reply.status}): see ELASTICSEARCH_API_KEY, or the user in the address with"
            " ELASTICSEARCH_PASSWORD.",
            detail=detail,
        )
    if reply.status == OVERLOADED or reply.status >= 500:
        raise StoreUnavailable(f"The text engine cannot answer now (status {reply.status}).", detail=detail)
    raise StoreError(f"The text engine refused a request (status {reply.status}).", detail=detail)
