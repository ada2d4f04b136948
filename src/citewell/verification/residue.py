"""What a run leaves lying about besides its answers: its log, and the files it wrote outside the index."""

from __future__ import annotations

import io
import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from citewell.verification.canaries import Canary
from citewell.verification.verdict import Leak

HOMES: Final = frozenset({"sources", "store"})
"""Where canaries belong: the documents themselves, and the index of them."""

LOG: Final = "log.txt"


@contextmanager
def kept_residue(folder: Path) -> Iterator[None]:
    """Keep all that citewell logs, and every temporary file that Python makes meanwhile, in ``folder``."""
    before = tempfile.tempdir
    (folder / "tmp").mkdir()
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    own = logging.getLogger("citewell")
    level = own.level
    tempfile.tempdir = str(folder / "tmp")
    own.addHandler(handler)
    own.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        own.setLevel(level)
        own.removeHandler(handler)
        tempfile.tempdir = before
        (folder / LOG).write_text(stream.getvalue(), encoding="utf-8")


def search_residue(folder: Path, canaries: Sequence[Canary]) -> Iterator[Leak]:
    """Yield a leak for every canary's word in a file of ``folder`` that is neither a document nor the index."""
    for file in sorted(folder.rglob("*")):
        where = file.relative_to(folder)
        if where.parts[0] in HOMES or not file.is_file():
            continue
        data = file.read_bytes()
        for canary in canaries:
            if canary.token.encode() in data:
                yield Leak("files", "-", str(where), canary.path)
