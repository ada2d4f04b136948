"""The whole configuration, and where each of its values came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, PrivateAttr, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from citewell.config.access import AccessSettings
from citewell.config.keys import KeyPath, dotted, key_path, values
from citewell.config.masking import MASK, masked
from citewell.config.sections import (
    AuditSettings,
    AuthSettings,
    Name,
    RedactionSettings,
    RerankSettings,
    RetrievalSettings,
    Section,
    ServeSettings,
    anchored_in_context,
    suggestion,
)
from citewell.config.sources import CollectionSettings, SourceSettings
from citewell.config.tools import ToolSettings
from citewell.core.access import OPEN_POLICY, AccessPolicy
from citewell.core.tools import Tool

LayerName = Literal["default", "file", "environment", "flag"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from: the layer, and the line, variable or flag in it."""

    layer: LayerName
    where: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of the configuration, fit to be shown: credentials in it are masked."""

    key: str
    value: Any
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What is known about a configuration besides its values. Relative paths were resolved from ``folder``.

    ``overrides`` are what the command line put in place of values of the file.
    """

    folder: Path
    file: Path | None = None
    origins: Mapping[KeyPath, Origin] = field(default_factory=dict[KeyPath, Origin])
    secrets: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    overrides: Mapping[str, str] = field(default_factory=dict[str, str])


class Config(Section):
    """Everything that can be configured. Addresses are ``scheme:rest``; relative paths in them are made absolute."""

    store: str = Field(default="embedded:./.citewell", min_length=1, validate_default=True)
    """Where the index is kept; see the addresses below."""
    embedder: str = Field(default="bundled:", min_length=1)
    """The model that turns texts into vectors; see the addresses below. With another, all is embedded anew."""
    query_instruction: str = ""
    """What the model reads before every query, for models that were trained with it; passages stay as they are."""
    reranker: str = Field(default="none:", min_length=1)
    """The model that reorders the best candidates; see the addresses below."""
    generator: Literal["extractive:"] = "extractive:"
    """Answers are quotations; no other in this version."""
    collections: Mapping[Name, CollectionSettings] = Field(default_factory=dict)
    """Kinds of content, by name: how they are cut and ranked, and what a search or tool may be limited to."""
    sources: tuple[SourceSettings, ...] = ()
    """What is indexed."""
    access: AccessSettings | None = None
    """Who may read what. Without it everybody who reaches citewell may read everything."""
    redaction: RedactionSettings = Field(default_factory=dict, validate_default=True)
    """What happens to secrets and personal data."""
    retrieval: RetrievalSettings = RetrievalSettings()
    """How a search runs."""
    rerank: RerankSettings = RerankSettings()
    """What the reranker may cost."""
    tools: tuple[ToolSettings, ...] = ()
    """The tools that agents are offered, in place of those citewell ships with."""
    serve: ServeSettings = ServeSettings()
    """Where the server listens."""
    auth: AuthSettings | None = None
    """How callers over HTTP show who they are. Without it only this machine is served, as the user ``local``."""
    audit: AuditSettings = Field(default_factory=dict, validate_default=True)
    """The log of who asked what and saw which passages."""
    _provenance: Provenance = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Keep what the loader knows; a configuration built in code has no file."""
        self._provenance = context if isinstance(context, Provenance) else Provenance(folder=Path.cwd())

    @field_validator("access", mode="before")
    @classmethod
    def _refuse_nothing(cls, access: Any) -> Any:
        if access is None:
            raise ValueError("is empty; write {} to close everything to everybody, or take the key out to open it")
        return access

    @field_validator("store", "embedder")
    @classmethod
    def _anchor(cls, address: str, info: ValidationInfo) -> str:
        return anchored_in_context(address, info)

    @field_validator("generator", mode="before")
    @classmethod
    def _refuse_later_choices(cls, address: Any, info: ValidationInfo) -> Any:
        only = cls.model_fields[info.field_name or ""].default
        if address != only:
            raise ValueError(f"must be {only!r} in this version")
        return address

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for section, items in (("sources", self.sources), ("tools", self.tools)):
            names = [item.name for item in items]
            for position, name in enumerate(names):
                if name in names[:position]:
                    at = (section, position, "name")
                    raise PydanticCustomError("repeated", "{name} is taken; names are unique", {"at": at, "name": repr(name)})
        return self

    @model_validator(mode="after")
    def _check_collections(self) -> Self:
        for path, name in self._named_collections():
            if name not in self.collections:
                hint = suggestion(name, list(self.collections)) or "; declare it under `collections:`"
                context = {"at": path, "problem": f"the collection {name!r} is not declared{hint}"}
                raise PydanticCustomError("undeclared", "{problem}", context)
        return self

    def _named_collections(self) -> Iterator[tuple[KeyPath, str]]:
        for position, source in enumerate(self.sources):
            yield ("sources", position, "collection"), source.collection
        for position, tool in enumerate(self.tools):
            for place, name in enumerate(tool.collections):
                yield ("tools", position, "collections", place), name

    @property
    def file(self) -> Path | None:
        """The file that was read; None when the configuration was built in code."""
        return self._provenance.file

    @property
    def folder(self) -> Path:
        """The folder that relative paths are relative to."""
        return self._provenance.folder

    @property
    def overrides(self) -> Mapping[str, str]:
        """The values that came from the command line, as they were typed, by their dotted keys."""
        return self._provenance.overrides

    @property
    def cache_folder(self) -> Path:
        """Where copies of remote sources are kept: beside an embedded store, else under ``folder``."""
        scheme, _, rest = self.store.partition(":")
        return (Path(rest) if scheme == "embedded" else self.folder / ".citewell") / "cache"

    @property
    def secrets(self) -> Mapping[str, SecretStr]:
        """The secrets the environment holds, by the names people know."""
        return self._provenance.secrets

    def revealed_secrets(self) -> dict[str, str]:
        """Return the secrets in clear, for the adapters that sign in with them and for nobody else."""
        return {name: secret.get_secret_value() for name, secret in self.secrets.items()}

    def origin(self, key: str) -> Origin:
        """Return where the value at the dotted ``key`` came from."""
        return self._provenance.origins.get(key_path(key), Origin("default"))

    def settings(self) -> list[Setting]:
        """Return every value in the order of the sections, then the secrets; what is secret is masked."""
        dump = self.model_dump(mode="json", by_alias=True)
        secrets = [Setting(name, MASK, Origin("environment", name)) for name in self.secrets]
        return [self._setting(path, value) for path, value in values(dump, into_lists=True)] + secrets

    def _setting(self, path: KeyPath, value: Any) -> Setting:
        shown = masked(value) if isinstance(value, str) else value
        return Setting(dotted(path), shown, self._provenance.origins.get(path, Origin("default")))

    def policy(self) -> AccessPolicy:
        """Return who may read what: everybody everything while there is no ``access`` section."""
        return OPEN_POLICY if self.access is None else self.access.policy()

    def declared_tools(self) -> tuple[Tool, ...]:
        """Return the tools that the configuration declares; none means the surface's own."""
        return tuple(settings.tool() for settings in self.tools)
