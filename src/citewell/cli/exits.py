"""What the exit status of the command line says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DONE: Final = 0
UNEXPECTED: Final = 1
INCOMPLETE: Final = 2
USAGE: Final = 64
INTERRUPTED: Final = 130

EXIT_STATUSES: Final[Mapping[int, str]] = {
    DONE: "Done. An empty list of results and a declined question are answers, too.",
    UNEXPECTED: "Something unexpected, a check of `doctor` that failed, or an output that was closed before its end.",
    INCOMPLETE: "A sync ended, but a file, a source or the embedding failed; the report says which. `redact` found some.",
    USAGE: "The command line or the request cannot be: an unknown option, an empty query, a number out of range.",
    66: "There is no such document, or it is not for you.",
    69: "A source cannot be read.",
    70: "The embedding model failed.",
    73: "The audit log is required and cannot be written, or does not verify.",
    74: "The store cannot be used: it is damaged, or the disk is full.",
    75: "The store is busy: another process is writing to it.",
    77: "You may not perform this kind of action, or have not shown who you are.",
    78: "The configuration cannot be used.",
    INTERRUPTED: "Interrupted by Ctrl-C. What was committed stays.",
}
