"""The address of the store: ``http://es:9200,http://qdrant:6333?prefix=citewell_&timeout=3``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from citewell.core.errors import ConfigurationError

TIMEOUT_SECONDS: Final = 3.0
DIALECTS: Final = ("auto", "elasticsearch", "opensearch")
OPTIONS: Final = ("prefix", "timeout", "ca", "dialect", "exact")
EXAMPLE: Final = "elastic+qdrant:http://localhost:9200,http://localhost:6333"

_PREFIX = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where both engines are.

    ``text`` is the http address of Elasticsearch or OpenSearch, without a user; ``vectors`` that of Qdrant, or ``:memory:``
    or a folder for its local mode. ``prefix`` begins the names of everything we keep. An engine has ``timeout`` seconds for
    one question. ``exact`` compares with every vector; without it Qdrant uses its graph.
    """

    text: str
    vectors: str
    user: str = ""
    password: str = field(default="", repr=False)
    prefix: str = "citewell_"
    timeout: float = TIMEOUT_SECONDS
    ca: str = ""
    dialect: str = "auto"
    exact: bool = True

    @property
    def remote_vectors(self) -> bool:
        """Whether Qdrant is a server."""
        return self.vectors.startswith(("http://", "https://"))


def parse_address(rest: str) -> Address:
    """Return what ``rest`` says, the address after ``elastic+qdrant:``. Raises ConfigurationError."""
    places, _, query = rest.partition("?")
    text, comma, vectors = places.partition(",")
    if not (text and comma and vectors):
        raise ConfigurationError(f"elastic+qdrant: needs the addresses of both engines, as in {EXAMPLE}.")
    parts = _split(text)
    if not vectors.startswith(("http://", "https://", ":memory:", "/", ".")):
        raise ConfigurationError(f"elastic+qdrant: the second address must be Qdrant's, as in {EXAMPLE}.")
    if "@" in vectors and "://" in vectors:
        raise ConfigurationError("elastic+qdrant: Qdrant takes no user; its key comes from QDRANT_API_KEY.")
    options = _options(query)
    host = parts.netloc.rpartition("@")[2]
    return Address(
        text=f"{parts.scheme}://{host}{parts.path.rstrip('/')}",
        vectors=vectors.rstrip("/"),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        prefix=_prefix(options.get("prefix", "citewell_")),
        timeout=_timeout(options.get("timeout", "")),
        ca=options.get("ca", ""),
        dialect=_choice("dialect", options.get("dialect", "auto"), DIALECTS),
        exact=_choice("exact", options.get("exact", "true"), ("true", "false")) == "true",
    )


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise ConfigurationError(f"elastic+qdrant: the first address must be that of Elasticsearch, as in {EXAMPLE}.")
    return parts


def _options(query: str) -> dict[str, str]:
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name in options:
        if name not in OPTIONS:
            raise ConfigurationError(f"elastic+qdrant: unknown option {name!r} (known: {', '.join(OPTIONS)}).")
    return options


def _prefix(text: str) -> str:
    if not _PREFIX.fullmatch(text):
        raise ConfigurationError("elastic+qdrant: prefix takes small letters, digits, '_' and '-', up to 64 of them.")
    return text


def _timeout(text: str) -> float:
    try:
        seconds = float(text or TIMEOUT_SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= 300:
        raise ConfigurationError("elastic+qdrant: timeout takes seconds, from 0.05 to 300.")
    return seconds


def _choice(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ConfigurationError(f"elastic+qdrant: {name} must be one of {', '.join(known)}.")
    return value
