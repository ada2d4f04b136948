from __future__ import annotations

from citewell.core.access import Acl
from citewell.core.model import LedgerEntry
from citewell.core.ports import Note, Recorded, Remove, SetAccess, Snapshot, SourceFile
from citewell.ingest.plan import change_access, plan_sync

STAFF: Acl = frozenset({"group:staff"})
RECIPE = "docs|auto"


def listed(path: str, fingerprint: str = "1", skip: str = "") -> SourceFile:
    return SourceFile(path=path, fingerprint=fingerprint, size=1, skip=skip)


def recorded(path: str, *, outcome: str = "indexed", reason: str = "", acl: Acl | None = STAFF) -> Recorded:
    document = path if outcome == "indexed" else ""
    entry = LedgerEntry(path=path, outcome=outcome, reason=reason, fingerprint="1", recipe=RECIPE, document_id=document)  # type: ignore[arg-type]
    return Recorded(entry, acl if outcome == "indexed" else None)


def plan(files: list[SourceFile], *ledger: Recorded, recipe: str = RECIPE):
    known = {record.entry.path: record for record in ledger}
    return plan_sync("docs", Snapshot(files=tuple(files)), known, recipe)


def test_an_unchanged_file_is_not_read() -> None:
    result = plan([listed("a.md")], recorded("a.md"))
    assert not result.read
    assert not result.changes
    assert [entry.outcome for entry in result.settled] == ["unchanged"]


def test_a_changed_file_is_read() -> None:
    assert [file.path for file in plan([listed("a.md", "2")], recorded("a.md")).read] == ["a.md"]


def test_another_way_of_indexing_means_reading_everything_anew() -> None:
    assert [file.path for file in plan([listed("a.md")], recorded("a.md"), recipe="docs|fixed").read] == ["a.md"]


def test_a_file_that_failed_is_tried_again() -> None:
    assert plan([listed("a.md")], recorded("a.md", outcome="failed", reason="bad_encoding")).read


def test_a_file_that_was_skipped_for_its_contents_is_not_read_again() -> None:
    result = plan([listed("a.bin")], recorded("a.bin", outcome="skipped", reason="binary"))
    assert not result.read
    assert [(entry.outcome, entry.reason) for entry in result.settled] == [("skipped", "binary")]


def test_a_document_whose_file_is_gone_is_removed() -> None:
    result = plan([], recorded("a.md"))
    assert result.changes == [Remove(source="docs", path="a.md")]
    assert result.removed == 1


def test_a_file_that_became_a_link_loses_its_document_and_is_accounted_for() -> None:
    result = plan([listed("a.md", skip="symlink")], recorded("a.md"))
    assert isinstance(result.changes[0], Remove)
    assert result.changes[0].entry is not None
    assert result.settled[0].reason == "symlink"


def test_a_skipped_file_is_written_into_the_ledger_once() -> None:
    first = plan([listed("link", skip="symlink")])
    assert isinstance(first.changes[0], Note)
    again = plan([listed("link", skip="symlink")], Recorded(first.changes[0].entry, None))
    assert not again.changes


def test_a_file_that_failed_and_became_a_link_loses_the_document_of_an_earlier_sync() -> None:
    failed = LedgerEntry(path="a.md", outcome="failed", reason="unreadable", fingerprint="1", recipe=RECIPE)
    result = plan([listed("a.md", skip="symlink")], Recorded(failed, STAFF))
    assert isinstance(result.changes[0], Remove)
    assert result.removed == 1


def test_another_acl_changes_access_of_every_document_that_is_kept() -> None:
    failed = LedgerEntry(path="b.md", outcome="failed", reason="unreadable", fingerprint="1", recipe=RECIPE)
    board: Acl = frozenset({"group:board"})
    ledger = {"a.md": recorded("a.md"), "b.md": Recorded(failed, STAFF), "c.bin": recorded("c.bin", outcome="skipped")}
    changes = change_access("docs", ledger, lambda path: board)
    assert changes == [SetAccess(source="docs", path=path, acl=board) for path in ("a.md", "b.md")]
    assert not change_access("docs", ledger, lambda path: STAFF)


def test_every_listed_file_is_either_read_or_settled() -> None:
    files = [listed("a.md"), listed("b.md", "2"), listed("c.md"), listed("d", skip="symlink")]
    result = plan(files, recorded("a.md"), recorded("b.md"))
    assert sorted([f.path for f in result.read] + [e.path for e in result.settled]) == ["a.md", "b.md", "c.md", "d"]
