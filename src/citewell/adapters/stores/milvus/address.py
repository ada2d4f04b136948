"""The address of the store: ``http://milvus:19530?prefix=kb_&timeout=5``, or ``./kb.db`` for Milvus Lite in a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from citewell.core.errors import ConfigurationError

TIMEOUT_SECONDS: Final = 5.0
EXAMPLE: Final = "milvus:http://localhost:19530"
INDEXES: Final = ("FLAT", "IVF_FLAT", "IVF_SQ8", "HNSW", "AUTOINDEX")
OPTIONS: Final = ("prefix", "timeout", "index", "database", "ca")

_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_DATABASE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,254}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where Milvus is.

    ``prefix`` begins the names of our collections. Milvus has ``timeout`` seconds for one question. ``index`` is that of the
    vectors: FLAT compares with every one of them, the others find most of what is nearest. ``ca`` is a file of certificates.
    """

    uri: str
    prefix: str = ""
    timeout: float = TIMEOUT_SECONDS
    index: str = "FLAT"
    database: str = ""
    ca: str = ""

    @property
    def remote(self) -> bool:
        """Whether it is a server and no file."""
        return self.uri.startswith(("http://", "https://"))


def parse_address(rest: str) -> Address:
    """Return what ``rest`` says, the address after ``milvus:``. Raises ConfigurationError."""
    uri, _, query = rest.partition("?")
    options = _options(query)
    index = options.get("index", "FLAT").upper()
    if index not in INDEXES:
        raise ConfigurationError(f"milvus: index must be one of {', '.join(INDEXES)}, not {index!r}.")
    if options.get("prefix") and not _PREFIX.fullmatch(options["prefix"]):
        raise ConfigurationError("milvus: prefix must be letters, digits and underscores, and begin with no digit.")
    if options.get("database") and not _DATABASE.fullmatch(options["database"]):
        raise ConfigurationError("milvus: database must be letters, digits and underscores, and begin with no digit.")
    return Address(
        uri=_uri(uri),
        prefix=options.get("prefix", ""),
        timeout=_seconds(options.get("timeout")),
        index=index,
        database=options.get("database", ""),
        ca=options.get("ca", ""),
    )


def _uri(uri: str) -> str:
    if not uri.startswith(("http://", "https://")):
        if uri.endswith(".db"):
            return uri
        raise ConfigurationError(f"milvus: needs the address of a server, as in {EXAMPLE}, or a file such as ./kb.db.")
    try:
        parts = urlsplit(uri)
        known = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known or parts.path.strip("/"):
        raise ConfigurationError(f"milvus: this is no address of a server; it looks like {EXAMPLE}.")
    if "@" in parts.netloc:
        raise ConfigurationError("milvus: the address takes no user; user:password or an API key come from MILVUS_TOKEN.")
    return uri.rstrip("/")


def _options(query: str) -> dict[str, str]:
    pairs = parse_qsl(query, keep_blank_values=True)
    unknown = sorted({name for name, _ in pairs} - set(OPTIONS))
    if unknown:
        raise ConfigurationError(f"milvus: unknown option {unknown[0]!r} (known: {', '.join(OPTIONS)}).")
    return dict(pairs)


def _seconds(text: str | None) -> float:
    if text is None:
        return TIMEOUT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 600:
        raise ConfigurationError("milvus: timeout must be seconds, more than 0 and at most 600.")
    return seconds
