"""Addresses of Git repositories: which ones are safe to use, and where their files can be seen in a browser."""

from __future__ import annotations

import os.path
import re
from dataclasses import dataclass
from typing import Final

from citewell.core.errors import SourceRefused

_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)")
_PLACE: Final = re.compile(
    r"(?:(?P<user>[^@/]*)@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?/(?P<path>[^\s?#]+)"
)
_SHORT: Final = re.compile(r"(?P<user>[^@/:]+@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?P<path>[^-\s?#][^\s?#]*)")
_HELPER: Final = re.compile(r"[A-Za-z0-9+.-]*::")
_USER: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_REVISION: Final = re.compile(r"(?!-)(?!.*(?:\.\.|@\{))[^\s~^:?*\[\\]+")

_PAGES: Final = {
    "github.com": "https://github.com/{repository}/blob/{commit}/{{path}}#L{{start}}-L{{end}}",
    "gitlab.com": "https://gitlab.com/{repository}/-/blob/{commit}/{{path}}#L{{start}}-{{end}}",
    "bitbucket.org": "https://bitbucket.org/{repository}/src/{commit}/{{path}}#lines-{{start}}:{{end}}",
    "codeberg.org": "https://codeberg.org/{repository}/src/commit/{commit}/{{path}}#L{{start}}-L{{end}}",
    "gitea.com": "https://gitea.com/{repository}/src/commit/{commit}/{{path}}#L{{start}}-L{{end}}",
}
_REPOSITORY: Final = re.compile(r"[\w.~-]+(?:/[\w.~-]+)+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """A repository and a branch, tag or commit in it.

    ``url`` is what Git is given: without credentials, or an absolute path. ``host`` is empty for a path.
    """

    url: str
    revision: str
    host: str = ""
    path: str = ""

    @property
    def encrypted(self) -> bool:
        """Whether it is fetched over HTTPS."""
        return self.url.startswith("https://")

    @property
    def repository(self) -> str:
        """The name people know: the page on a known host, else the address; of a local repository only its folder's name."""
        if not self.host:
            return os.path.basename(self.url).removesuffix(".git")
        return f"https://{self.host}/{self.path}" if self._has_pages else self.url

    def permalink(self, commit: str) -> str:
        """Return the template of the page that shows lines of a file at ``commit``; empty where no such page is known."""
        return _PAGES[self.host].format(repository=self.path, commit=commit) if self._has_pages else ""

    @property
    def _has_pages(self) -> bool:
        return self.host in _PAGES and _REPOSITORY.fullmatch(self.path) is not None


def parse_address(rest: str) -> Address:
    """Return the address in ``rest``: ``https://…``, ``ssh://…``, ``user@host:path`` or an absolute path.

    A revision may follow after ``#``; without one it is HEAD. Raises SourceRefused for anything else: other protocols,
    options, transport helpers, credentials, control characters.
    """
    url, _, revision = rest.partition("#")
    revision = revision or "HEAD"
    if _CONTROL.search(rest):
        raise SourceRefused("The address of a Git repository must not have control characters.")
    if url.startswith("-") or not url:
        raise SourceRefused("The address of a Git repository must not be empty or begin with '-'.")
    if not _REVISION.fullmatch(revision):
        raise SourceRefused("What stands after '#' must be the name of a branch or tag, or a commit.")
    if _HELPER.match(url):
        raise SourceRefused("Git's transport helpers ('name::address') may run any program. Use https:// or ssh://.")
    if match := _URL.fullmatch(url):
        return _parse_url(url, match["scheme"].lower(), match["rest"], revision)
    if match := _SHORT.fullmatch(url):
        return _located(url, match["user"], match["host"], match["path"], revision)
    if os.path.isabs(url):
        return Address(os.path.abspath(url), revision)
    raise SourceRefused(
        "A Git repository is given by https://host/path, ssh://host/path, user@host:path or an absolute path."
    )


def _parse_url(url: str, scheme: str, rest: str, revision: str) -> Address:
    if scheme == "file" and rest.startswith("/"):
        return Address(os.path.abspath(rest), revision)
    if scheme not in {"https", "ssh"}:
        raise SourceRefused("Only https:// and ssh:// addresses of Git repositories, and local paths, are read.")
    match = _PLACE.fullmatch(rest)
    if match is None:
        raise SourceRefused("This is not the address of a Git repository. It looks like https://host/owner/name.")
    if scheme == "https" and match["user"] is not None:
        raise SourceRefused(
            "The address must not hold a user or token. Set GITHUB_TOKEN for private repositories on github.com."
        )
    address = f"{scheme}://{rest}"
    return _located(address, match["user"], match["host"], match["path"], revision)


def _located(url: str, user: str | None, host: str, path: str, revision: str) -> Address:
    if user is not None and not _USER.fullmatch(user.removesuffix("@")):
        raise SourceRefused("The user in a Git address must be a plain name, without a password.")
    host = host.lower()
    path = path.strip("/").removesuffix(".git")
    if url.startswith("https://") and host in _PAGES:
        url = f"https://{host}/{path}.git"
    return Address(url, revision, host, path)
