"""Passages become vectors in batches that are kept one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from citewell.adapters.embedders.hashed import HashEmbedder
from citewell.core.errors import EmbeddingFailed
from citewell.core.ports import Role
from citewell.ingest.sync import PASSAGES_AHEAD, PASSAGES_AT_ONCE, embed_pending
from citewell.testing.memory_store import MemoryStore
from citewell.testing.store_samples import sample

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

pytestmark = pytest.mark.anyio

PASSAGES = PASSAGES_AHEAD + PASSAGES_AT_ONCE + 1


class TiringEmbedder(HashEmbedder):
    """The hash embedder, which fails once when it has made ``strength`` batches."""

    def __init__(self, strength: int) -> None:
        self.strength = strength
        self.batches: list[list[str]] = []

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        if len(self.batches) == self.strength:
            self.strength = -1
            raise EmbeddingFailed("The model is tired.")
        self.batches.append(list(texts))
        return await super().embed(texts, role)


@pytest.fixture
async def store() -> MemoryStore:
    filled = MemoryStore()
    await filled.apply([sample("d", *(f"text number {n}" for n in range(PASSAGES)))])
    return filled


async def test_what_was_embedded_before_a_failure_is_not_embedded_again(store: MemoryStore) -> None:
    embedder = TiringEmbedder(strength=3)
    with pytest.raises(EmbeddingFailed):
        await embed_pending(store, embedder, lambda progress: None)
    assert await store.progress(embedder.name) == (3 * PASSAGES_AT_ONCE, PASSAGES)
    assert await embed_pending(store, embedder, lambda progress: None) == PASSAGES - 3 * PASSAGES_AT_ONCE
    texts = [text for batch in embedder.batches for text in batch]
    assert len(texts) == len(set(texts)) == PASSAGES


async def test_no_batch_is_larger_than_the_model_is_given_at_once(store: MemoryStore) -> None:
    embedder = TiringEmbedder(strength=-1)
    await embed_pending(store, embedder, lambda progress: None)
    assert max(map(len, embedder.batches)) == PASSAGES_AT_ONCE
