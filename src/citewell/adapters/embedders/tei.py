"""``tei:URL``: a server of Hugging Face's Text Embeddings Inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from citewell.adapters.embedders.endpoint_address import parse_address, space_name
from citewell.adapters.embedders.http_client import Endpoint, HttpEmbedder

if TYPE_CHECKING:
    from citewell.core.ports import Embedder


def open_embedder(rest: str, secrets: Mapping[str, str]) -> Embedder:
    """Return an embedder that posts to ``URL/embed``. A text beyond the model's window is an error there, never cut off.

    Raises ConfigurationError for an address that cannot be used.
    """
    return HttpEmbedder(tei_endpoint(rest))


def tei_endpoint(rest: str) -> Endpoint:
    """Return how to speak to the server at ``rest``; what stands behind ``#`` only names its model."""
    address = parse_address("tei", rest)
    return Endpoint(
        name=space_name("tei", address),
        url=f"{address.url}/embed",
        body=lambda texts: {"inputs": texts, "normalize": True, "truncate": False},
        rows=list,
        prompts=address.prompts,
    )
