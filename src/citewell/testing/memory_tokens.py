"""Access tokens that are kept in memory: the double of ``TokenStore``."""

from __future__ import annotations

from dataclasses import replace

from citewell.core.ports import AccessToken


class MemoryTokens:
    """Keeps tokens as long as it lives."""

    def __init__(self) -> None:
        self._tokens: tuple[AccessToken, ...] = ()

    def add(self, token: AccessToken) -> None:
        """Keep ``token``."""
        self._tokens += (token,)

    def tokens(self) -> tuple[AccessToken, ...]:
        """Return all tokens."""
        return self._tokens

    def revoke(self, ids: frozenset[str], now: int) -> int:
        """Revoke tokens."""
        gone = [token for token in self._tokens if token.id in ids and token.revoked is None]
        self._tokens = tuple(replace(token, revoked=now) if token in gone else token for token in self._tokens)
        return len(gone)
