"""Signed tokens of a provider (JWT): what is accepted, and every way we know to forge one."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from providers import (
    AUDIENCE,
    EC_KEY,
    ED_KEY,
    ISSUER,
    OTHER_RSA_KEY,
    RSA_KEY,
    RSA_PEM,
    Provider,
    claims,
    handmade,
    public_jwk,
    signed,
)

from citewell.adapters.identity.json_web_tokens import JwtAuthenticator
from citewell.adapters.identity.key_set import KeySet
from citewell.core.access import AccessPolicy
from citewell.core.errors import Unauthenticated
from citewell.core.ports import Authenticator
from citewell.testing.authenticator_suite import AuthenticatorSuite

pytestmark = pytest.mark.anyio

POLICY = AccessPolicy(users={"ada": ("staff",), "*": ("guests",)}, subgroups={"engineering": ("backend",)})
KEYS = [
    public_jwk(RSA_KEY, "rsa"),
    public_jwk(EC_KEY, "ec"),
    public_jwk(ED_KEY, "ed"),
    public_jwk(OTHER_RSA_KEY, "for-encryption", use="enc"),
    public_jwk(OTHER_RSA_KEY, "for-512", alg="RS512"),
    {"kty": "oct", "kid": "shared", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},
]


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": KEYS}), encoding="utf-8")
    return file


@pytest.fixture
def authenticator(key_file: Path) -> JwtAuthenticator:
    return judge(KeySet(str(key_file), ISSUER))


def judge(keys: KeySet, **settings: Any) -> JwtAuthenticator:
    return JwtAuthenticator(issuer=ISSUER, audience=AUDIENCE, keys=keys, policy=lambda: POLICY, **settings)


class TestJwtAuthenticator(AuthenticatorSuite):
    @pytest.fixture
    def credential(self) -> str:
        return signed()


async def refused(authenticator: Authenticator, credential: str) -> None:
    with pytest.raises(Unauthenticated):
        await authenticator.authenticate(credential, via="x")


async def test_groups_come_from_the_token_and_from_the_policy(authenticator: JwtAuthenticator) -> None:
    principal = await authenticator.authenticate(signed(groups=["backend", 7, "Platform Team"]), via="x")
    assert principal.groups == ("Platform Team", "backend", "engineering", "staff")
    assert (await authenticator.authenticate(signed(sub="eve", groups="solo team"), via="x")).groups == (
        "guests",
        "solo team",
    )


async def test_a_claimed_group_called_public_or_user_opens_nothing_more(authenticator: JwtAuthenticator) -> None:
    principal = await authenticator.authenticate(signed(groups=["user:bo", "group:board"]), via="x")
    assert "user:bo" not in principal.tokens
    assert "group:board" not in principal.tokens


@pytest.mark.parametrize(
    ("given", "scopes"),
    [
        ({}, {"read"}),
        ({"scope": "openid profile"}, {"read"}),
        ({"scope": "citewell:read citewell:write"}, {"read", "write"}),
        ({"scp": ["citewell:admin"]}, {"admin"}),
        ({"scope": "admin write"}, {"read"}),
        ({"scope": {"citewell:admin": True}}, {"read"}),
    ],
)
async def test_scopes_are_those_that_name_us(
    authenticator: JwtAuthenticator, given: dict[str, Any], scopes: set[str]
) -> None:
    assert (await authenticator.authenticate(signed(**given), via="x")).scopes == scopes


@pytest.mark.parametrize(
    ("key", "algorithm", "name"), [(EC_KEY, "ES256", "ec"), (ED_KEY, "EdDSA", "ed"), (RSA_KEY, "RS256", "rsa")]
)
async def test_every_accepted_algorithm_works(authenticator: JwtAuthenticator, key: Any, algorithm: str, name: str) -> None:
    assert (await authenticator.authenticate(signed(key, algorithm, {"kid": name}), via="x")).id == "ada"


@pytest.mark.parametrize("algorithm", ["RS512", "PS256"])
async def test_a_key_that_names_no_algorithm_serves_all_of_its_kind_that_are_accepted(key_file: Path, algorithm: str) -> None:
    wider = judge(KeySet(str(key_file), ISSUER), algorithms=("RS256", algorithm))
    assert (await wider.authenticate(signed(RSA_KEY, algorithm), via="x")).id == "ada"
    await refused(wider, signed(EC_KEY, "ES256", {"kid": "ec"}))
    await refused(wider, signed(OTHER_RSA_KEY, "RS256", {"kid": "for-512"}))


async def test_a_list_of_audiences_that_names_us_is_accepted(authenticator: JwtAuthenticator) -> None:
    assert (await authenticator.authenticate(signed(aud=["other", AUDIENCE]), via="x")).id == "ada"


async def test_clocks_may_differ_by_a_minute_and_no_more(authenticator: JwtAuthenticator) -> None:
    now = int(time.time())
    await authenticator.authenticate(signed(exp=now - 50), via="x")
    await authenticator.authenticate(signed(nbf=now + 50), via="x")
    await refused(authenticator, signed(exp=now - 70))
    await refused(authenticator, signed(nbf=now + 90))


WRONG_CLAIMS: list[dict[str, Any]] = [
    *({name: None} for name in ("exp", "aud", "iss", "sub")),
    *({"aud": value} for value in ("other", ["other"], [], "", 7, {"x": AUDIENCE})),
    *({"iss": value} for value in ("https://login.example.org", ISSUER + "/", "")),
    *({"sub": value} for value in ("", "local", "anonymous", "*", "a\nb", "x" * 257)),
    *({"exp": value} for value in (1, "never", -1)),
]


@pytest.mark.parametrize("wrong", WRONG_CLAIMS, ids=str)
async def test_a_token_with_missing_or_wrong_claims_is_refused(
    authenticator: JwtAuthenticator, wrong: dict[str, Any]
) -> None:
    await refused(authenticator, signed(**wrong))


async def test_a_subject_that_is_no_text_is_refused(authenticator: JwtAuthenticator) -> None:
    token = jwt.api_jws.encode(json.dumps(claims(sub=7)).encode(), RSA_KEY, "RS256", {"kid": "rsa"})
    await refused(authenticator, token)


@pytest.mark.parametrize("name", ["none", "None", "NONE", "nOnE", "", "HS256", "RS1"])
async def test_an_unsigned_token_is_refused(authenticator: JwtAuthenticator, name: str) -> None:
    await refused(authenticator, handmade(json.dumps({"alg": name, "kid": "rsa"}), json.dumps(claims())))


async def test_the_public_key_is_no_shared_secret(authenticator: JwtAuthenticator) -> None:
    header = {"alg": "HS256", "kid": "rsa", "typ": "JWT"}
    import hashlib
    import hmac

    unsigned = handmade(json.dumps(header), json.dumps(claims())).rpartition(".")[0]
    mac = hmac.new(RSA_PEM, unsigned.encode(), hashlib.sha256).digest()
    await refused(authenticator, f"{unsigned}.{jwt.utils.base64url_encode(mac).decode()}")


FORGED: dict[str, str] = {
    "another key under the right name": signed(OTHER_RSA_KEY),
    "unknown key": signed(headers={"kid": "nobody"}),
    "path in the key's name": signed(OTHER_RSA_KEY, headers={"kid": "../../../../dev/null"}),
    "SQL in the key's name": signed(OTHER_RSA_KEY, headers={"kid": "rsa' OR '1'='1"}),
    "a key for encryption": signed(OTHER_RSA_KEY, headers={"kid": "for-encryption"}),
    "a key for another algorithm": signed(OTHER_RSA_KEY, headers={"kid": "for-512"}),
    "a shared key of the set": signed("secret-secret-secret-secret-secret", "HS256", {"kid": "shared"}),
    "an algorithm that is not accepted": signed(RSA_KEY, "RS512"),
    "the wrong kind of key": signed(EC_KEY, "ES256", {"kid": "rsa"}),
    "a critical extension": signed(headers={"crit": ["exp"]}),
    "eight kilobytes": signed(padding="x" * 8_000),
    "five parts": signed() + ".x.y",
    "two parts": signed().rpartition(".")[0],
    "cut": signed()[:-10],
    "bad base64": signed().replace(".", ".!", 1),
    "a name twice": handmade('{"alg":"RS256","alg":"RS256","kid":"rsa"}', json.dumps(claims())),
    "a header that is a list": handmade("[]", json.dumps(claims())),
    "nested beyond reason": handmade("[" * 2_000, "]" * 2_000),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED.keys())
async def test_a_forged_token_is_refused(authenticator: JwtAuthenticator, forged: str) -> None:
    await refused(authenticator, forged)


async def test_a_claim_that_stands_twice_is_refused(authenticator: JwtAuthenticator) -> None:
    text = json.dumps(claims())[:-1] + ',"sub":"bo"}'
    await refused(authenticator, jwt.api_jws.encode(text.encode(), RSA_KEY, "RS256", {"kid": "rsa"}))


@pytest.fixture
def stranger() -> Iterator[Provider]:
    with Provider({"/keys": {"keys": [public_jwk(OTHER_RSA_KEY, "rsa")]}}).serving() as provider:
        yield provider


@pytest.mark.parametrize("name", ["jku", "x5u", "jwk", "x5c"])
async def test_a_key_that_the_token_brings_is_not_looked_at(
    authenticator: JwtAuthenticator, stranger: Provider, name: str
) -> None:
    brought: Any = f"{stranger.address}/keys" if name in ("jku", "x5u") else public_jwk(OTHER_RSA_KEY, "rsa")
    await refused(authenticator, signed(OTHER_RSA_KEY, headers={name: [brought] if name == "x5c" else brought}))
    assert stranger.requests == []


async def test_an_address_for_mail_counts_only_when_it_is_verified(key_file: Path) -> None:
    by_mail = judge(KeySet(str(key_file), ISSUER), user_claim="email")
    good = signed(email="ada@corp.example", email_verified=True)
    assert (await by_mail.authenticate(good, via="x")).id == "ada@corp.example"
    for verified in (None, False, "true", 1):
        await refused(by_mail, signed(email="ada@corp.example", email_verified=verified))
