"""Documents, chunks, ledger entries and states as JSON in ASCII: any engine can keep it, and every string survives.

Lone surrogates, as file names have them, and NUL are escaped.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from citewell.core.model import Chunk, ChunkId, DocumentInfo, LedgerEntry, Lines, Window
from citewell.core.ports import SourceState


def dump_info(info: DocumentInfo) -> str:
    """Return the description of a document."""
    fields = {name: getattr(info, name) for name in DocumentInfo.__slots__}
    return _dump(fields | {"metadata": dict(info.metadata)})


def load_info(record: str) -> DocumentInfo:
    """Return what ``dump_info`` was given."""
    return DocumentInfo(**json.loads(record))


def dump_chunk(chunk: Chunk) -> str:
    """Return a chunk without its text, which every engine keeps beside it."""
    fields: dict[str, Any] = {name: getattr(chunk, name) for name in ("id", "ordinal", "start", "end", "symbol")}
    fields["lines"] = [chunk.lines.start, chunk.lines.end]
    fields["breadcrumb"] = list(chunk.breadcrumb)
    fields["metadata"] = dict(chunk.metadata)
    fields["windows"] = [[window.start, window.end] for window in chunk.windows]
    return _dump(fields)


def load_chunk(record: str, text: str) -> Chunk:
    """Return the chunk that ``dump_chunk`` was given; ``text`` is its text."""
    fields = json.loads(record)
    return Chunk(
        id=ChunkId(fields["id"]),
        ordinal=fields["ordinal"],
        start=fields["start"],
        end=fields["end"],
        text=text,
        lines=Lines(*fields["lines"]),
        breadcrumb=tuple(fields["breadcrumb"]),
        symbol=fields["symbol"],
        metadata=fields["metadata"],
        windows=tuple(Window(*window) for window in fields["windows"]),
    )


def dump_entry(entry: LedgerEntry) -> str:
    """Return an entry of the ledger."""
    return _dump(asdict(entry))


def load_entry(record: str) -> LedgerEntry:
    """Return what ``dump_entry`` was given."""
    return LedgerEntry(**json.loads(record))


def dump_state(state: SourceState) -> str:
    """Return the state of a source."""
    return _dump(asdict(state))


def load_state(record: str) -> SourceState:
    """Return what ``dump_state`` was given."""
    return SourceState(**json.loads(record))


def _dump(fields: dict[str, Any]) -> str:
    return json.dumps(fields, separators=(",", ":"))
