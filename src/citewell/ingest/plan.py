"""What a sync has to do: the difference between a source as it is and the ledger of what was done before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from citewell.core.access import Acl
from citewell.core.model import LedgerEntry
from citewell.core.ports import Change, Note, Recorded, Remove, SetAccess, Snapshot, SourceFile


@dataclass(slots=True)
class Plan:
    """``read`` must be indexed anew; ``changes`` follow from the listing alone; ``settled`` accounts for all other files.

    ``removed`` counts documents whose file is gone or no longer wanted.
    """

    read: list[SourceFile] = field(default_factory=list[SourceFile])
    changes: list[Change] = field(default_factory=list[Change])
    settled: list[LedgerEntry] = field(default_factory=list[LedgerEntry])
    removed: int = 0


def plan_sync(
    source: str, snapshot: Snapshot, ledger: Mapping[str, Recorded], recipe: str, acl: Callable[[str], Acl]
) -> Plan:
    """Compare ``snapshot`` with ``ledger``. ``recipe`` names the way of indexing: another one means everything anew."""
    plan = Plan()
    for file in snapshot.files:
        recorded = ledger.get(file.path)
        if file.skip:
            _skip(plan, source, file, recorded)
        elif recorded is None or not _is_current(recorded.entry, file, recipe):
            plan.read.append(file)
        else:
            _keep(plan, source, recorded, acl(file.path))
    for path in sorted(ledger.keys() - {file.path for file in snapshot.files}):
        plan.changes.append(Remove(source=source, path=path))
        plan.removed += bool(ledger[path].entry.document_id)
    return plan


def _is_current(entry: LedgerEntry, file: SourceFile, recipe: str) -> bool:
    return entry.outcome != "failed" and entry.fingerprint == file.fingerprint and entry.recipe == recipe


def _skip(plan: Plan, source: str, file: SourceFile, recorded: Recorded | None) -> None:
    entry = LedgerEntry(path=file.path, outcome="skipped", reason=file.skip, fingerprint=file.fingerprint)
    if recorded is not None and recorded.entry.document_id:
        plan.changes.append(Remove(source=source, path=file.path, entry=entry))
        plan.removed += 1
    elif recorded is None or recorded.entry != entry:
        plan.changes.append(Note(source=source, entry=entry))
    plan.settled.append(entry)


def _keep(plan: Plan, source: str, recorded: Recorded, acl: Acl) -> None:
    entry = recorded.entry
    if recorded.acl is not None and recorded.acl != acl:
        plan.changes.append(SetAccess(source=source, path=entry.path, acl=acl))
    outcome = "unchanged" if entry.outcome == "indexed" else entry.outcome
    plan.settled.append(LedgerEntry(path=entry.path, outcome=outcome, reason=entry.reason))
