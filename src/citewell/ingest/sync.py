"""Bringing the store up to date with a source, file by file; and the vectors after the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

import anyio

from citewell.core.errors import SourceError
from citewell.core.model import LedgerEntry
from citewell.core.ports import (
    Change,
    Embedder,
    Note,
    Recorded,
    Remove,
    Replace,
    Snapshot,
    Source,
    SourceFile,
    SourceState,
    Store,
)
from citewell.core.requests import Progress, SourceReport
from citewell.ingest.indexing import Recipe, index_file
from citewell.ingest.plan import Plan, change_access, plan_sync

Report = Callable[[Progress], None]

FILES_AT_ONCE = 32
PASSAGES_AT_ONCE = 32

PASSAGES_AHEAD = 512
"""How many passages are fetched at a time: to find the first that waits, a store may have to pass by all that are done."""


async def sync_source(source: Source, recipe: Recipe, store: Store, report: Report) -> SourceReport:
    """Make the store equal to the source. A file that cannot be indexed is accounted for and stops nothing.

    Access comes first: a document whose file or source cannot be read any more is still closed to whom it no longer concerns.
    """
    report(Progress(stage="listing", source=source.name, done=0, total=0))
    ledger = await store.ledger(source.name)
    await store.apply(change_access(source.name, ledger, recipe.acl))
    try:
        snapshot = await anyio.to_thread.run_sync(source.snapshot)
    except SourceError as error:
        await _mark_incomplete(store, source.name, recipe.collection)
        return SourceReport(source=source.name, error=error.code, message=error.message)
    plan = plan_sync(source.name, snapshot, ledger, recipe.stamp)
    if plan.changes or plan.read:
        await _mark_incomplete(store, source.name, recipe.collection)
    await store.apply(plan.changes)
    owners = _owners(plan, ledger)
    entries = plan.settled + await _index(source, snapshot, plan, recipe, store, owners, report)
    complete = not any(entry.outcome == "failed" for entry in entries)
    await store.set_state(_state(source.name, recipe.collection, snapshot, complete=complete))
    entries.sort(key=lambda entry: entry.path)
    return SourceReport(source=source.name, entries=tuple(entries), excluded=snapshot.excluded, removed=plan.removed)


async def embed_pending(store: Store, embedder: Embedder, report: Report) -> int:
    """Embed what waits in the queue, a durable batch at a time; return how many passages that was.

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
    report(Progress(stage="embedding", source="", done=done - began, total=total - began))
    return done - began


async def _index(
    source: Source,
    snapshot: Snapshot,
    plan: Plan,
    recipe: Recipe,
    store: Store,
    owners: dict[str, str],
    report: Report,
) -> list[LedgerEntry]:
    entries: list[LedgerEntry] = []
    changes = _prepared(source, plan.read, snapshot, recipe)
    while batch := await anyio.to_thread.run_sync(lambda: list(islice(changes, FILES_AT_ONCE))):
        batch = [_refuse_duplicate(change, owners) for change in batch]
        await store.apply(batch)
        entries += [_entry(change) for change in batch]
        report(Progress(stage="indexing", source=source.name, done=len(entries), total=len(plan.read)))
    return entries


def _prepared(source: Source, files: Sequence[SourceFile], snapshot: Snapshot, recipe: Recipe) -> Iterator[Change]:
    for start in range(0, len(files), FILES_AT_ONCE):
        for contents in source.read(files[start : start + FILES_AT_ONCE]):
            yield index_file(contents, recipe, permalink=snapshot.permalink, commit=snapshot.commit)


def _owners(plan: Plan, ledger: Mapping[str, Recorded]) -> dict[str, str]:
    """Return the path of each document that this sync leaves as it is, by document id."""
    settled = (ledger[entry.path].entry for entry in plan.settled if entry.outcome == "unchanged")
    return {entry.document_id: entry.path for entry in settled}


def _refuse_duplicate(change: Change, owners: dict[str, str]) -> Change:
    if not isinstance(change, Replace):
        return change
    entry = change.entry
    owner = owners.setdefault(entry.document_id, entry.path)
    if owner == entry.path:
        return change
    refused = replace(entry, outcome="failed", reason="duplicate_id", document_id="")
    return Note(source=change.document.info.source, entry=refused)


def _entry(change: Change) -> LedgerEntry:
    assert isinstance(change, Replace | Remove | Note)
    assert change.entry is not None
    return change.entry


def _state(name: str, collection: str, snapshot: Snapshot, *, complete: bool) -> SourceState:
    return SourceState(
        name=name,
        collection=collection,
        repository=snapshot.repository,
        commit=snapshot.commit,
        synced_at=datetime.now(UTC).isoformat(timespec="seconds"),
        complete=complete,
    )


async def _mark_incomplete(store: Store, name: str, collection: str) -> None:
    states = {state.name: state for state in await store.states()}
    known = states.get(name, SourceState(name=name, collection=collection))
    await store.set_state(replace(known, complete=False))
