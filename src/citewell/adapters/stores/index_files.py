"""The files of the index: mapped at the start instead of computing everything again, and never trusted blindly.

Each says what it was made from: the store, the analyzer, and how far the tables were read. One that does not fit is ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from citewell.adapters.stores.archive import read_archive, write_archive
from citewell.adapters.stores.loading import Position
from citewell.adapters.stores.segments import Segment
from citewell.adapters.stores.vectors import VectorSegment, VectorSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray


class IndexFiles:
    """The files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        """Prepare; the folder is made when something is written."""
        self._folder = folder

    def read_segment(self, stamp: dict[str, str]) -> tuple[Segment, Position] | None:
        """Return the documents that are kept, and up to where; None unless they were made under ``stamp``."""
        arrays, facts = self._read("documents", stamp)
        if not facts:
            return None
        return Segment.from_arrays(arrays), Position(facts["document"], facts["log"])

    def write_segment(self, segment: Segment, position: Position, stamp: dict[str, str]) -> Segment:
        """Keep ``segment``; return it as it is mapped from the file. Raises OSError."""
        self._write("documents", segment.arrays(), stamp | {"document": position.document, "log": position.log})
        kept = self.read_segment(stamp)
        return kept[0] if kept else segment

    def read_space(self, model: int, stamp: dict[str, str]) -> VectorSpace | None:
        """Return the vectors of ``model`` that are kept; None unless they were made under ``stamp``."""
        arrays, facts = self._read(f"vectors-{model}", stamp)
        return VectorSpace.kept(model, VectorSegment.from_arrays(arrays), facts["last"]) if facts else None

    def write_space(self, model: int, segment: VectorSegment, last: int, stamp: dict[str, str]) -> VectorSpace:
        """Keep ``segment`` as the vectors of ``model``; return them as they are mapped from the file. Raises OSError."""
        self._write(f"vectors-{model}", segment.arrays(), stamp | {"last": last})
        return self.read_space(model, stamp) or VectorSpace.kept(model, segment, last)

    def _read(self, name: str, stamp: dict[str, str]) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        found = read_archive(self._folder / f"{name}.index")
        if found is None or not stamp.items() <= found[1].items():
            return {}, {}
        return found

    def _write(self, name: str, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        self._folder.mkdir(exist_ok=True)
        write_archive(self._folder / f"{name}.index", arrays, facts)
