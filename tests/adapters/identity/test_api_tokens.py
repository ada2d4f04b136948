"""Access tokens of our own: kept as hashes, good until they expire or are revoked, in this process or another."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from citewell.adapters.identity.api_tokens import EitherAuthenticator, TokenAuthenticator
from citewell.adapters.identity.token_file import TokenFile
from citewell.core.access import AccessPolicy, user_principal
from citewell.core.errors import ConfigurationError, Unauthenticated
from citewell.core.ports import Authenticator, TokenStore
from citewell.core.tokens import digest, new_token
from citewell.testing.authenticator_suite import AuthenticatorSuite
from citewell.testing.fixed_authenticator import FixedAuthenticator
from citewell.testing.memory_tokens import MemoryTokens
from citewell.testing.tokenstore_suite import TokenStoreSuite, kept

pytestmark = pytest.mark.anyio

ADA = user_principal("ada", frozenset({"staff"}), via="test", scopes=frozenset({"read"}))


class TestTokenFile(TokenStoreSuite):
    def open_store(self, folder: Path) -> TokenStore:
        return TokenFile(folder / "tokens.json")


class TestMemoryTokens(TokenStoreSuite):
    def open_store(self, folder: Path) -> TokenStore:
        return MemoryTokens()


class TestFixedAuthenticator(AuthenticatorSuite):
    @pytest.fixture
    def credential(self) -> str:
        return "pass"

    @pytest.fixture
    def authenticator(self, credential: str) -> Authenticator:
        return FixedAuthenticator({credential: ADA})


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


class TestTokenAuthenticator(AuthenticatorSuite):
    @pytest.fixture
    def store(self) -> MemoryTokens:
        return MemoryTokens()

    @pytest.fixture
    def clock(self) -> Clock:
        return Clock()

    @pytest.fixture
    def credential(self, store: MemoryTokens) -> str:
        identity, secret = new_token()
        store.add(kept(identity, digest=digest(secret), expires=2_000, scopes=("read", "write")))
        return secret

    @pytest.fixture
    def policy(self) -> list[AccessPolicy]:
        return [AccessPolicy(users={"ada": ("staff",)})]

    @pytest.fixture
    def authenticator(self, store: MemoryTokens, clock: Clock, policy: list[AccessPolicy]) -> Authenticator:
        return EitherAuthenticator(TokenAuthenticator(store, lambda: policy[-1], clock), None)

    async def test_groups_are_those_of_now(
        self, authenticator: Authenticator, credential: str, policy: list[AccessPolicy]
    ) -> None:
        assert (await authenticator.authenticate(credential, via="x")).groups == ("staff",)
        policy.append(AccessPolicy(users={"ada": ("board",)}))
        assert (await authenticator.authenticate(credential, via="x")).groups == ("board",)

    async def test_scopes_are_those_of_the_token(self, authenticator: Authenticator, credential: str) -> None:
        assert (await authenticator.authenticate(credential, via="x")).scopes == {"read", "write"}

    async def test_an_expired_token_is_refused(self, authenticator: Authenticator, credential: str, clock: Clock) -> None:
        clock.now = 1_999.0
        await authenticator.authenticate(credential, via="x")
        clock.now = 2_000.0
        with pytest.raises(Unauthenticated):
            await authenticator.authenticate(credential, via="x")

    async def test_a_revoked_token_is_refused_at_the_next_call(
        self, authenticator: Authenticator, credential: str, store: MemoryTokens
    ) -> None:
        await authenticator.authenticate(credential, via="x")
        store.revoke(frozenset({credential[3:11]}), 1)
        with pytest.raises(Unauthenticated):
            await authenticator.authenticate(credential, via="x")

    async def test_the_secret_of_another_token_does_not_fit(
        self, authenticator: Authenticator, credential: str, store: MemoryTokens
    ) -> None:
        identity, secret = new_token()
        store.add(kept(identity, digest=digest(secret), user="bo"))
        mixed = credential[:11] + secret[11:]
        with pytest.raises(Unauthenticated):
            await authenticator.authenticate(mixed, via="x")


def test_tokens_differ_and_hold_256_random_bits() -> None:
    tokens = {new_token()[1] for _ in range(200)}
    assert len(tokens) == 200
    assert all(len(token) == 3 + 8 + 1 + 43 for token in tokens)


def test_the_file_holds_no_token_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    identity, secret = new_token()
    file = tmp_path / "tokens.json"
    TokenFile(file).add(kept(identity, digest=digest(secret)))
    assert secret[12:] not in file.read_text(encoding="utf-8")
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_another_process_does_shows_at_the_next_call(tmp_path: Path) -> None:
    here, there = TokenFile(tmp_path / "tokens.json"), TokenFile(tmp_path / "tokens.json")
    there.add(kept("one"))
    assert here.tokens() == (kept("one"),)
    there.revoke(frozenset({"one"}), 3)
    assert here.tokens() == (replace(kept("one"), revoked=3),)


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from citewell.adapters.identity.token_file import TokenFile;"
        "from citewell.testing.tokenstore_suite import kept; store = TokenFile(Path(sys.argv[1]));"
        "[store.add(kept(f'{sys.argv[2]}-{n}')) for n in range(20)]"
    )
    file = tmp_path / "tokens.json"
    started = [subprocess.Popen([sys.executable, "-c", script, str(file), str(n)]) for n in range(3)]
    assert [process.wait(timeout=60) for process in started] == [0, 0, 0]
    assert len(TokenFile(file).tokens()) == 60


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2, "tokens": []}', '{"version": 1, "tokens": [{"id": "x"}]}'])
def test_a_damaged_file_opens_nothing_and_says_so(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tokens.json"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(ConfigurationError, match=r"tokens\.json"):
        TokenFile(file).tokens()


def test_a_file_that_others_may_read_is_not_trusted(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    TokenFile(file).add(kept("one"))
    file.chmod(0o640)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        TokenFile(file).tokens()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="cannot be changed"):
        TokenFile(tmp_path / "tokens.json").add(kept("one"))


async def test_credentials_of_a_kind_that_is_not_accepted_are_refused() -> None:
    nobody = EitherAuthenticator(None, None)
    for credential in (new_token()[1], "a.b.c"):
        with pytest.raises(Unauthenticated):
            await nobody.authenticate(credential, via="x")
