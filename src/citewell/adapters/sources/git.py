"""``git:ADDRESS#REVISION``: the files of one commit of a Git repository.

A remote repository is kept as a bare, shallow clone in the cache. A local one is neither copied nor asked through its own
configuration, which might run programs: its objects are read through an empty repository of ours. Nothing is ever checked
out; links, submodules and pointers of Git LFS are not followed. The tree is what the commit tracks, without exception.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from citewell.adapters.sources.git_address import Address, parse_address
from citewell.adapters.sources.git_clone import Clone
from citewell.adapters.sources.git_local import LocalRepository
from citewell.adapters.sources.git_objects import list_files, read_files
from citewell.adapters.sources.listing import path_filter
from citewell.core.errors import SourceRefused, SourceUnreachable
from citewell.core.ports import Contents, Snapshot, Source, SourceFile

_TOKEN: Final = re.compile(r"[\x21-\x7e]+")


def open_source(
    name: str,
    rest: str,
    *,
    include: Sequence[str],
    exclude: Sequence[str],
    cache: Path,
    secrets: Mapping[str, str],
) -> Source:
    """Return the source for ``git:rest``; clones are kept in ``cache``. Raises SourceRefused."""
    address = parse_address(rest)
    if address.host:
        return GitSource(name, Clone(address, cache, credentials(address, secrets)), include=include, exclude=exclude)
    return GitSource(name, LocalRepository(address, cache), include=include, exclude=exclude)


def credentials(address: Address, secrets: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that sends GITHUB_TOKEN to github.com as a header, and to nobody else.

    Raises SourceRefused for a token that is no plain word.
    """
    token = secrets.get("GITHUB_TOKEN", "").strip()
    if not token or address.host != "github.com" or not address.encrypted:
        return {}
    if not _TOKEN.fullmatch(token):
        raise SourceRefused("GITHUB_TOKEN must be one word of ASCII characters.")
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.https://github.com/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
    }


class GitSource:
    """The files of one commit. A fingerprint is the blob's hash and its mode: equal ones are equal files."""

    def __init__(
        self, name: str, origin: Clone | LocalRepository, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> None:
        self._name = name
        self._origin = origin
        self._within = path_filter(include, exclude)

    @property
    def name(self) -> str:
        """The name the configuration gives the source."""
        return self._name

    def snapshot(self) -> Snapshot:
        """List the commit that the address means now. Raises SourceUnreachable."""
        commit = self._origin.update()
        try:
            files, excluded = list_files(self._origin.objects, commit, self._within)
        except SourceUnreachable:
            if not self._origin.renew():
                raise
            commit = self._origin.update()
            files, excluded = list_files(self._origin.objects, commit, self._within)
        address = self._origin.origin
        return Snapshot(
            files=tuple(files),
            excluded=excluded,
            repository=address.repository,
            commit=commit,
            permalink=address.permalink(commit),
        )

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the contents of ``files`` in order; a blob that is missing fails, and is looked for at the next snapshot."""
        try:
            objects = self._origin.objects
        except SourceUnreachable:
            yield from (Contents(file, failure=file.skip or "unreachable") for file in files)
            return
        for contents in read_files(objects, files):
            if contents.failure == "missing_blob":
                self._origin.forget()
            yield contents
