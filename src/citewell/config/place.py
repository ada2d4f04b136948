"""Where a server listens, by which names it is reached, and whether it may be reached so."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from citewell.core.errors import ConfigurationError

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]*[a-z0-9])(:\d{1,5})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address a server listens on, and the further names by which it is reached.

    ``public_url`` is the address that others see, ``allowed_hosts`` are names that stand in the ``Host`` of a request.
    """

    host: str
    port: int
    public_url: str | None = None
    allowed_hosts: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where others reach the server, without a slash at the end."""
        if self.public_url is not None:
            return self.public_url
        others = self.allowed_hosts if _is_any(self.host) else ()
        return f"http://{others[0]}" if others else self.bound

    @property
    def bound(self) -> str:
        """Where the server listens."""
        return f"http://{_bracketed(self.host)}:{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """What ``Host`` may say, letter by letter."""
        return frozenset(name.partition("://")[2] for name in self.origins)

    @property
    def origins(self) -> frozenset[str]:
        """What ``Origin`` may say, letter by letter."""
        return frozenset(self._origins())

    def require_safety(self, *, authenticated: bool) -> None:
        """Raise ConfigurationError where the server would serve others than this machine without asking who they are.

        Also where it would be reached by names that it is not told, or that cannot be names.
        """
        for name in self.allowed_hosts:
            _require_name(name)
        if not authenticated:
            self._require_loopback()
        elif not _is_loopback(self.host) and not self.allowed_hosts and self.public_url is None:
            raise ConfigurationError(
                f"Listening on {self.host} takes the names by which the server is reached: list them under"
                " serve.allowed_hosts, or give serve.public_url."
            )

    def _require_loopback(self) -> None:
        public = urlsplit(self.public_url or "http://localhost").hostname or ""
        named = (urlsplit(f"//{name}").hostname or "" for name in self.allowed_hosts)
        for host in (self.host, public, *named):
            if not _is_loopback(host):
                raise ConfigurationError(
                    f"The host {host!r} is not this machine, and without `auth` whoever reaches the server is taken for you."
                    " Say `auth: {}` in the configuration and make a token for each caller with `citewell token create`;"
                    " or serve 127.0.0.1, ::1 or localhost only."
                )

    def _origins(self) -> Iterator[str]:
        own = () if _is_any(self.host) else (_bracketed(self.host),)
        for name in (*own, *LOOPBACK):
            yield from _spellings("http", f"{name}:{self.port}")
        for name in self.allowed_hosts:
            for scheme in _USUAL_PORTS:
                yield from _spellings(scheme, name.lower())
        if self.public_url is not None:
            address = urlsplit(self.public_url)
            yield from _spellings(address.scheme, address.netloc.lower())


def _spellings(scheme: str, host: str) -> Iterable[str]:
    """Return the origin of ``host``, with and without its port where that is the usual one."""
    usual = f":{_USUAL_PORTS[scheme]}"
    bare = host.removesuffix(usual)
    return {f"{scheme}://{host}", f"{scheme}://{bare}"}


def _require_name(name: str) -> None:
    if not _NAME.fullmatch(name.lower()) or _is_any(urlsplit(f"//{name}").hostname or ""):
        raise ConfigurationError(
            f"serve.allowed_hosts: {name!r} is not the name of a host. Write it as it stands in an address, with the port"
            " where it is not the usual one: kb.example.org or kb.example.org:8443; names beyond ASCII in their xn-- form."
        )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
