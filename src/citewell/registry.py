"""Which adapter a ``scheme:rest`` address means. Adapters are imported when they are asked for, not before."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, Literal, cast

from citewell.core.errors import MissingExtra, UnknownAdapter
from citewell.core.ports import Detector, Embedder, Reranker, Source, Store, StoreSetup

Kind = Literal["store", "embedder", "reranker", "source", "detector"]

ENTRY_POINTS: Final = "citewell.adapters"
"""Packages register adapters in this group under ``kind.scheme``: ``store.acme = "acme_citewell:open_store"``."""

NO_RERANKER: Final = "none:"

ADAPTERS: Final[Mapping[Kind, Mapping[str, str]]] = {
    "store": {
        "elastic+qdrant": "citewell.adapters.stores.elastic_qdrant.store:open_store",
        "embedded": "citewell.adapters.stores.embedded:open_store",
        "memory": "citewell.testing.memory_store:open_store",
        "milvus": "citewell.adapters.stores.milvus.store:open_store",
    },
    "embedder": {
        "bundled": "citewell.adapters.embedders.bundled:open_embedder",
        "hash": "citewell.adapters.embedders.hashed:open_embedder",
        "onnx": "citewell.adapters.embedders.onnx_folder:open_embedder",
        "openai": "citewell.adapters.embedders.openai:open_embedder",
        "tei": "citewell.adapters.embedders.tei:open_embedder",
    },
    "reranker": {
        "late": "citewell.adapters.rerankers.late:open_reranker",
    },
    "source": {
        "folder": "citewell.adapters.sources.folder:open_source",
        "git": "citewell.adapters.sources.git:open_source",
    },
    "detector": {
        "kingfisher": "citewell.adapters.detectors.kingfisher:open_detector",
        "presidio": "citewell.adapters.detectors.presidio:open_detector",
    },
}
EXTRAS: Final[Mapping[str, str]] = {"elastic+qdrant": "elastic", "milvus": "milvus"}
"""What is to be installed with citewell for a scheme whose packages not everybody needs."""

PLANNED: Final[Mapping[Kind, frozenset[str]]] = {
    "store": frozenset(),
    "embedder": frozenset({"fastembed"}),
    "reranker": frozenset({"fastembed", "onnx", "rerank-api", "tei"}),
    "source": frozenset({"github"}),
    "detector": frozenset(),
}


def open_store(address: str, setup: StoreSetup) -> Store:
    """Return the store at ``address``. Raises ConfigurationError, UnknownAdapter, MissingExtra or StoreError."""
    opener, rest = _opener("store", address)
    return cast(Store, opener(rest, setup))


def open_embedder(address: str, secrets: Mapping[str, str]) -> Embedder:
    """Return the embedder at ``address``. Raises UnknownAdapter, MissingExtra or EmbeddingFailed."""
    opener, rest = _opener("embedder", address)
    return cast(Embedder, opener(rest, secrets))


def open_reranker(address: str, secrets: Mapping[str, str]) -> Reranker | None:
    """Return the reranker at ``address``; ``none:`` is none. Raises UnknownAdapter, MissingExtra or ConfigurationError."""
    if address == NO_RERANKER:
        return None
    opener, rest = _opener("reranker", address)
    return cast(Reranker, opener(rest, secrets))


def open_detector(address: str) -> Detector:
    """Return the detector at ``address``. Raises UnknownAdapter or MissingExtra."""
    opener, rest = _opener("detector", address)
    return cast(Detector, opener(rest))


def open_source(
    name: str,
    address: str,
    *,
    include: Sequence[str],
    exclude: Sequence[str],
    cache: Path,
    secrets: Mapping[str, str],
) -> Source:
    """Return the source ``name`` at ``address``; copies of remote ones are kept under ``cache``.

    Raises UnknownAdapter, MissingExtra or SourceError.
    """
    opener, rest = _opener("source", address)
    return cast(Source, opener(name, rest, include=include, exclude=exclude, cache=cache, secrets=secrets))


def known_schemes(kind: Kind) -> list[str]:
    """Return the schemes that an address of ``kind`` may begin with."""
    return sorted({*ADAPTERS[kind], *_registered(kind)})


def _opener(kind: Kind, address: str) -> tuple[Callable[..., Any], str]:
    scheme, _, rest = address.partition(":")
    target = ADAPTERS[kind].get(scheme) or _registered(kind).get(scheme)
    if target is None:
        raise UnknownAdapter(_unknown(kind, scheme))
    module, _, function = target.partition(":")
    try:
        return cast(Callable[..., Any], getattr(importlib.import_module(module), function)), rest
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "citewell":
            raise
        raise _missing(scheme, error) from error


def _registered(kind: Kind) -> dict[str, str]:
    points = entry_points(group=ENTRY_POINTS)
    return {point.name.removeprefix(f"{kind}."): point.value for point in points if point.name.startswith(f"{kind}.")}


def _unknown(kind: Kind, scheme: str) -> str:
    known = known_schemes(kind)
    listed = ", ".join(f"{name}:" for name in known)
    if scheme in PLANNED[kind]:
        return f"the {kind} {scheme}: is not in this version; there are {listed}"
    close = difflib.get_close_matches(scheme, known, n=1)
    hint = f"; did you mean {close[0]}:?" if close else ""
    return f"there is no {kind} {scheme!r}{hint} (known: {listed})"


def _missing(scheme: str, error: ImportError) -> MissingExtra:
    package = (error.name or "").partition(".")[0] or "?"
    wanted = f"'citewell[{EXTRAS[scheme]}]'" if scheme in EXTRAS else package
    return MissingExtra(f"{scheme}: needs the package {package}, which is missing: pip install {wanted}", detail=str(error))
