from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from repositories import replace_tree

from citewell.adapters.sources import editable_folder
from citewell.adapters.sources.editable_folder import EditableFolder
from citewell.adapters.sources.folder import FolderSource
from citewell.core.errors import DocumentReadOnly, SourceUnreachable
from citewell.core.ports import EditableSource, Source
from citewell.testing.editablesource_suite import EditableSourceSuite
from citewell.testing.memory_source import MemorySource


class TestEditableFolder(EditableSourceSuite):
    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        (folder / "tree").mkdir(exist_ok=True)
        replace_tree(folder / "tree", files, links)

    def open_both(
        self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Source, EditableSource]:
        given = ("sample", folder / "tree")
        return (
            FolderSource(*given, include=include, exclude=exclude),
            EditableFolder(*given, include=include, exclude=exclude),
        )


class TestEditableMemory(EditableSourceSuite):
    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        self.files, self.links = dict(files), dict.fromkeys(links, "symlink")

    def open_both(
        self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Source, EditableSource]:
        held = MemorySource("sample", self.files, include=include, exclude=exclude, skipped=self.links)
        return held, held


@pytest.fixture
def editor(tmp_path: Path) -> EditableFolder:
    (tmp_path / "tree" / "docs").mkdir(parents=True)
    return EditableFolder("sample", tmp_path / "tree")


@pytest.mark.parametrize("path", ["a\0.md", ".git/config", "docs/.citewell/x.md", "a\nb.md", "a\u202eb.md"])
def test_names_that_a_listing_leaves_out_are_not_taken(editor: EditableFolder, path: str) -> None:
    assert not editor.takes(path)
    with pytest.raises(DocumentReadOnly):
        editor.put(path, b"x")


def test_a_folder_that_has_become_a_link_is_not_followed(tmp_path: Path, editor: EditableFolder) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree" / "docs").rmdir()
    (tmp_path / "tree" / "docs").symlink_to(tmp_path / "outside")
    for act in (lambda: editor.put("docs/a.md", b"x"), lambda: editor.remove("docs/a.md")):
        with pytest.raises(SourceUnreachable):
            act()
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_link_in_place_of_the_workshop_is_not_followed(tmp_path: Path, editor: EditableFolder) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree" / editable_folder.WORKSHOP).symlink_to(tmp_path / "outside")
    with pytest.raises(SourceUnreachable):
        editor.put("a.md", b"x")
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_file_keeps_its_permissions(tmp_path: Path, editor: EditableFolder) -> None:
    file = tmp_path / "tree" / "a.md"
    file.write_bytes(b"old")
    file.chmod(0o640)
    editor.put("a.md", b"new")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o640)


def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_other(
    tmp_path: Path, editor: EditableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.put("a.md", b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(SourceUnreachable):
        editor.put("a.md", b"new")
    assert (tmp_path / "tree" / "a.md").read_bytes() == b"old"
    assert list((tmp_path / "tree" / editable_folder.WORKSHOP).iterdir()) == []


def test_a_folder_that_is_not_there_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreachable):
        EditableFolder("sample", tmp_path / "nowhere").put("a.md", b"x")
