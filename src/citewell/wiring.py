"""The one place where concrete classes meet: from a configuration to a service."""

from __future__ import annotations

from citewell.adapters.sources.refused import RefusedSource
from citewell.config.model import Config
from citewell.config.sections import SourceSettings
from citewell.core.access import LOCAL_USER, Principal, Scope
from citewell.core.errors import SourceRefused
from citewell.core.ports import Source
from citewell.ingest.indexing import Recipe
from citewell.registry import open_embedder, open_source, open_store
from citewell.retrieval.search import Ranking
from citewell.service import ConfiguredSource, KnowledgeService


def build_service(config: Config) -> KnowledgeService:
    """Return the service that ``config`` describes. Models are loaded when they are first needed, not here.

    A source that is refused fails when it is synchronised, and hinders no other. Raises ConfigurationError, StoreError.
    """
    secrets = config.revealed_secrets()
    retrieval = config.retrieval
    return KnowledgeService(
        store=open_store(config.store),
        embedder=open_embedder(config.embedder, secrets),
        sources=[_configured(config, settings, secrets) for settings in config.sources],
        rankings={
            name: Ranking(ranker=collection.hybrid_ranker, candidates=retrieval.candidates, on_failure=retrieval.on_failure)
            for name, collection in config.collections.items()
        },
        ranking=Ranking(candidates=retrieval.candidates, on_failure=retrieval.on_failure),
        reader=reader_address(config),
    )


def local_principal(config: Config, via: str) -> Principal:
    """Return the local user as the surface ``via`` sees him, with the groups the access section gives him."""
    scopes: frozenset[Scope] = frozenset({"read", "write", "admin"})
    return config.policy().principal(LOCAL_USER, via=via, scopes=scopes)


def reader_address(config: Config) -> str:
    """Return the address of our own reader, up to the document id: what documents without an upstream one are cited by."""
    base = config.serve.public_url or f"http://{config.serve.host}:{config.serve.port}"
    return f"{base}/documents/"


def _configured(config: Config, settings: SourceSettings, secrets: dict[str, str]) -> ConfiguredSource:
    recipe = Recipe(
        source=settings.name,
        collection=settings.collection,
        chunker=config.collections[settings.collection].chunker,
        ids=settings.ids,
        acl=config.policy().acl,
    )
    return ConfiguredSource(_open(config, settings, secrets), recipe)


def _open(config: Config, settings: SourceSettings, secrets: dict[str, str]) -> Source:
    try:
        return open_source(
            settings.name,
            settings.address,
            include=settings.include,
            exclude=settings.exclude,
            cache=config.cache_folder,
            secrets=secrets,
        )
    except SourceRefused as refusal:
        return RefusedSource(settings.name, refusal)
