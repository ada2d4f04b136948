"""``openai:URL#model``: any endpoint that speaks OpenAI's embeddings API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from citewell.adapters.embedders.endpoint_address import parse_address, space_name
from citewell.adapters.embedders.http_client import Endpoint, HttpEmbedder
from citewell.core.errors import ConfigurationError

if TYPE_CHECKING:
    from citewell.core.ports import Embedder


def open_embedder(rest: str, secrets: Mapping[str, str]) -> Embedder:
    """Return an embedder that posts to ``URL/embeddings``, with the secret ``OPENAI_API_KEY`` as bearer where there is one.

    Raises ConfigurationError for an address that cannot be used.
    """
    return HttpEmbedder(openai_endpoint(rest, secrets))


def openai_endpoint(rest: str, secrets: Mapping[str, str]) -> Endpoint:
    """Return how to speak to the endpoint ``rest``. Raises ConfigurationError."""
    address = parse_address("openai", rest)
    if not address.model:
        raise ConfigurationError("'openai:' needs a model, as in 'openai:https://api.openai.com/v1#text-embedding-3-small'.")
    key = secrets.get("OPENAI_API_KEY")
    return Endpoint(
        name=space_name("openai", address),
        url=f"{address.url}/embeddings",
        body=lambda texts: {"model": address.model, "input": texts, "encoding_format": "float"},
        rows=_sort_rows,
        prompts=address.prompts,
        headers={"Authorization": f"Bearer {key}"} if key else {},
    )


def _sort_rows(answer: Any) -> list[Any]:
    items = {item["index"]: item["embedding"] for item in answer["data"]}
    if sorted(items) != list(range(len(answer["data"]))):
        raise ValueError("The indices are not those of the texts.")
    return [items[index] for index in range(len(items))]
