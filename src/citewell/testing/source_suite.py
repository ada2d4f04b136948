"""The conformance suite of ``Source``: what the port promises, as tests that every implementation passes.

    class TestMySource(SourceSuite):
        def lay_out(self, folder, files, links): ...
        def open_source(self, folder, *, include=(), exclude=()): ...

Needs pytest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from citewell.core.ports import Source, SourceFile

FILES: Mapping[str, bytes] = {
    "README.md": b"# Pool\n",
    "docs/a-b.md": b"dash\n",
    "docs/a.md": b"dot\n",
    "docs/a/deep.md": b"slash\n",
    "docs/empty.md": b"",
    "docs/büyük.md": "büyük\n".encode(),
    "docs/图.md": "图\n".encode(),
    "-rf": b"a leading dash\n",
    "with space.md": b"space\n",
    "same one.md": b"# Pool\n",
    "data.bin": bytes(range(256)),
}


class SourceSuite:
    """Subclass it and say how files get into the source, and how it is opened."""

    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        """Make ``files`` and the symbolic ``links`` (path to target) everything there is; what is equal stays untouched."""
        raise NotImplementedError

    def open_source(self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Source:
        """Return the source of what was laid out at ``folder``, by the name ``sample``."""
        raise NotImplementedError

    @pytest.fixture
    def source(self, tmp_path: Path) -> Source:
        """Lend a source of ``FILES`` and one link to a test."""
        self.lay_out(tmp_path, FILES, {"docs/link.md": "a.md"})
        return self.open_source(tmp_path)

    def test_a_source_has_its_name(self, source: Source) -> None:
        """The name is the one it was opened by."""
        assert source.name == "sample"

    def test_every_file_is_listed_once_in_the_order_of_paths(self, source: Source) -> None:
        """Nothing is left out, nothing comes twice."""
        assert [file.path for file in source.snapshot().files] == sorted([*FILES, "docs/link.md"])

    def test_sizes_are_counted_in_bytes(self, source: Source) -> None:
        """Sizes are those of the bytes, not of the characters."""
        sizes = {file.path: file.size for file in source.snapshot().files if not file.skip}
        assert sizes == {path: len(data) for path, data in FILES.items()}

    def test_a_link_is_listed_and_skipped(self, source: Source) -> None:
        """A link is accounted for."""
        assert {file.path: file.skip for file in source.snapshot().files if file.skip} == {"docs/link.md": "symlink"}

    def test_reading_gives_the_bytes_of_each_file_in_the_order_asked(self, source: Source) -> None:
        """One answer for each file, whatever the order."""
        files = [file for file in reversed(source.snapshot().files) if not file.skip]
        contents = list(source.read(files))
        assert [item.file for item in contents] == files
        assert {item.file.path: item.data for item in contents} == dict(FILES)
        assert not any(item.failure for item in contents)

    def test_a_file_that_is_asked_for_twice_is_given_twice(self, source: Source) -> None:
        """Reading takes no notice of what was read before."""
        file = self.file(source, "README.md")
        assert [item.data for item in source.read([file, file])] == [b"# Pool\n", b"# Pool\n"]

    def test_a_skipped_file_gives_its_reason_and_no_bytes(self, source: Source) -> None:
        """A skipped file is never read, even when asked for."""
        [contents] = source.read([self.file(source, "docs/link.md")])
        assert (contents.data, contents.failure) == (b"", "symlink")

    def test_reading_nothing_gives_nothing(self, source: Source) -> None:
        """No files, no contents."""
        assert list(source.read([])) == []

    def test_two_snapshots_of_the_same_files_are_equal(self, source: Source) -> None:
        """Listing changes nothing."""
        assert source.snapshot() == source.snapshot()

    def test_a_fingerprint_changes_with_the_contents_and_only_then(self, tmp_path: Path) -> None:
        """Even where the size stays the same."""
        self.lay_out(tmp_path, {"a": b"one", "b": b"two"}, {})
        source = self.open_source(tmp_path)
        before = source.snapshot().files
        self.lay_out(tmp_path, {"a": b"one", "b": b"six"}, {})
        after = source.snapshot().files
        assert before[0].fingerprint == after[0].fingerprint
        assert before[1].fingerprint != after[1].fingerprint

    def test_a_source_opened_anew_gives_the_same_fingerprints(self, tmp_path: Path, source: Source) -> None:
        """Fingerprints outlive the process."""
        assert self.open_source(tmp_path).snapshot().files == source.snapshot().files

    def test_a_deleted_file_is_listed_no_more(self, tmp_path: Path) -> None:
        """A snapshot shows what is there now."""
        self.lay_out(tmp_path, {"a": b"one", "b": b"two"}, {})
        source = self.open_source(tmp_path)
        source.snapshot()
        self.lay_out(tmp_path, {"b": b"two"}, {})
        assert [file.path for file in source.snapshot().files] == ["b"]

    @pytest.mark.parametrize(
        ("include", "exclude", "expected"),
        [
            ([], [], ["a.md", "docs/b.md", "docs/c.txt", "docs/link.md"]),
            (["**/*.md"], [], ["a.md", "docs/b.md", "docs/link.md"]),
            (["docs/**"], ["**/*.txt"], ["docs/b.md", "docs/link.md"]),
            ([], ["**"], []),
        ],
    )
    def test_what_lies_outside_the_globs_is_counted_and_not_listed(
        self, tmp_path: Path, include: list[str], exclude: list[str], expected: list[str]
    ) -> None:
        """Listed and excluded files together are all files."""
        self.lay_out(tmp_path, {"a.md": b"a", "docs/b.md": b"b", "docs/c.txt": b"c"}, {"docs/link.md": "b.md"})
        snapshot = self.open_source(tmp_path, include=include, exclude=exclude).snapshot()
        assert [file.path for file in snapshot.files] == expected
        assert snapshot.excluded == 4 - len(expected)

    def file(self, source: Source, path: str) -> SourceFile:
        """Return the file at ``path`` in a new snapshot."""
        return next(file for file in source.snapshot().files if file.path == path)
