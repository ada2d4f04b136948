"""The one place where concrete classes meet: from a configuration to a service."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from secrets import token_bytes

from citewell.adapters.audit.archive import LogArchive
from citewell.adapters.audit.log_folder import LogFolder
from citewell.adapters.audit.silent import SilentLog
from citewell.adapters.embedders.instructed import InstructedEmbedder
from citewell.adapters.identity.token_file import TokenFile
from citewell.adapters.keyfile import KEY_BYTES, load_key
from citewell.adapters.sources.editable_folder import EditableFolder
from citewell.adapters.sources.refused import RefusedSource
from citewell.config.live import LivePolicy
from citewell.config.model import Config
from citewell.config.sources import SourceSettings
from citewell.core.access import LOCAL_USER, Principal, Scope, group_tokens
from citewell.core.errors import AuditFailed, ConfigurationError, SourceRefused
from citewell.core.ports import Authenticator, CurrentPolicy, Embedder, ForeignCollection, Source, Store, StoreSetup
from citewell.ingest.indexing import Recipe
from citewell.registry import open_detector, open_embedder, open_reranker, open_source, open_store
from citewell.retrieval.fusion import HybridRanker
from citewell.retrieval.reranking import Reranking
from citewell.retrieval.search import Ranking
from citewell.service import ConfiguredSource, KnowledgeService
from citewell.service.access import AccessService
from citewell.service.asking import RedactedPairs
from citewell.service.audit import AuditService
from citewell.service.auditing import Auditor
from citewell.service.tokens import TokenService
from citewell.text.redaction import Allowed, Redactor

logger = logging.getLogger(__name__)


def build_service(config: Config) -> KnowledgeService:
    """Return the service that ``config`` describes. Models are loaded when they are first needed, not here.

    A source that is refused fails when it is synchronised, and hinders no other. Raises ConfigurationError, StoreError.
    """
    secrets = config.revealed_secrets()
    redactor = build_redactor(config)
    policy = build_policy(config)
    embedder = open_configured_embedder(config)
    reranking = _reranking(config, redactor)
    return KnowledgeService(
        store=open_configured_store(config, embedder),
        embedder=embedder,
        sources=[_configured(config, settings, secrets, policy, redactor) for settings in config.sources],
        rankings={
            name: _ranking(config, reranking, collection.hybrid_ranker) for name, collection in config.collections.items()
        },
        ranking=_ranking(config, reranking),
        reader=reader_address(config),
        policy=policy,
        audit=build_audit(config),
        redactor=redactor,
        threshold=config.retrieval.threshold,
    )


def open_configured_embedder(config: Config) -> Embedder:
    """Return the embedder of ``config``, with the instruction that queries are to be read behind."""
    embedder = open_embedder(config.embedder, config.revealed_secrets())
    return InstructedEmbedder(embedder, config.query_instruction) if config.query_instruction else embedder


def _reranking(config: Config, redactor: Redactor) -> Reranking | None:
    reranker = open_reranker(config.reranker, config.revealed_secrets())
    if reranker is None:
        return None
    cost = config.rerank
    return Reranking(reranker=RedactedPairs(reranker, redactor), pool=cost.pool, chars=cost.chars, budget_ms=cost.budget_ms)


def _ranking(config: Config, reranking: Reranking | None, ranker: HybridRanker = "auto") -> Ranking:
    retrieval = config.retrieval
    return Ranking(
        ranker=ranker,
        mode=retrieval.mode,
        candidates=retrieval.candidates,
        on_failure=retrieval.on_failure,
        reranking=reranking,
    )


def open_configured_store(config: Config, embedder: Embedder | None = None) -> Store:
    """Return the store of ``config``; its ``embedder`` is opened again where none is given.

    Raises ConfigurationError, StoreError.
    """
    foreign = tuple(
        ForeignCollection(name=name, remote=settings.foreign.name or name, acl=group_tokens(settings.foreign.groups))
        for name, settings in config.collections.items()
        if settings.foreign is not None
    )

    async def dimension() -> int:
        model = embedder or open_embedder(config.embedder, config.revealed_secrets())
        return int((await model.embed(["dimension"], "passage")).shape[1])

    return open_store(config.store, StoreSetup(secrets=config.revealed_secrets(), foreign=foreign, dimension=dimension))


def build_policy(config: Config) -> CurrentPolicy:
    """Return what gives the access policy of ``config`` as its file says it now."""
    return LivePolicy(config)


def build_redactor(config: Config) -> Redactor:
    """Return the redactor that ``config`` describes.

    Raises ConfigurationError for a key that is too short or unreadable, UnknownAdapter or MissingExtra for a detector.
    """
    settings = config.redaction
    return Redactor(
        _redaction_key(config),
        phone_regions=settings.phone_regions,
        allow=[Allowed(allowed.value, allowed.reason) for allowed in settings.allow],
        detectors=[open_detector(address) for address in settings.detectors],
    )


def _redaction_key(config: Config) -> bytes:
    """Return the key of the placeholders. Where none can be kept, one for this once will do: nothing is indexed with it."""
    given = config.revealed_secrets().get("CITEWELL_REDACTION_KEY", "")
    try:
        return load_key(config.redaction.key_file, given)
    except ConfigurationError as error:
        if _has_lasting_key(config):
            raise
        logger.info("Redacting with a key for this once: %s", error.message)
        return token_bytes(KEY_BYTES)


def _has_lasting_key(config: Config) -> bool:
    return "CITEWELL_REDACTION_KEY" in config.revealed_secrets() or os.path.exists(config.redaction.key_file)


def build_authenticator(config: Config, policy: CurrentPolicy) -> Authenticator:
    """Return what judges the credentials that ``config`` accepts. Raises ConfigurationError where it accepts none."""
    from citewell.adapters.identity.api_tokens import EitherAuthenticator, TokenAuthenticator
    from citewell.adapters.identity.json_web_tokens import JwtAuthenticator
    from citewell.adapters.identity.key_set import KeySet

    auth = config.auth
    if auth is None or not (auth.tokens or auth.jwt):
        raise ConfigurationError("auth: nobody can show who he is: set auth.tokens to true, or give auth.jwt.")
    ours = TokenAuthenticator(build_token_store(config), policy) if auth.tokens else None
    others = None
    if auth.jwt is not None:
        others = JwtAuthenticator(
            issuer=auth.jwt.issuer,
            audience=auth.jwt.audience,
            keys=KeySet(auth.jwt.jwks or "", auth.jwt.issuer),
            policy=policy,
            algorithms=auth.jwt.algorithms,
            user_claim=auth.jwt.user_claim,
            groups_claim=auth.jwt.groups_claim,
        )
    return EitherAuthenticator(ours, others)


def build_token_store(config: Config) -> TokenFile:
    """Return where the access tokens of ``config`` are kept. Raises ConfigurationError where it accepts none."""
    if config.auth is None or not config.auth.tokens:
        raise ConfigurationError("auth: tokens are not accepted; write `auth: {tokens: true}` into the configuration.")
    return TokenFile(Path(config.auth.tokens_file))


def build_audit(config: Config) -> LogFolder | SilentLog:
    """Return the audit that ``config`` describes; one that cannot have a key counts as one that cannot be written.

    Raises AuditFailed for that where the audit is required.
    """
    settings = config.audit
    if settings.path is None:
        return SilentLog()
    try:
        return _log_folder(config, settings.path)
    except ConfigurationError as error:
        if settings.required:
            raise AuditFailed("The audit has no key, and nothing may happen without it.", detail=error.message) from error
        logger.warning("citewell goes on without an audit: %s", error.message)
        return SilentLog()


def _log_folder(config: Config, path: str) -> LogFolder:
    settings = config.audit
    return LogFolder(
        Path(path),
        _audit_key(config),
        _anchors(config),
        required=settings.required,
        rotate_mb=settings.rotate_mb,
        retention_days=settings.retention_days,
    )


def _audit_key(config: Config) -> bytes:
    return load_key(config.audit.key_file, config.revealed_secrets().get("CITEWELL_AUDIT_KEY", ""))


def _anchors(config: Config) -> Path:
    return Path(config.audit.key_file).parent / "anchors"


def local_principal(config: Config, via: str, policy: CurrentPolicy | None = None) -> Principal:
    """Return the local user as the surface ``via`` sees him, with the groups the access section gives him.

    Who asks again and again gives the ``policy`` he keeps, for changes to be seen.
    """
    scopes: frozenset[Scope] = frozenset({"read", "write", "admin"})
    return (policy or build_policy(config))().principal(LOCAL_USER, via=via, scopes=scopes)


def build_access(config: Config) -> AccessService:
    """Return the service that shows and changes who may read what."""
    store = open_configured_store(config)
    auditor = Auditor(build_audit(config), build_redactor(config))
    return AccessService(store=store, policy=build_policy(config), auditor=auditor)


def build_tokens(config: Config) -> TokenService:
    """Return the service that makes and revokes access tokens."""
    return TokenService(build_token_store(config), Auditor(build_audit(config), build_redactor(config)))


def build_audit_desk(config: Config) -> AuditService:
    """Return the service that reads the audit. Raises AuditFailed where none is kept, ConfigurationError without a key."""
    if config.audit.path is None:
        raise AuditFailed("The configuration keeps no audit: audit.path is null.")
    log = _log_folder(config, config.audit.path)
    archive = LogArchive(Path(config.audit.path), _audit_key(config), _anchors(config), log)
    return AuditService(archive, Auditor(log, build_redactor(config)))


def reader_address(config: Config) -> str:
    """Return the address of our own reader, up to the document id: what documents without an upstream one are cited by."""
    return f"{config.serve.place().address}/documents/"


def _configured(
    config: Config, settings: SourceSettings, secrets: dict[str, str], policy: CurrentPolicy, redactor: Redactor
) -> ConfiguredSource:
    recipe = Recipe(
        source=settings.name,
        collection=settings.collection,
        chunker=config.collections[settings.collection].chunker,
        chunk_chars=config.collections[settings.collection].chunk_chars,
        ids=settings.ids,
        policy=policy,
        redactor=redactor,
        redaction=settings.redaction or config.redaction.mode,
        url=settings.url or "",
        fields=settings.fields,
    )
    return ConfiguredSource(_open(config, settings, secrets), recipe, _editor(config, settings))


def _editor(config: Config, settings: SourceSettings) -> EditableFolder | None:
    """Return what writes the files of a source that may be written; nothing may while no key of redaction can be kept."""
    scheme, _, rest = settings.address.partition(":")
    if settings.editable and scheme != "folder":
        raise ConfigurationError(f"sources: {settings.name!r} cannot be editable; only a folder: can.")
    if not settings.editable or not _has_lasting_key(config):
        return None
    return EditableFolder(settings.name, Path(rest), include=settings.include, exclude=settings.exclude)


def _open(config: Config, settings: SourceSettings, secrets: dict[str, str]) -> Source:
    if not _has_lasting_key(config):
        where = config.redaction.key_file
        return RefusedSource(
            settings.name, SourceRefused(f"Nothing is indexed: the key of redaction cannot be kept at {where}.")
        )
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
