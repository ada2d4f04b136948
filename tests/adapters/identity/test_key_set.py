"""The provider's keys: rotated, taken away, not to be had, and never fetched more often than they should be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from providers import EC_KEY, RSA_KEY, Provider, public_jwk

from citewell.adapters.identity.key_set import KEPT_SECONDS, LEAST_PAUSE_SECONDS, MAX_BYTES, KeySet

pytestmark = pytest.mark.anyio

OLD, NEW = public_jwk(RSA_KEY, "old"), public_jwk(EC_KEY, "new")


class Clock:
    now = 10_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider({"/keys": {"keys": [OLD]}}).serving() as provider:
        yield provider


@pytest.fixture
def keys(provider: Provider, clock: Clock) -> KeySet:
    return KeySet(f"{provider.address}/keys", provider.address, clock)


async def test_keys_are_fetched_once_and_kept(keys: KeySet, provider: Provider) -> None:
    for _ in range(5):
        assert await keys.key("old")
    assert provider.requests == ["/keys"]


async def test_a_new_key_is_found_at_once_and_an_old_one_goes_in_time(keys: KeySet, provider: Provider, clock: Clock) -> None:
    assert await keys.key("old")
    provider.documents["/keys"] = {"keys": [NEW]}
    clock.now += LEAST_PAUSE_SECONDS
    assert await keys.key("new")
    assert await keys.key("old") is None


async def test_a_key_that_was_taken_away_is_gone_when_its_time_is_over(
    keys: KeySet, provider: Provider, clock: Clock
) -> None:
    assert await keys.key("old")
    provider.documents["/keys"] = {"keys": []}
    clock.now += KEPT_SECONDS
    assert await keys.key("old") is None


async def test_made_up_names_do_not_become_a_flood(keys: KeySet, provider: Provider) -> None:
    for number in range(100):
        assert await keys.key(f"made-up-{number}") is None
    assert provider.requests == ["/keys"]


async def test_good_keys_outlive_a_short_absence_of_the_provider(keys: KeySet, provider: Provider, clock: Clock) -> None:
    assert await keys.key("old")
    provider.documents.clear()
    clock.now += KEPT_SECONDS
    assert await keys.key("old")
    clock.now += 6 * KEPT_SECONDS
    assert await keys.key("old") is None


async def test_the_issuer_says_where_its_keys_are(provider: Provider, clock: Clock) -> None:
    discovery = "/.well-known/openid-configuration"
    provider.documents[discovery] = {"issuer": provider.address, "jwks_uri": f"{provider.address}/keys"}
    assert await KeySet("", provider.address, clock).key("old")
    provider.documents[discovery] = {"issuer": "https://other.example", "jwks_uri": f"{provider.address}/keys"}
    assert await KeySet("", provider.address, clock).key("old") is None


async def test_a_redirect_is_not_followed(provider: Provider, clock: Clock) -> None:
    provider.documents["/moved"] = f"{provider.address}/keys"
    assert await KeySet(f"{provider.address}/moved", provider.address, clock).key("old") is None
    assert provider.requests == ["/moved"]


@pytest.mark.parametrize(
    "answer", [b"", b"[]", b"{", b'{"keys": 7}', b'{"keys": [7, {}]}', b" " * (MAX_BYTES + 1)], ids=range(6)
)
async def test_what_is_no_key_set_gives_no_keys(provider: Provider, clock: Clock, answer: bytes) -> None:
    provider.documents["/keys"] = answer
    assert await KeySet(f"{provider.address}/keys", provider.address, clock).key("old") is None


async def test_keys_of_another_machine_come_encrypted_or_not_at_all(clock: Clock) -> None:
    assert await KeySet("http://192.0.2.1/keys", "http://192.0.2.1", clock).key("old") is None


async def test_a_file_that_is_not_there_gives_no_keys(tmp_path: Path, clock: Clock) -> None:
    assert await KeySet(str(tmp_path / "none.json"), "x", clock).key("old") is None
