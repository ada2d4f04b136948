"""Tokens are made, listed and revoked by those who may, and each time stands in the audit."""

from __future__ import annotations

import pytest
from house import REDACTOR, STAFF

from citewell.core.access import LOCAL_USER, user_principal
from citewell.core.errors import Forbidden, InvalidRequest, NotFound
from citewell.core.tokens import digest
from citewell.service.auditing import Auditor
from citewell.service.tokens import TokenService
from citewell.testing.memory_audit import MemoryAudit
from citewell.testing.memory_tokens import MemoryTokens

pytestmark = pytest.mark.anyio

ADMIN = user_principal(LOCAL_USER, frozenset(), via="test", scopes=frozenset({"admin"}))


@pytest.fixture
def audit() -> MemoryAudit:
    return MemoryAudit()


@pytest.fixture
def desk(audit: MemoryAudit) -> TokenService:
    return TokenService(MemoryTokens(), Auditor(audit, REDACTOR), lambda: 1_000.0)


async def test_a_token_is_handed_out_once_and_kept_as_a_hash(desk: TokenService) -> None:
    kept, secret = await desk.create(ADMIN, "ada", scopes=("write", "read", "write"), days=2)
    assert await desk.list(ADMIN) == (kept,)
    assert kept.digest == digest(secret)
    assert secret not in repr(kept)
    assert (kept.user, kept.scopes, kept.created, kept.expires) == ("ada", ("write", "read"), 1_000, 1_000 + 2 * 86_400)


async def test_a_token_may_live_for_ever(desk: TokenService) -> None:
    kept, _ = await desk.create(ADMIN, "ada", days=None)
    assert kept.is_good(1e12)


@pytest.mark.parametrize("user", ["", "*", "local", "anonymous", " ada", "a\nb", "x" * 257])
async def test_a_name_that_no_token_may_carry_is_refused(desk: TokenService, user: str) -> None:
    with pytest.raises(InvalidRequest):
        await desk.create(ADMIN, user)
    assert await desk.list(ADMIN) == ()


async def test_a_token_must_live_for_a_while(desk: TokenService) -> None:
    with pytest.raises(InvalidRequest):
        await desk.create(ADMIN, "ada", days=0)


async def test_all_tokens_of_a_user_are_revoked_at_once(desk: TokenService) -> None:
    for user in ("ada", "bo", "ada"):
        await desk.create(ADMIN, user)
    assert await desk.revoke(ADMIN, user="ada") == 2
    assert await desk.revoke(ADMIN, user="ada") == 0
    assert [token.is_good(1_000) for token in await desk.list(ADMIN)] == [False, True, False]


async def test_what_is_not_there_cannot_be_revoked(desk: TokenService) -> None:
    with pytest.raises(NotFound):
        await desk.revoke(ADMIN, token="nothere1")


async def test_nobody_without_the_scope_may_do_any_of_it(desk: TokenService, audit: MemoryAudit) -> None:
    for call in (desk.create(STAFF, "ada"), desk.list(STAFF), desk.revoke(STAFF, user="ada")):
        with pytest.raises(Forbidden):
            await call
    assert [event.outcome for event in audit.events] == ["denied"] * 3


async def test_the_audit_says_who_made_a_token_for_whom_and_never_the_token(desk: TokenService, audit: MemoryAudit) -> None:
    _, secret = await desk.create(ADMIN, "ada")
    (event,) = audit.events
    assert (event.action, event.who, event.target) == ("token_create", "local", "ada")
    assert secret not in repr(event)
