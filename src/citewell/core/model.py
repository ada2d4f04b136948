"""What is indexed: documents, the chunks they are cut into, and the windows a chunk is embedded by."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NewType

from citewell.core.access import Acl

ChunkId = NewType("ChunkId", str)
"""Internal identity of a chunk: stable while the chunk's own section is unchanged."""

PassageHash = NewType("PassageHash", str)
"""Hash of a text to embed; equal texts share one vector."""

READER: Final = "{reader}"
"""Stands at the beginning of a permalink for the address of our own reader."""

NO_METADATA: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """Line numbers of a span, counted from 1, both ends included."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a chunk that is embedded as one vector: character offsets into the chunk's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """A document without its text.

    ``title`` is the one the text gives itself, empty where it gives none; ``label`` is what people are shown.
    ``permalink`` may hold ``{start}`` and ``{end}``, which stand for line numbers, after its last ``#`` or ``?``. It begins
    with ``{reader}`` where the source has no address of its own: the service puts in where our own reader answers.
    """

    source: str
    collection: str
    id: str
    path: str
    title: str
    language: str
    kind: str
    permalink: str
    version: str | None = None
    commit: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)

    @property
    def label(self) -> str:
        """The title, or else the file's name."""
        return self.title or file_label(self.path)

    def url(self, lines: Lines | None = None) -> str:
        """Return the address of the document, or of ``lines`` in it. Never empty."""
        if lines is not None:
            return self.permalink.replace("{start}", str(lines.start)).replace("{end}", str(lines.end))
        head, mark, _ = self.permalink.partition("{start}")
        return head[: max(head.rfind("#"), head.rfind("?"))] if mark else head

    def field(self, name: str) -> str | None:
        """Return the field ``name`` (see `citewell.core.fields`)."""
        return (self.version if name == "version" else None) or self.metadata.get(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One file, page, issue thread or text, as it is stored: decoded, normalised, redacted."""

    info: DocumentInfo
    text: str
    acl: Acl


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """An exact span of a document: ``document.text[start:end] == text``.

    ``breadcrumb`` holds the headings above the span, outermost first; ``symbol`` the qualified name of the function, class
    or resource it defines. Both are fields for ranking and citing, never part of ``text``.
    """

    id: ChunkId
    ordinal: int
    start: int
    end: int
    text: str
    lines: Lines
    breadcrumb: tuple[str, ...] = ()
    symbol: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)
    windows: tuple[Window, ...] = ()

    def passage(self, window: Window, title: str) -> str:
        """Return the text that is embedded for ``window``: its context, then its words.

        The path is left out on purpose: a renamed file keeps its vectors.
        """
        names = [title, *self.breadcrumb, *([self.symbol] if self.symbol else [])]
        context = " > ".join(dict.fromkeys(name for name in names if name))
        words = self.text[window.start : window.end]
        return f"{context}\n{words}" if context else words


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk together with the document it belongs to."""

    chunk: Chunk
    info: DocumentInfo

    @property
    def shown_id(self) -> str:
        """The identity people and agents see: ``doc_id:ordinal``."""
        return f"{self.info.id}:{self.chunk.ordinal}"

    @property
    def section(self) -> str:
        """Where the chunk stands, as people read it: ``Timeouts > Fine tuning``, or the symbol of code."""
        return self.chunk.symbol or " > ".join(dict.fromkeys(filter(None, (self.info.title, *self.chunk.breadcrumb))))

    @property
    def url(self) -> str:
        """The address of the chunk's own lines."""
        return self.info.url(self.chunk.lines)

    @property
    def version(self) -> str | None:
        """The version the chunk speaks of: its own, as in a changelog, or else its document's."""
        return self.chunk.metadata.get("version") or self.info.version

    def field(self, name: str) -> str | None:
        """Return the chunk's own field ``name`` (see `citewell.core.fields`), or else its document's."""
        return self.chunk.metadata.get(name) or self.info.field(name)


Outcome = Literal["indexed", "unchanged", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What became of one file of a source, and why.

    ``fingerprint`` changes when the file does; ``recipe`` when the way of indexing it does.
    """

    path: str
    outcome: Outcome
    reason: str = ""
    fingerprint: str = ""
    recipe: str = ""
    document_id: str = ""


def file_label(path: str) -> str:
    """Return what people call the file at ``path``: its name, that of plain text without the ending."""
    name = path.rsplit("/", 1)[-1]
    return name.removesuffix(".txt") or name


def passage_hash(text: str) -> PassageHash:
    """Return the identity of ``text`` for the embedding cache: 128 bits of SHA-256, in hexadecimal."""
    return PassageHash(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32])


def chunk_id(source: str, document_id: str, span_path: str) -> ChunkId:
    """Return the id of the chunk at ``span_path`` (breadcrumb, symbol and repetition) of a document."""
    key = "\x00".join((source, document_id, span_path))
    return ChunkId(hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:24])
