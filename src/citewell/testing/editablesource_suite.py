"""The conformance suite of ``EditableSource``: what the port promises, as tests that every implementation passes.

    class TestMyEditableSource(EditableSourceSuite):
        def lay_out(self, folder, files, links): ...
        def open_both(self, folder, *, include=(), exclude=()): ...

Needs pytest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from citewell.core.errors import DocumentReadOnly
from citewell.core.ports import EditableSource, Source

FILES: Mapping[str, bytes] = {"a.md": b"# A\n", "docs/b.md": b"# B\n"}
ASTRAY = ("", "..", "../a.md", "docs/../a.md", "/a.md", "docs//b.md", "./a.md", "docs/", "docs/..")


class EditableSourceSuite:
    """Subclass it and say how files get into the source, and how its two sides are opened."""

    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        """Make ``files`` and the symbolic ``links`` (path to target) everything there is."""
        raise NotImplementedError

    def open_both(
        self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Source, EditableSource]:
        """Return both sides of what was laid out at ``folder``."""
        raise NotImplementedError

    @pytest.fixture
    def both(self, tmp_path: Path) -> tuple[Source, EditableSource]:
        """Lend both sides of a source of ``FILES`` and one link."""
        self.lay_out(tmp_path, FILES, {"link.md": "a.md"})
        return self.open_both(tmp_path)

    def test_what_is_put_is_listed_and_read(self, both: tuple[Source, EditableSource]) -> None:
        """A new file is there at once, as it was returned."""
        source, editor = both
        put = editor.put("new.md", b"new\n")
        assert put in source.snapshot().files
        assert [contents.data for contents in source.read([put])] == [b"new\n"]

    def test_what_is_put_takes_the_place_of_what_was_there(self, both: tuple[Source, EditableSource]) -> None:
        """The fingerprint changes with the file, and the other files stay."""
        source, editor = both
        before = {file.path: file for file in source.snapshot().files}
        put = editor.put("docs/b.md", b"# Better\n")
        after = {file.path: file for file in source.snapshot().files}
        assert after == before | {"docs/b.md": put}
        assert put.fingerprint != before["docs/b.md"].fingerprint

    def test_what_is_removed_is_listed_no_more(self, both: tuple[Source, EditableSource]) -> None:
        """And removing it again is no failure."""
        source, editor = both
        for _ in range(2):
            editor.remove("a.md")
        assert [file.path for file in source.snapshot().files if not file.skip] == ["docs/b.md"]

    @pytest.mark.parametrize("path", ASTRAY)
    def test_a_path_that_leads_elsewhere_is_not_taken(self, both: tuple[Source, EditableSource], path: str) -> None:
        """It is neither written nor removed."""
        source, editor = both
        before = source.snapshot()
        assert not editor.takes(path)
        with pytest.raises(DocumentReadOnly):
            editor.put(path, b"x")
        with pytest.raises(DocumentReadOnly):
            editor.remove(path)
        assert source.snapshot() == before

    def test_a_link_is_left_as_it_is(self, both: tuple[Source, EditableSource]) -> None:
        """Neither it nor what it leads to is written."""
        source, editor = both
        before = source.snapshot()
        with pytest.raises(DocumentReadOnly):
            editor.put("link.md", b"x")
        with pytest.raises(DocumentReadOnly):
            editor.remove("link.md")
        assert source.snapshot() == before

    def test_what_lies_outside_the_globs_is_not_taken(self, tmp_path: Path) -> None:
        """A sync would not list it."""
        self.lay_out(tmp_path, FILES, {})
        _, editor = self.open_both(tmp_path, include=["**/*.md"], exclude=["docs/**"])
        assert [path for path in ("a.md", "new.md", "a.txt", "docs/b.md") if editor.takes(path)] == ["a.md", "new.md"]
