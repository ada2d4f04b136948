"""The conformance suite of ``TokenStore``."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewell.core.ports import AccessToken, TokenStore


def kept(identity: str, **fields: object) -> AccessToken:
    """Return a token as it is kept, with ``fields`` in place of the defaults."""
    given = {"id": identity, "digest": "d" * 64, "user": "ada", "kind": "user", "scopes": ("read",), "created": 1, **fields}
    return AccessToken(**given)  # type: ignore[arg-type]


class TokenStoreSuite:
    """Subclass it and say how the store is opened."""

    def open_store(self, folder: Path) -> TokenStore:
        """Return an empty store, kept in ``folder``."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> TokenStore:
        """Lend an empty store to a test."""
        return self.open_store(tmp_path)

    def test_a_new_store_is_empty(self, store: TokenStore) -> None:
        """Nobody has a token that was not made."""
        assert store.tokens() == ()

    def test_tokens_are_kept_as_they_are_in_order(self, store: TokenStore) -> None:
        """The oldest comes first."""
        tokens = (kept("one", note="für Größe 春"), kept("two", expires=9, scopes=("read", "admin"), kind="service"))
        for token in tokens:
            store.add(token)
        assert store.tokens() == tokens

    def test_revoking_says_how_many_were_good(self, store: TokenStore) -> None:
        """What was revoked before keeps its time."""
        for name in ("one", "two", "three"):
            store.add(kept(name))
        assert store.revoke(frozenset({"one", "none"}), 5) == 1
        assert store.revoke(frozenset({"one", "two"}), 7) == 1
        assert [token.revoked for token in store.tokens()] == [5, 7, None]
