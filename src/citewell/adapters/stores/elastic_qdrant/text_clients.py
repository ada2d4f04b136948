"""The two official clients, each reduced to one call: Elasticsearch's and OpenSearch's.

Requests are plain JSON to the paths that both engines share, so any version from 7 on can answer; the one of Elasticsearch
would otherwise insist on its own major version.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

import elastic_transport
import opensearchpy
from elastic_transport.client_utils import DEFAULT
from elasticsearch import AsyncElasticsearch
from opensearchpy import AsyncOpenSearch

from citewell.adapters.stores.elastic_qdrant.address import Address
from citewell.core.errors import ConfigurationError, StoreUnavailable

JSON = {"accept": "application/json", "content-type": "application/json"}
LINES = {"accept": "application/json", "content-type": "application/x-ndjson"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What an engine answered: the status of HTTP and the JSON."""

    status: int
    body: Any


class TextClient(Protocol):
    """One request to the engine that holds the text."""

    async def send(self, method: str, path: str, body: str | None, params: Mapping[str, str], lines: bool) -> Reply:
        """Return the reply, whatever its status. Raises StoreUnavailable where there is none, or none in JSON."""
        ...

    async def close(self) -> None:
        """Release the connections."""
        ...


def dump(value: Any) -> str:
    """Return ``value`` as JSON in ASCII, which carries every character safely."""
    return json.dumps(value, separators=(",", ":"))


class ElasticClient:
    """Speaks to Elasticsearch by its official client, without retries: the other engine's answer must not wait for them."""

    def __init__(self, address: Address, secrets: Mapping[str, str]) -> None:
        try:
            self._client = AsyncElasticsearch([address.text], ca_certs=address.ca or DEFAULT)
        except (ValueError, OSError) as error:
            raise ConfigurationError(f"elastic+qdrant: {address.text} cannot be used: {error}") from error
        self._credentials = _authorization(address, secrets)

    async def send(self, method: str, path: str, body: str | None, params: Mapping[str, str], lines: bool) -> Reply:
        """Return the reply."""
        target = f"{path}?{urlencode(params)}" if params else path
        headers = self._credentials | (LINES if lines else JSON)
        try:
            response = await self._client.transport.perform_request(
                method, target, body=body, headers=headers, max_retries=0, retry_on_timeout=False, request_timeout=None
            )
        except elastic_transport.TransportError as error:
            raise StoreUnavailable("Elasticsearch does not answer.", detail=type(error).__name__) from error
        return Reply(response.meta.status, response.body)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()


class OpenSearchClient:
    """Speaks to OpenSearch by its official client."""

    def __init__(self, address: Address, secrets: Mapping[str, str]) -> None:
        user = _user(address, secrets)
        try:
            self._client = AsyncOpenSearch(
                [address.text],
                max_retries=0,
                retry_on_timeout=False,
                timeout=None,
                http_auth=user,
                ca_certs=address.ca or None,
            )
        except (ValueError, OSError, opensearchpy.ImproperlyConfigured) as error:
            raise ConfigurationError(f"elastic+qdrant: {address.text} cannot be used: {error}") from error

    async def send(self, method: str, path: str, body: str | None, params: Mapping[str, str], lines: bool) -> Reply:
        """Return the reply."""
        try:
            answer = await self._client.transport.perform_request(
                method, path, params=dict(params), body=body, headers=LINES if lines else JSON
            )
        except opensearchpy.TransportError as error:
            if not isinstance(error.status_code, int):
                raise StoreUnavailable("OpenSearch does not answer.", detail=type(error).__name__) from error
            return Reply(error.status_code, error.info)
        except opensearchpy.SerializationError as error:
            raise StoreUnavailable("OpenSearch answers with something that is not JSON.") from error
        return Reply(200, answer)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()


def _user(address: Address, secrets: Mapping[str, str]) -> tuple[str, str] | None:
    if not address.user:
        return None
    return address.user, secrets.get("ELASTICSEARCH_PASSWORD", "") or address.password


def _authorization(address: Address, secrets: Mapping[str, str]) -> dict[str, str]:
    key, user = secrets.get("ELASTICSEARCH_API_KEY"), _user(address, secrets)
    if key:
        return {"authorization": f"ApiKey {key}"}
    return {"authorization": "Basic " + b64encode(":".join(user).encode()).decode()} if user else {}
