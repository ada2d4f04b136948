"""Bringing the store up to date with a source, file by file; and the vectors after the text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice

import anyio

from citewell.core.access import AccessPolicy, Acl
from citewell.core.errors import SourceError
from citewell.core.model import LedgerEntry
from citewell.core.ports import (
    Change,
    CurrentPolicy,
    Embedder,
    Note,
    Recorded,
    Remove,
    Replace,
    Snapshot,
    Source,
    SourceState,
    Store,
)
from citewell.core.requests import FoundSecret, Progress, SourceReport
from citewell.ingest.access import follow_rules
from citewell.ingest.disguise import Disguise, is_disguised
from citewell.ingest.indexing import Indexed, Recipe, index_file
from citewell.ingest.plan import NOBODY, Plan, change_access, follow_policy, open_disguised, plan_sync

Report = Callable[[Progress], None]
Owners = dict[tuple[str, Acl], str]

FILES_AT_ONCE = 32
PASSAGES_AT_ONCE = 32

PASSAGES_AHEAD = 512
"""How many passages are fetched at a time: to find the first that waits, a store may have to pass by all that are done."""


async def sync_source(source: Source, recipe: Recipe, store: Store, report: Report) -> SourceReport:
    """Make the store equal to the source. A file that cannot be indexed is accounted for and stops nothing.

    Access comes first: a document whose file or source cannot be read any more is still closed to whom it no longer concerns.
    """
    report(Progress(stage="listing", source=source.name, done=0, total=0))
    policy, ledger = await _change_access(store, source.name, recipe.policy)
    try:
        listed = await anyio.to_thread.run_sync(source.snapshot)
    except SourceError as error:
        if (await _known_state(store, source.name, recipe.collection)).access != policy.stamp:
            await store.apply(follow_policy(source.name, ledger, policy.acl))
        await _mark_incomplete(store, source.name, recipe.collection, policy)
        return SourceReport(source=source.name, error=error.code, message=recipe.redactor.redact(error.message).text)
    if recipe.policy().stamp != policy.stamp:
        policy, ledger = await _change_access(store, source.name, recipe.policy)
    disguise = Disguise.of(listed, recipe.redactor, keep=recipe.redaction == "report")
    acl = lambda path: policy.acl(disguise.real_path(path))  # noqa: E731
    await store.apply(open_disguised(source.name, ledger, disguise.snapshot.files, recipe.stamp, acl))
    plan = plan_sync(source.name, disguise.snapshot, ledger, recipe.stamp)
    # Also where nothing has changed: otherwise whoever watches would see that something has which he may not read.
    await _mark_incomplete(store, source.name, recipe.collection, policy)
    await store.apply(plan.changes)
    indexing = Indexing(source, disguise, plan, recipe, store, ledger, _owners(plan, ledger, acl), policy)
    indexed = await indexing.run(report)
    await store.set_state(_state(source.name, recipe.collection, disguise.snapshot, indexing.policy))
    return SourceReport(
        source=source.name,
        entries=tuple(sorted(plan.settled + indexed, key=lambda entry: entry.path)),
        excluded=listed.excluded,
        removed=plan.removed,
        findings=tuple(sorted(indexing.findings)),
    )


async def no_rules() -> None:
    """Do nothing: there are no access rules that could have changed."""


async def embed_pending(
    store: Store, embedder: Embedder, report: Report, follow: Callable[[], Awaitable[None]] = no_rules
) -> int:
    """Embed what waits in the queue, a durable batch at a time; return how many passages that was.

    ``follow`` is called between batches: other processes wait for the one that writes to notice changed access rules.
    Raises EmbeddingFailed; what was embedded before stays.
    """
    done, total = await store.progress(embedder.name)
    began = done
    while waiting := await store.pending(embedder.name, PASSAGES_AHEAD):
        for start in range(0, len(waiting), PASSAGES_AT_ONCE):
            batch = waiting[start : start + PASSAGES_AT_ONCE]
            report(Progress(stage="embedding", source="", done=done - began, total=total - began))
            vectors = await embedder.embed([passage.text for passage in batch], "passage")
            await store.put_vectors(embedder.name, {p.hash: vector for p, vector in zip(batch, vectors, strict=True)})
            done += len(batch)
            await follow()
    report(Progress(stage="embedding", source="", done=done - began, total=total - began))
    return done - began


@dataclass(slots=True)
class Indexing:
    """The files of one plan on their way into the store. ``policy`` is the one that the ACLs written so far follow."""

    source: Source
    disguise: Disguise
    plan: Plan
    recipe: Recipe
    store: Store
    ledger: Mapping[str, Recorded]
    owners: Owners
    policy: AccessPolicy
    findings: list[FoundSecret] = field(default_factory=list[FoundSecret])

    async def run(self, report: Report) -> list[LedgerEntry]:
        """Index every file that the plan wants read; return what became of each."""
        entries: list[LedgerEntry] = []
        prepared = self._prepared()
        while batch := await anyio.to_thread.run_sync(lambda: list(islice(prepared, FILES_AT_ONCE))):
            changes = [self._settled(indexed.change) for indexed in batch]
            await self.store.apply(changes)
            entries += [_entry(change) for change in changes]
            self.findings += [finding for indexed in batch for finding in indexed.findings]
            await self._follow()
            report(Progress(stage="indexing", source=self.source.name, done=len(entries), total=len(self.plan.read)))
        await self._follow()
        return entries

    def _prepared(self) -> Iterator[Indexed]:
        snapshot, files = self.disguise.snapshot, self.plan.read
        for start in range(0, len(files), FILES_AT_ONCE):
            for contents in self.disguise.read(self.source, files[start : start + FILES_AT_ONCE]):
                acl = self.recipe.acl(self.disguise.real_path(contents.file.path))
                yield index_file(contents, self.recipe, acl=acl, permalink=snapshot.permalink, commit=snapshot.commit)

    def _settled(self, change: Change) -> Change:
        """Return what becomes of the document: what was redacted by other rules may not stay where a file fails."""
        change = _refuse_duplicate(change, self.owners)
        if not isinstance(change, Note) or change.entry.path not in self.ledger:
            return change
        if self.ledger[change.entry.path].entry.recipe.endswith(self.recipe.redaction_stamp):
            return change
        return Remove(source=change.source, path=change.entry.path, entry=change.entry)

    async def _follow(self) -> None:
        """Give all documents other ACLs if the rules have changed meanwhile: whoever asks must wait for it."""
        policy = self.recipe.policy()
        if policy is self.policy or policy.stamp == self.policy.stamp:
            return
        await follow_rules(self.store, policy, but=self.source.name)
        ledger = await self.store.ledger(self.source.name)
        acl = lambda path: policy.acl(self.disguise.real_path(path))  # noqa: E731
        files = self.disguise.snapshot.files
        await self.store.apply(change_access(self.source.name, _undisguised(ledger), acl))
        await self.store.apply(open_disguised(self.source.name, ledger, files, self.recipe.stamp, acl))
        self.policy = policy
        await _mark_incomplete(self.store, self.source.name, self.recipe.collection, policy)


async def _change_access(store: Store, source: str, current: CurrentPolicy) -> tuple[AccessPolicy, Mapping[str, Recorded]]:
    """Give documents the ACLs of the policy as it is once they have them; return it, and the ledger it was given by.

    Another process may have followed a later policy between our reading one and becoming the writer.
    """
    while True:
        policy = current()
        ledger = await store.ledger(source)
        await store.apply(change_access(source, _undisguised(ledger), policy.acl))
        if current().stamp == policy.stamp:
            return policy, ledger


def _undisguised(ledger: Mapping[str, Recorded]) -> dict[str, Recorded]:
    return {path: recorded for path, recorded in ledger.items() if not is_disguised(path)}


def _owners(plan: Plan, ledger: Mapping[str, Recorded], acl: Callable[[str], Acl]) -> Owners:
    """Return the path of each document that this sync leaves as it is, by document id and its readers as they are now."""
    settled = (ledger[entry.path] for entry in plan.settled if entry.outcome == "unchanged")
    return {(kept.entry.document_id, _readers(kept, acl)): kept.entry.path for kept in settled}


def _readers(recorded: Recorded, acl: Callable[[str], Acl]) -> Acl:
    """Return who may read a document under the rules of this sync, which the ledger was read before."""
    return (recorded.acl or NOBODY) if recorded.pinned else acl(recorded.entry.path)


def _refuse_duplicate(change: Change, owners: Owners) -> Change:
    """Refuse a second document of one id and the same readers. Among other readers it is no second: they see no first."""
    if not isinstance(change, Replace):
        return change
    entry = change.entry
    owner = owners.setdefault((entry.document_id, change.document.acl), entry.path)
    if owner == entry.path:
        return change
    refused = replace(entry, outcome="failed", reason="duplicate_id", document_id="")
    return Note(source=change.document.info.source, entry=refused)


def _entry(change: Change) -> LedgerEntry:
    assert isinstance(change, Replace | Remove | Note)
    assert change.entry is not None
    return change.entry


def _state(name: str, collection: str, snapshot: Snapshot, policy: AccessPolicy) -> SourceState:
    return SourceState(
        name=name,
        collection=collection,
        repository=snapshot.repository,
        commit=snapshot.commit,
        synced_at=datetime.now(UTC).isoformat(timespec="seconds"),
        access=policy.stamp,
    )


async def _mark_incomplete(store: Store, name: str, collection: str, policy: AccessPolicy) -> None:
    known = await _known_state(store, name, collection)
    await store.set_state(replace(known, complete=False, access=policy.stamp))


async def _known_state(store: Store, name: str, collection: str) -> SourceState:
    states = {state.name: state for state in await store.states()}
    return states.get(name, SourceState(name=name, collection=collection))
