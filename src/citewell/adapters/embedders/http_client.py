"""Embeds through an HTTP endpoint: batches, retries, deadlines, and no trust in what comes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import httpx2

from citewell.adapters.embedders.text_repair import repair_text
from citewell.adapters.embedders.vector_checks import unit_rows
from citewell.core.errors import EmbeddingFailed

if TYPE_CHECKING:
    from citewell.core.ports import Role, Vectors

BATCH_TEXTS = 64
BATCH_CHARACTERS = 200_000
PASSING = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may succeed."""
BLANK = "blank"
"""Sent for a text without words, which servers refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """How to speak to one kind of server.

    ``body`` makes the JSON of a request; ``rows`` takes the vectors out of an answer, in the order of the texts, and raises
    KeyError, TypeError or ValueError when the answer has another shape.
    """

    name: str
    url: str
    body: Callable[[list[str]], object]
    rows: Callable[[Any], list[Any]]
    prompts: Mapping[Role, str]
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to go on: tries for a batch, seconds of the first pause, of one try, and of a batch with all its tries.

    Somebody waits for a query, so it has fewer tries and a deadline of its own.
    """

    tries: int = 6
    first_pause: float = 0.5
    timeout: float = 30.0
    deadline: float = 120.0
    query_tries: int = 3
    query_deadline: float = 5.0
    concurrency: int = 4


@dataclass(frozen=True, slots=True)
class _Limits:
    """What one batch may cost."""

    tries: int
    deadline: float

    @classmethod
    def of(cls, patience: Patience, role: Role) -> _Limits:
        if role == "query":
            return cls(min(patience.tries, patience.query_tries), patience.query_deadline)
        return cls(patience.tries, patience.deadline)


class HttpEmbedder:
    """An embedder behind an HTTP endpoint.

    A vector is taken as the server gives it, so its independence of the batch is the server's to keep.
    """

    def __init__(self, endpoint: Endpoint, patience: Patience | None = None) -> None:
        self._endpoint = endpoint
        self._patience = patience or Patience()
        self._dimension: int | None = None
        self._tls = httpx2.create_ssl_context()

    @property
    def name(self) -> str:
        """The scheme, address and model, as configured: what the server really runs cannot be known."""
        return self._endpoint.name

    @property
    def degraded(self) -> tuple[str, ...]:
        """Nothing: a server that fails raises."""
        return ()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return unit rows in the order of ``texts``.

        Raises EmbeddingFailed, naming the batch, when the server keeps failing or its vectors are unusable; WrongDimension
        when they do not have the dimension of earlier ones. Without texts and before the first answer the shape is (0, 0).
        """
        import numpy as np

        prompt = self._endpoint.prompts[role]
        limits = _Limits.of(self._patience, role)
        batches = list(cut_batches([prompt + (repair_text(text).strip() or BLANK) for text in texts]))
        if not batches:
            return np.empty((0, self._dimension or 0), np.float32)
        rows: dict[int, Vectors] = {}
        limiter = anyio.CapacityLimiter(self._patience.concurrency)

        async def embed_batch(client: httpx2.AsyncClient, index: int) -> None:
            async with limiter:
                rows[index] = await self._embed_batch(client, batches[index], f"batch {index + 1} of {len(batches)}", limits)

        try:
            async with self._open_client() as client, anyio.create_task_group() as group:
                for index in range(len(batches)):
                    group.start_soon(embed_batch, client, index)
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return np.concatenate([rows[index] for index in range(len(batches))])

    def _open_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(verify=self._tls, timeout=self._patience.timeout, headers=dict(self._endpoint.headers))

    async def _embed_batch(self, client: httpx2.AsyncClient, texts: list[str], batch: str, limits: _Limits) -> Vectors:
        import numpy as np

        origin = f"{self._endpoint.name} ({batch})"
        answer = await self._ask(client, texts, origin, limits)
        try:
            rows = np.array(self._endpoint.rows(json.loads(answer)), np.float64)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as failure:
            raise EmbeddingFailed(f"{origin} answered with something that is not a list of vectors.") from failure
        checked = unit_rows(rows, len(texts), self._dimension, origin)
        self._dimension = checked.shape[1]
        return checked

    async def _ask(self, client: httpx2.AsyncClient, texts: list[str], origin: str, limits: _Limits) -> bytes:
        try:
            with anyio.fail_after(limits.deadline):
                return await self._try_repeatedly(client, texts, origin, limits.tries)
        except TimeoutError as failure:
            raise EmbeddingFailed(f"{origin} gave no answer within {limits.deadline:g} s.") from failure

    async def _try_repeatedly(self, client: httpx2.AsyncClient, texts: list[str], origin: str, tries: int) -> bytes:
        body = self._endpoint.body(texts)
        complaint = ""
        pause = self._patience.first_pause
        for attempt in range(tries):
            if attempt:
                await anyio.sleep(pause)
                pause = self._patience.first_pause * 2**attempt
            try:
                response = await client.post(self._endpoint.url, json=body)
            except httpx2.RequestError as failure:
                complaint = type(failure).__name__
                continue
            if response.is_success:
                return response.content
            complaint = f"status {response.status_code}"
            if response.status_code not in PASSING:
                raise EmbeddingFailed(f"{origin} failed with {complaint}.", detail=response.text[:500])
            pause = max(pause, _retry_after(response))
        raise EmbeddingFailed(f"{origin} failed {tries} times, last with {complaint}.")


def _retry_after(response: httpx2.Response) -> float:
    # The header may also hold a date; the own pauses serve for that rare case.
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() else 0.0


def cut_batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield ``texts`` in order, in batches of at most 64 texts and 200,000 characters; a longer text goes alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
