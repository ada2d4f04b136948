"""The sections of ``citewell.yaml``, with the values they take and those they start with."""

from __future__ import annotations

import difflib
import os.path
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from citewell.config.addresses import anchored
from citewell.config.place import Place
from citewell.core.fields import FILTER_FIELDS
from citewell.core.requests import MAX_RESULTS, Mode
from citewell.core.tools import TOOL_TIMEOUT_SECONDS

Name = Annotated[str, Field(pattern=r"^[a-z0-9_][a-z0-9_-]*$", max_length=64)]
ToolName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*$", max_length=64)]
OnFailure = Literal["degrade", "error"]
RedactionMode = Literal["redact", "report", "refuse"]


def _refuse_truth(value: Any) -> Any:
    """Refuse a truth value, which Pydantic would count as 0 or 1."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "must be a whole number")
    return value


def _known_field(name: str) -> str:
    if name not in FILTER_FIELDS:
        problem = f"unknown field{suggestion(name, list(FILTER_FIELDS))} (known: {', '.join(FILTER_FIELDS)})"
        raise PydanticCustomError("unknown_field", "{problem}", {"problem": problem})
    return name


Count = Annotated[int, BeforeValidator(_refuse_truth)]
FieldName = Annotated[str, AfterValidator(_known_field)]
JwtAlgorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]


def anchored_path(path: str, info: ValidationInfo) -> str:
    """Return ``path`` made absolute from the folder that validation was given, if it was given one."""
    folder = getattr(info.context, "folder", None)
    return os.path.normpath(folder / os.path.expanduser(path)) if isinstance(folder, Path) else path


AnchoredPath = Annotated[str, AfterValidator(anchored_path)]


def suggestion(word: str, known: list[str]) -> str:
    """Return ``; did you mean …?`` when one of ``known`` is close to ``word``, else nothing."""
    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


class Section(BaseModel):
    """A part of the configuration: read-only, and closed to keys that mean nothing.

    ``later`` names the keys that are planned but would have no effect in this version.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    later: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def known_keys(cls) -> list[str]:
        """Return the keys that the section has, as they are written in the file."""
        return sorted(field.alias or name for name, field in cls.model_fields.items())

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: Any) -> Any:
        known = cls.known_keys()
        for key in data if isinstance(data, Mapping) else ():
            if key in cls.later:
                raise PydanticCustomError("unknown_key", "not in this version; take it out", {"at": (key,)})
            if key not in known:
                problem = f"unknown key{suggestion(key, known)} (known here: {', '.join(known)})"
                raise PydanticCustomError("unknown_key", "{problem}", {"at": (key,), "problem": problem})
        return data


class AllowedValue(Section):
    """A value that looks like a secret or personal datum and may stay."""

    value: str = Field(min_length=1)
    """The value as it stands in the text; ``*`` stands for any characters, capitals count as small letters."""
    reason: str = Field(min_length=1)
    """Why it may stay."""


class RedactionSettings(Section):
    """What happens to secrets and personal data before anything is cut, embedded or stored."""

    mode: RedactionMode = "redact"
    """Put a placeholder in place of each, such as ``[EMAIL:3f9a]``; only report them; or refuse the file."""
    phone_regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ()
    """Countries, as ``TR`` or ``US``, whose national telephone numbers are found; international ones always are."""
    allow: tuple[AllowedValue, ...] = ()
    """Values that may stay, each with the reason."""
    detectors: tuple[str, ...] = ()
    """Further detectors; see the addresses below."""
    key_file: AnchoredPath = Field(default="./.citewell/keys/redaction", min_length=1, validate_default=True)
    """Where the key of the placeholders is kept, made at first use; the variable CITEWELL_REDACTION_KEY comes before it."""


class JwtSettings(Section):
    """Signed tokens of an identity provider (JWT) that are accepted over HTTP."""

    issuer: str = Field(min_length=1)
    """The ``iss`` that a token must carry."""
    audience: str = Field(min_length=1)
    """The ``aud`` that a token must carry: the name of this server at the provider."""
    jwks: str | None = None
    """The provider's keys: an https address, or a file. Else as the issuer's discovery document says."""
    algorithms: tuple[JwtAlgorithm, ...] = ("RS256", "ES256", "EdDSA")
    """The only signatures that count."""
    user_claim: str = "sub"
    """The claim that names the user for ``access.users``; ``email`` counts only where ``email_verified`` is true."""
    groups_claim: str = "groups"
    """The claim that lists his groups, beside those of ``access``."""

    @field_validator("jwks")
    @classmethod
    def _anchor(cls, address: str | None, info: ValidationInfo) -> str | None:
        return address if address is None or "://" in address else anchored_path(address, info)


class AuthSettings(Section):
    """How callers over HTTP show who they are. Without it only this machine is served, as the user ``local``."""

    tokens: bool = True
    """Accept tokens made by ``citewell token create``."""
    tokens_file: AnchoredPath = Field(default="./.citewell/tokens.json", min_length=1, validate_default=True)
    """Where the tokens' hashes are kept."""
    jwt: JwtSettings | None = None
    """Accept tokens of an identity provider."""
    anonymous: bool = False
    """Serve those who show nothing, as the user ``anonymous``: what is open to the group ``public``, and his own groups."""


class AuditSettings(Section):
    """The log of who asked what and saw which passages, one JSON line per call."""

    path: AnchoredPath | None = Field(default="./.citewell/audit", min_length=1, validate_default=True)
    """The folder of the log; ``null`` keeps none."""
    required: bool = False
    """Whether a call fails with ``AUDIT_FAILED`` when it cannot be written down."""
    key_file: AnchoredPath = Field(default="./.citewell/keys/audit", min_length=1, validate_default=True)
    """Where the key of the chain is kept, made at first use. Keep it where writers of the log folder cannot write; the
    variable CITEWELL_AUDIT_KEY comes before it."""
    rotate_mb: Count = Field(default=64, ge=1, le=4096)
    """A file that has grown larger than this is followed by another."""
    retention_days: Count | None = Field(default=None, ge=1)
    """Lines older than this are deleted, a day's file at a time, when the next is begun; all are kept when ``null``."""


class RetrievalSettings(Section):
    """How a search runs: results shown, candidates taken from each list, and what a failing model means."""

    later = frozenset({"budget_ms"})
    k: Count = Field(default=8, ge=1, le=MAX_RESULTS)
    """How many results a search shows, unless it says so itself."""
    candidates: Count = Field(default=50, ge=1, le=1000)
    """How many passages BM25 and vectors each contribute; at least ``k``."""
    mode: Mode = "auto"
    """How a search is made that does not say it itself: as its intent wants, by both lists, by words or by meaning alone."""
    on_failure: OnFailure = "degrade"
    """When a model fails: go on without and say ``dense_unavailable`` or ``reranker_unavailable``, or end with
    ``EMBEDDING_FAILED`` or ``VECTOR_SEARCH_FAILED``."""

    threshold: float | None = Field(default=None, ge=0, le=1)
    """A best score below it is ``NO_RELEVANT_RESULT``, and nothing to search ``KB_NOT_FOUND``; lists are empty when null."""

    @model_validator(mode="after")
    def _enough_candidates(self) -> Self:
        if self.candidates < self.k:
            raise PydanticCustomError("too_few", "must be at least k ({k})", {"at": ("candidates",), "k": self.k})
        return self


class RerankSettings(Section):
    """What the reranker may cost. It reorders the best candidates of searches in which vectors take part."""

    pool: Count = Field(default=10, ge=1, le=100)
    """How many of the best candidates it reorders, however many results are asked for."""
    chars: Count = Field(default=1000, ge=50, le=10_000)
    """How many characters of each it reads."""
    budget_ms: Count | None = Field(default=None, ge=1)
    """How long it may take; then the order stays as it was, and the result says ``reranker_timeout``."""


class ServeSettings(Section):
    """Where ``citewell serve`` listens, and the address under which others reach it."""

    host: str = Field(default="127.0.0.1", min_length=1)
    """The address to listen on. Any but one of this machine needs ``auth`` and ``allowed_hosts``."""
    port: Count = Field(default=8080, ge=0, le=65535)
    """The port of ``citewell serve``, and of the addresses by which files without a page of their own are cited."""
    public_url: str | None = None
    """The address citations begin with instead of host and port, and the one that tokens are issued for."""
    allowed_hosts: tuple[str, ...] = ()
    """Names, with the port where it is not the usual one, by which others may reach the server: ``kb.example.org``."""
    timeout: Count = Field(default=TOOL_TIMEOUT_SECONDS, ge=1, le=3600)
    """How many seconds a search or an answer over REST may take; a tool has a ``timeout`` of its own."""

    def place(self) -> Place:
        """Return where the server listens, and by which names it is reached."""
        return Place(host=self.host, port=self.port, public_url=self.public_url, allowed_hosts=self.allowed_hosts)

    @field_validator("public_url")
    @classmethod
    def _check_url(cls, url: str | None) -> str | None:
        if url is None:
            return None
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("must be an address such as https://kb.example.org, without a user name")
        return url.rstrip("/")


def anchored_in_context(address: str, info: ValidationInfo) -> str:
    """Return ``address`` with its path made absolute from the folder that validation was given, if it was given one."""
    folder = getattr(info.context, "folder", None)
    return anchored(address, folder) if isinstance(folder, Path) else address
