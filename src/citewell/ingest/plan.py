"""What a sync has to do: the difference between a source as it is and the ledger of what was done before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from citewell.core.access import Acl
from citewell.core.model import LedgerEntry
from citewell.core.ports import Change, Note, Recorded, Remove, SetAccess, Snapshot, SourceFile
from citewell.ingest.disguise import is_disguised

NOBODY: Acl = frozenset()


@dataclass(slots=True)
class Plan:
    """``read`` must be indexed anew; ``changes`` follow from the listing alone; ``settled`` accounts for all other files.

    ``removed`` counts documents whose file is gone or no longer wanted.
    """

    read: list[SourceFile] = field(default_factory=list[SourceFile])
    changes: list[Change] = field(default_factory=list[Change])
    settled: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    removed: int = 0


def change_access(source: str, ledger: Mapping[str, Recorded], acl: Callable[[str], Acl]) -> list[Change]:
    """Return what gives every document of ``ledger`` the ACL it should have now, whether its file can be read or not."""
    return [
        SetAccess(source=source, path=path, acl=acl(path))
        for path, recorded in ledger.items()
        if recorded.acl is not None and not recorded.pinned and recorded.acl != acl(path)
    ]


def follow_policy(source: str, ledger: Mapping[str, Recorded], acl: Callable[[str], Acl]) -> list[Change]:
    """Return what `change_access` does for a source that is not listed: a disguised path then says nothing of its rules.

    Such a document is closed until it has been.
    """
    return change_access(source, ledger, lambda path: unlisted_acl(acl, path))


def unlisted_acl(acl: Callable[[str], Acl], path: str) -> Acl:
    """Return the ACL of a path by itself: nobody's where it is disguised, for only a listing knows its rules."""
    return NOBODY if is_disguised(path) else acl(path)


def open_disguised(
    source: str, ledger: Mapping[str, Recorded], files: Iterable[SourceFile], recipe: str, acl: Callable[[str], Acl]
) -> list[Change]:
    """Return what gives the documents of disguised paths the ACL of the files that are listed now.

    One that is to be indexed anew is closed until it has been: what goes by its name now may be another file.
    """
    listed = {file.path: file for file in files}

    def found(path: str) -> Acl:
        current = path in listed and _is_current(ledger[path].entry, listed[path], recipe)
        return acl(path) if current else NOBODY

    return change_access(source, {path: ledger[path] for path in ledger if is_disguised(path)}, found)


def plan_sync(source: str, snapshot: Snapshot, ledger: Mapping[str, Recorded], recipe: str) -> Plan:
    """Compare ``snapshot`` with ``ledger``. ``recipe`` names the way of indexing: another one means everything anew."""
    plan = Plan()
    for file in snapshot.files:
        recorded = ledger.get(file.path)
        if file.skip:
            _skip(plan, source, file, recorded)
        elif recorded is None or not _is_current(recorded.entry, file, recipe):
            plan.read.append(file)
        else:
            plan.settled.append(_unchanged(recorded.entry))
    for path in sorted(ledger.keys() - {file.path for file in snapshot.files}):
        plan.changes.append(Remove(source=source, path=path))
        plan.removed += _has_document(ledger[path])
    return plan


def _is_current(entry: LedgerEntry, file: SourceFile, recipe: str) -> bool:
    return entry.outcome != "failed" and entry.fingerprint == file.fingerprint and entry.recipe == recipe


def _has_document(recorded: Recorded) -> bool:
    """Say whether a document is kept at that path; a file that failed may still have the one of an earlier sync."""
    return recorded.acl is not None


def _skip(plan: Plan, source: str, file: SourceFile, recorded: Recorded | None) -> None:
    entry = LedgerEntry(path=file.path, outcome="skipped", reason=file.skip, fingerprint=file.fingerprint)
    if recorded is not None and _has_document(recorded):
        plan.changes.append(Remove(source=source, path=file.path, entry=entry))
        plan.removed += 1
    elif recorded is None or recorded.entry != entry:
        plan.changes.append(Note(source=source, entry=entry))
    plan.settled.append(entry)


def _unchanged(entry: LedgerEntry) -> LedgerEntry:
    outcome = "unchanged" if entry.outcome == "indexed" else entry.outcome
    return LedgerEntry(path=entry.path, outcome=outcome, reason=entry.reason)
