"""Changes to distinct files that are written together, and what each of them comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from citewell.adapters.stores.elastic_qdrant.rows import Row, Version, chunk_rows, file_row
from citewell.adapters.stores.keywords import keyword, plain
from citewell.adapters.stores.records import dump_entry
from citewell.adapters.stores.versions import Analyze, file_key, generation, passages, place_of
from citewell.core.access import Acl
from citewell.core.model import LedgerEntry, StoredChunk
from citewell.core.ports import Change, Note, PinAccess, Remove, Replace, SetAccess


@dataclass(slots=True, kw_only=True)
class Plan:
    """What a change does to one file.

    ``row`` takes the place of the file's row, ``update`` is written into it. ``rewritten`` says that its chunks are other
    ones now; ``acl`` is what its chunks get where they stay.
    """

    key: str
    place: Row
    row: Row | None = None
    update: Row = field(default_factory=dict[str, Any])
    rewritten: bool = False
    chunks: Mapping[str, Row] = field(default_factory=dict[str, Row])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    acl: Acl | None = None

    @property
    def touched(self) -> bool:
        """Whether anything beside the file's own row changes."""
        return self.rewritten or self.acl is not None


def plan(change: Change, held: Row, analyze: Analyze) -> Plan:
    """Return what ``change`` does to the file that ``held`` is the row of, empty where there is none."""
    source, path = place_of(change)
    made = Plan(key=file_key(source, path), place={"source": keyword(source), "path": keyword(path)})
    made.place["key"] = made.key
    is_document = bool(held.get("held"))
    match change:
        case Replace():
            _replace(made, change, held if is_document else {}, analyze)
        case Remove(entry=entry):
            made.rewritten = bool(held)
            made.row = made.place | ({} if entry is None else _ledger(entry))
        case Note(entry=entry):
            made.update = made.place | _ledger(entry)
        case SetAccess(acl=acl) if is_document and not held.get("pinned"):
            made.acl = acl
        case PinAccess(acl=None) if is_document:
            made.update = {"pinned": False}
        case PinAccess(acl=own) if is_document:
            made.acl, made.update = own, {"pinned": True}
        case _:
            pass
    if made.acl is not None:
        made.update["acl"] = sorted(keyword(token) for token in made.acl)
    return made


def acl_of(row: Row) -> Acl:
    """Return the ACL that a row keeps."""
    return frozenset(plain(token) for token in row.get("acl", ()))


def _replace(made: Plan, change: Replace, held: Row, analyze: Analyze) -> None:
    pinned = bool(held.get("pinned"))
    acl = acl_of(held) if pinned else change.document.acl
    version = Version(file=made.key, generation=generation(change), acl=acl)
    made.row = file_row(change, version) | {"pinned": pinned} | _ledger(change.entry)
    made.chunks = chunk_rows(change, version, analyze)
    made.texts = {name: text for chunk in change.chunks for name, text in passages(StoredChunk(chunk, change.document.info))}
    made.rewritten = True


def _ledger(entry: LedgerEntry) -> Row:
    return {"entry": dump_entry(entry), "outcome": entry.outcome}
