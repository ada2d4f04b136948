"""What a change comes to: the record of its file, and the rows that are written with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from citewell.adapters.stores.keywords import identity
from citewell.adapters.stores.milvus.conditions import token_keys
from citewell.adapters.stores.milvus.engine import Row
from citewell.adapters.stores.milvus.rows import Version, acl_of, file_record, record, text_records
from citewell.adapters.stores.records import dump_entry
from citewell.adapters.stores.versions import file_key, passages, place_of
from citewell.core.access import Acl
from citewell.core.model import StoredChunk
from citewell.core.ports import Change, Note, PinAccess, Remove, Replace, SetAccess


@dataclass(slots=True, kw_only=True)
class Plan:
    """What a change does to one file.

    ``before`` is its record as it was, or an empty one; ``after`` the record as it will be, None where nothing changes.
    ``rewritten`` says that its chunks are other ones now, ``opened`` that those it has get the ACL of ``after``.
    """

    before: Row
    after: Row | None = None
    rewritten: bool = False
    opened: bool = False
    stored: Replace | None = None
    version: Version | None = None
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def touched(self) -> bool:
        """Whether anything beside the file's own record changes."""
        return self.rewritten or self.opened

    @property
    def pieces(self) -> list[Row]:
        """The records of the document's text."""
        if self.stored is None or self.version is None:
            return []
        return text_records(self.stored.document.text, self.version)


def plan(change: Change, held: Row | None) -> Plan:
    """Return what ``change`` does to the file that ``held`` is the record of, None where there is none."""
    made = Plan(before=held or _empty(change))
    document = bool(made.before["held"])
    match change:
        case Replace():
            _replace(made, change)
        case Remove(entry=entry) if held is not None or entry is not None:
            made.rewritten = document
            made.after = _empty(change) | ({} if entry is None else {"entry": dump_entry(entry)})
        case Note(entry=entry):
            made.after = made.before | {"entry": dump_entry(entry)}
        case SetAccess(acl=acl) if document and not made.before["pinned"]:
            made.after, made.opened = made.before | _open_to(acl), True
        case PinAccess(acl=None) if document:
            made.after = made.before | {"pinned": False}
        case PinAccess(acl=own) if document and own is not None:
            made.after, made.opened = made.before | _open_to(own) | {"pinned": True}, True
        case _:
            pass
    return made


def _replace(made: Plan, change: Replace) -> None:
    pinned = bool(made.before["held"] and made.before["pinned"])
    made.version = Version.of(change, acl_of(made.before) if pinned else change.document.acl)
    made.after = file_record(change, made.version, pinned=pinned)
    made.stored, made.rewritten = change, True
    info = change.document.info
    made.texts = {name: text for chunk in change.chunks for name, text in passages(StoredChunk(chunk, info))}


def _open_to(acl: Acl) -> Row:
    return {"acl": token_keys(acl), "text": json.dumps(sorted(acl))}


def _empty(change: Change) -> Row:
    source, path = place_of(change)
    name = json.dumps([source, path, ""])
    return record(file_key(source, path), "file", source=identity("source", source), name=name, settled=True)
