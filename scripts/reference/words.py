"""The words in ledgers and results, which are plain texts in the code, and what they mean. A test finds missing ones."""

from __future__ import annotations

from citewell.adapters.sources.listing import MAX_FILE_BYTES
from citewell.ingest.decoding import MAX_LINE_CHARACTERS

LEDGER = {
    "bad_encoding": ("failed", "Neither Unicode nor in an encoding that can be told for certain; save it as UTF-8."),
    "bad_name": ("skipped", "The path holds characters that cannot be shown, or would be taken for a folder of Git's own."),
    "binary": ("skipped", "Not a text."),
    "duplicate_id": ("failed", "Another document of the same source has the same id; see `ids`."),
    "empty": ("skipped", "Nothing but white space."),
    "lfs_pointer": ("skipped", "Only points at a file that Git LFS keeps elsewhere."),
    "long_line": (
        "failed",
        f"Has a line of more than {MAX_LINE_CHARACTERS:,} characters: data or minified code, of no use in a citation.",
    ),
    "missing_blob": ("failed", "The repository does not hold the contents; the next sync looks for them again."),
    "not_an_issue": (
        "failed",
        "Not an issue thread kept as JSON, which is what the collection takes; a field it needs is missing.",
    ),
    "not_a_file": ("skipped", "A socket, pipe or device."),
    "refused": ("failed", "The address of the source was refused; nothing of it is opened."),
    "secret_found": ("failed", "Holds secrets or personal data, and its source is set to `refuse`; nothing of it is kept."),
    "submodule": ("skipped", "Another repository; give it a source of its own."),
    "symlink": ("skipped", "A symbolic link, which is never followed. It failed if it became one after it was listed."),
    "too_large": ("skipped", f"More than {MAX_FILE_BYTES:,} bytes. It failed if it grew after it was listed."),
    "unreachable": ("failed", "The source could be listed, but not read any more."),
    "unreadable": ("failed", "The operating system refuses to open or read it, for want of permission as a rule."),
    "vanished": ("failed", "Gone after it was listed."),
}
"""Reasons in the ledger, with the usual outcome."""

DEGRADED = {
    "dense_pending": "Some passages still wait for their vectors; `citewell sync` goes on with them.",
    "dense_unavailable": "The embedding model failed, or the engine of vectors did not answer; words alone were searched.",
    "embedder_e5_only": "Of the two bundled models, USE-multilingual is missing or is not the pinned version.",
    "embedder_missing": "Neither bundled model can be used.",
    "embedder_use_only": "Of the two bundled models, multilingual-e5-small is missing or is not the pinned version.",
    "lexical_unavailable": "The engine of words did not answer; vectors alone were searched.",
    "reranker_timeout": "The reranker ran out of time; the order is that of the search.",
    "reranker_unavailable": "The reranker failed; the order is that of the search.",
}
"""What `degraded` may hold."""

DECLINED = {
    "low_support": "Passages were found, but they do not support an answer.",
    "no_evidence": "Nothing was found.",
}
"""The `reason` of a refusal to answer."""
