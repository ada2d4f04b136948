"""From the bytes of one file to a document and its chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import quote

from citewell.core.access import Acl
from citewell.core.errors import FileRejected
from citewell.core.model import NO_METADATA, READER, Document, DocumentInfo, LedgerEntry
from citewell.core.ports import Change, Contents, CurrentPolicy, Note, Outline, Remove, Replace
from citewell.core.requests import FoundSecret
from citewell.ingest.cutting import CHUNK_LIMIT, CUTTING_VERSION, cut
from citewell.ingest.decoding import decode
from citewell.ingest.disguise import is_disguised
from citewell.ingest.issues import render_issue
from citewell.ingest.kinds import chunker_for, kind_of
from citewell.ingest.releases import mark_releases
from citewell.ingest.titles import below_title
from citewell.text.language import detect_language
from citewell.text.lines import LineIndex
from citewell.text.redaction import Redactor

RedactionMode = Literal["redact", "report", "refuse"]

PROSE = frozenset({"markdown", "text", "issue"})

ISSUES = "issues"
"""The chunker whose files are issue threads kept as JSON."""

NOT_WANTED = frozenset({"binary", "empty", "lfs_pointer", "too_large"})
"""Reasons to leave a file out that are no fault: it is skipped. Any other reason is a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How the files of one source become documents."""

    source: str
    collection: str
    chunker: str
    ids: Literal["path", "stem"]
    policy: CurrentPolicy
    redactor: Redactor
    redaction: RedactionMode = "redact"
    url: str = ""
    fields: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)
    chunk_chars: int = CHUNK_LIMIT

    @property
    def stamp(self) -> str:
        """What must be equal for an unchanged file to stay as it is."""
        cutting = f"{self.chunker}/{self.chunk_chars}"
        return "|".join((self.collection, cutting, self.ids, CUTTING_VERSION, *self._given, self.redaction_stamp))

    @property
    def _given(self) -> list[str]:
        return [f"{name}={value}" for name, value in sorted({"url": self.url, **self.fields}.items()) if value]

    @property
    def redaction_stamp(self) -> str:
        """The end of the stamp: what must be equal for a text to hold no more than it may."""
        return f"{self.redaction}|{self.redactor.stamp}"

    def acl(self, path: str) -> Acl:
        """Return who may read the file at ``path`` now."""
        return self.policy().acl(path)

    def document_id(self, path: str) -> str:
        """Return the document id of the file at ``path``."""
        return PurePosixPath(path).stem if self.ids == "stem" else path

    def permalink(self, path: str, template: str) -> str:
        """Return the address of ``path``: the one configured, else at the source, else in our own reader."""
        chosen = self.url or template
        if chosen:
            return chosen.replace("{path}", quote(path)).replace("{stem}", quote(str(PurePosixPath(path).with_suffix(""))))
        return f"{READER}{quote(self.document_id(path))}?start_line={{start}}&end_line={{end}}"


@dataclass(frozen=True, slots=True)
class Indexed:
    """The change that a file leads to, and what was found in it that is secret or personal."""

    change: Change
    findings: tuple[FoundSecret, ...] = ()


def index_file(contents: Contents, recipe: Recipe, *, acl: Acl, permalink: str, commit: str) -> Indexed:
    """Return the change that brings the file into the store, or accounts for its not being there. Never raises."""
    file = contents.file
    entry = LedgerEntry(path=file.path, outcome="indexed", fingerprint=file.fingerprint, recipe=recipe.stamp)
    if contents.failure:
        return Indexed(Note(source=recipe.source, entry=replace(entry, outcome="failed", reason=contents.failure)))
    try:
        text, permalink = _read(contents, recipe, recipe.permalink(file.path, permalink))
    except FileRejected as rejection:
        return Indexed(_reject(recipe.source, entry, rejection.reason))
    text, findings = _redacted(text, file.path, recipe)
    if recipe.redaction == "refuse" and (findings or is_disguised(file.path)):
        refused = replace(entry, outcome="failed", reason="secret_found")
        return Indexed(Remove(source=recipe.source, path=file.path, entry=refused), findings)
    return Indexed(_replace(text, recipe, entry, acl=acl, permalink=permalink, commit=commit), findings)


def _read(contents: Contents, recipe: Recipe, permalink: str) -> tuple[str, str]:
    """Return the text of a file, and its address: ``permalink`` unless it names one itself. Raises FileRejected."""
    text = decode(contents.data, contents.file.path).text
    if recipe.chunker != ISSUES:
        return text, permalink
    thread = render_issue(text, contents.file.path)
    secret = recipe.redaction != "report" and recipe.redactor.redact(thread.address).findings
    return thread.text, permalink if secret else thread.address or permalink


def _redacted(text: str, path: str, recipe: Recipe) -> tuple[str, tuple[FoundSecret, ...]]:
    """Return ``text`` as it is to be indexed, and what was found in it."""
    redaction = recipe.redactor.redact(text)
    if not redaction.findings:
        return text, ()
    index = LineIndex(text)
    found = (FoundSecret(path, index.lines(f.start, f.end).start, f.kind) for f in redaction.findings)
    return (redaction.text if recipe.redaction == "redact" else text), tuple(found)


def _reject(source: str, entry: LedgerEntry, reason: str) -> Change:
    if reason in NOT_WANTED:
        return Remove(source=source, path=entry.path, entry=replace(entry, outcome="skipped", reason=reason))
    return Note(source=source, entry=replace(entry, outcome="failed", reason=reason))


def _replace(text: str, recipe: Recipe, entry: LedgerEntry, *, acl: Acl, permalink: str, commit: str) -> Replace:
    path = entry.path
    kind = "issue" if recipe.chunker == ISSUES else kind_of(path, text[:200])
    outline = below_title(chunker_for(kind, recipe.chunker), text, path, recipe.chunk_chars)
    if kind in PROSE:
        outline = mark_releases(text, path, outline)
    document_id = recipe.document_id(path)
    usual = {} if kind == "issue" else {"doc_type": "docs"} if kind in PROSE else {"file_type": kind}
    metadata = {**usual, **recipe.fields, **outline.metadata}
    info = DocumentInfo(
        source=recipe.source,
        collection=recipe.collection,
        id=document_id,
        path=path,
        title=outline.title or "",
        language=language_of(text, kind, outline),
        kind=kind,
        permalink=permalink,
        version=metadata.get("version"),
        commit=commit or None,
        metadata=metadata,
    )
    return Replace(
        document=Document(info=info, text=text, acl=acl),
        chunks=cut(recipe.source, path, text, outline),
        entry=replace(entry, document_id=document_id),
    )


def language_of(text: str, kind: str, outline: Outline) -> str:
    """Return the language that the text declares, else the one it is found to be in; code counts as English."""
    declared = outline.metadata.get("language") or outline.metadata.get("lang")
    if declared:
        return declared.split("-")[0].split("_")[0].lower()
    return detect_language(text, default="en") if kind in PROSE else "en"
