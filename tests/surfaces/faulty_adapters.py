"""Models and a store that fail: small adapters, registered as any package would register its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import numpy as np

from citewell.adapters.embedders.hashed import HashEmbedder
from citewell.core.errors import EmbeddingFailed, StoreUnavailable, VectorSearchFailed
from citewell.core.ports import Role, StoreSetup
from citewell.testing.memory_store import MemoryStore

ADAPTERS = {
    "embedder.silent": "open_silent_embedder",
    "embedder.weary": "open_weary_embedder",
    "reranker.failing": "open_failing_reranker",
    "reranker.mistaken": "open_mistaken_reranker",
    "reranker.silent": "open_silent_reranker",
    "store.blind": "open_blind_store",
}


def register(folder: Path) -> None:
    """Write into ``folder`` what installing a package of these adapters would; it has to be on the path."""
    info = folder / "faulty_adapters-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-adapters\nVersion: 1.0\n")
    points = [f"{name} = {__name__}:{function}" for name, function in ADAPTERS.items()]
    (info / "entry_points.txt").write_text("\n".join(["[citewell.adapters]", *points, ""]))


class WearyEmbedder(HashEmbedder):
    """Embeds passages, and fails with every query."""

    async def embed(self, texts: Sequence[str], role: Role) -> Any:
        if role == "query":
            raise EmbeddingFailed("The model is tired.", detail="the model's secret")
        return await super().embed(texts, role)


class SilentEmbedder(HashEmbedder):
    """Embeds passages, and never comes back from a query."""

    async def embed(self, texts: Sequence[str], role: Role) -> Any:
        if role == "query":
            await anyio.sleep_forever()
        return await super().embed(texts, role)


class FailingReranker:
    """Fails as rerankers may."""

    name = "failing"

    async def score(self, query: str, passages: Sequence[str]) -> Any:
        raise VectorSearchFailed("The reranker failed.", detail="the reranker's secret")


class MistakenReranker(FailingReranker):
    """Fails as nobody may: with an error of its own making."""

    async def score(self, query: str, passages: Sequence[str]) -> Any:
        raise RuntimeError("the reranker's secret")


class SilentReranker(FailingReranker):
    """Never comes back."""

    async def score(self, query: str, passages: Sequence[str]) -> Any:
        await anyio.sleep_forever()
        return np.zeros(0, np.float32)


class BlindStore(MemoryStore):
    """Finds words; the engine that has the vectors does not answer."""

    async def dense(self, query: Any, *, visible: Any, filters: Any, limit: int) -> Any:
        raise StoreUnavailable("The engine of the vectors does not answer.", detail="the engine's address")


def open_weary_embedder(rest: str, secrets: Mapping[str, str]) -> WearyEmbedder:
    return WearyEmbedder()


def open_silent_embedder(rest: str, secrets: Mapping[str, str]) -> SilentEmbedder:
    return SilentEmbedder()


def open_failing_reranker(rest: str, secrets: Mapping[str, str]) -> FailingReranker:
    return FailingReranker()


def open_mistaken_reranker(rest: str, secrets: Mapping[str, str]) -> MistakenReranker:
    return MistakenReranker()


def open_silent_reranker(rest: str, secrets: Mapping[str, str]) -> SilentReranker:
    return SilentReranker()


def open_blind_store(rest: str, setup: StoreSetup) -> BlindStore:
    return BlindStore()
