"""A source that is configured but must not be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citewell.core.errors import SourceRefused
from citewell.core.ports import Contents, Snapshot, SourceFile


class RefusedSource:
    """Stands in for a source whose address was refused: it fails alone, and what was indexed of it before stays."""

    def __init__(self, name: str, refusal: SourceRefused) -> None:
        self._name = name
        self._refusal = refusal

    @property
    def name(self) -> str:
        """The name the configuration gives the source."""
        return self._name

    def snapshot(self) -> Snapshot:
        """Raise the refusal."""
        raise SourceRefused(self._refusal.message, detail=self._refusal.detail)

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the failure of every file: nothing of a refused source is opened."""
        yield from (Contents(file, failure=file.skip or "refused") for file in files)
