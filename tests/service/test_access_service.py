"""Administrators are told who may read what and why, and give documents readers of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from house import GUIDE, PAYROLL, REDACTOR, House

from citewell.core.access import ANONYMOUS, AccessPolicy, AccessRule, Principal, Scope, user_principal
from citewell.core.errors import DocumentNotFound, Forbidden, InvalidRequest
from citewell.core.requests import ReadRequest, SearchRequest, SyncRequest
from citewell.service.access import AccessService, Decision, Opening
from citewell.service.auditing import Auditor
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

POLICY = AccessPolicy(
    rules=(AccessRule(paths="public/**", groups=("public",)), AccessRule(paths="board/**", groups=("board",))),
    default=("engineering",),
    users={"ada": ("backend",), "bo": ("board",), "*": ("staff",), ANONYMOUS: ("web",), "zed": ()},
    subgroups={"engineering": ("backend", "frontend")},
)
FILES = {"guide.md": GUIDE, "board/payroll.md": PAYROLL, "public/note.md": b"# Note\n\nThe default timeout is public.\n"}
ADMIN = user_principal("root", frozenset(), via="test", scopes=frozenset({"admin"}))


def desk_of(house: House) -> AccessService:
    return AccessService(store=house.store, policy=lambda: house.policy, auditor=Auditor(house.audit, REDACTOR))


async def furnished(files: dict[str, bytes] | None = None, **settings: Any) -> tuple[House, AccessService]:
    house = House(MemorySource("handbook", files or FILES), policy=POLICY, **settings)
    await house.sync()
    house.audit.events.clear()
    return house, desk_of(house)


def somebody(user: str) -> Principal:
    if user == ANONYMOUS:
        return POLICY.anonymous(via="test")
    return POLICY.principal(user, via="test", scopes=frozenset({"read"}))


async def may_really_read(house: House, user: str, document: str) -> bool:
    """Say whether he is shown it, by the service that everybody asks."""
    principal = somebody(user)
    asker = Principal(**{name: getattr(principal, name) for name in ("id", "tokens", "kind", "via")})
    try:
        await house.service.read(asker, ReadRequest(id=document))
    except DocumentNotFound:
        return False
    return True


async def test_a_rule_that_lets_somebody_in_is_named_with_the_way_into_its_group() -> None:
    _, desk = await furnished()
    told = await desk.explain(ADMIN, "bo", "board/payroll.md")
    assert (told.allowed, told.decision) == (True, Decision(by="rule", glob="board/**", number=2))
    assert told.through == (Opening(token="group:board", chain=("board",)),)
    told = await desk.explain(ADMIN, "ada", "guide.md")
    assert (told.allowed, told.decision) == (True, Decision(by="default"))
    assert told.through == (Opening(token="group:engineering", chain=("backend", "engineering")),)
    assert told.groups == ("backend", "engineering")


async def test_whoever_is_kept_out_is_told_by_what() -> None:
    _, desk = await furnished()
    told = await desk.explain(ADMIN, "ada", "board/payroll.md")
    assert (told.allowed, told.decision.glob, told.acl, told.through) == (False, "board/**", ("group:board",), ())


async def test_groups_that_a_provider_would_vouch_for_count() -> None:
    _, desk = await furnished()
    assert (await desk.explain(ADMIN, "ada", "board/payroll.md", claimed=["board"])).allowed
    assert not (await desk.explain(ADMIN, ANONYMOUS, "board/payroll.md", claimed=["board"])).allowed


async def test_a_path_that_is_not_indexed_is_told_as_it_would_be() -> None:
    _, desk = await furnished()
    told = await desk.explain(ADMIN, "bo", "board/new.md")
    assert (told.source, told.allowed, told.decision.number) == ("", True, 2)
    readers = await desk.who(ADMIN, "somewhere/else.md")
    assert (readers.source, readers.users, readers.decision.by) == ("", ("ada",), "default")


async def test_who_may_read_names_those_who_are_named_and_tells_of_the_others() -> None:
    house, desk = await furnished()
    everybody = await desk.who(ADMIN, "public/note.md")
    assert (everybody.users, everybody.everybody_else, everybody.anonymous) == (("ada", "bo", "zed"), True, True)
    some = await desk.who(ADMIN, "board/payroll.md")
    assert (some.users, some.everybody_else, some.anonymous) == (("bo",), False, False)
    await desk.pin(ADMIN, "guide.md", groups=["staff", "web"], users=["zoe"])
    own = await desk.who(ADMIN, "guide.md")
    assert (own.users, own.everybody_else, own.anonymous, own.decision.by) == (("zoe",), True, True, "pinned")
    assert await may_really_read(house, "zoe", "guide.md")


@pytest.mark.parametrize("user", ["ada", "bo", "zed", "eve", ANONYMOUS])
@pytest.mark.parametrize("document", FILES)
async def test_what_is_told_is_what_happens(user: str, document: str) -> None:
    house, desk = await furnished()
    for _ in range(2):
        told = (await desk.explain(ADMIN, user, document)).allowed
        readers = await desk.who(ADMIN, document)
        listed = (
            readers.anonymous if user == ANONYMOUS else user in readers.users or (user == "eve" and readers.everybody_else)
        )
        assert told == listed == await may_really_read(house, user, document)
        await desk.pin(ADMIN, document, groups=["web", "backend"], users=["zed"])


async def test_readers_of_its_own_act_at_once_survive_a_sync_and_end_with_a_release() -> None:
    house, desk = await furnished()
    assert await desk.pin(ADMIN, "board/payroll.md", groups=[], users=["ada"]) == {"user:ada"}
    house.source = MemorySource("handbook", {**FILES, "board/payroll.md": PAYROLL + b"\nMore.\n"})
    await house.sync()
    assert await may_really_read(house, "ada", "board/payroll.md")
    assert not await may_really_read(house, "bo", "board/payroll.md")
    assert await desk.release(ADMIN, "board/payroll.md") == {"group:board"}
    assert not await may_really_read(house, "ada", "board/payroll.md")
    assert await may_really_read(house, "bo", "board/payroll.md")


async def test_a_document_can_be_closed_to_everybody_and_nothing_is_embedded() -> None:
    house, desk = await furnished()
    before = len(house.embedder.passages)
    await desk.pin(ADMIN, "public/note.md", groups=[], users=[])
    for user in ("ada", "bo", ANONYMOUS):
        assert not await may_really_read(house, user, "public/note.md")
    found = await house.service.search(somebody("ada"), SearchRequest(query="default timeout"))
    assert "public/note.md" not in {hit.stored.info.path for hit in found.hits}
    assert len(house.embedder.passages) == before


async def test_what_is_no_document_has_no_readers_of_its_own() -> None:
    _, desk = await furnished()
    for call in (desk.pin(ADMIN, "absent.md", groups=["board"], users=[]), desk.release(ADMIN, "absent.md")):
        with pytest.raises(DocumentNotFound):
            await call


@pytest.mark.parametrize(("groups", "users"), [([""], []), ([], [" "]), ([], ["*"]), ([], ["ada", ANONYMOUS])])
async def test_names_that_can_be_nobodys_are_refused(groups: list[str], users: list[str]) -> None:
    house, desk = await furnished()
    with pytest.raises(InvalidRequest):
        await desk.pin(ADMIN, "guide.md", groups=groups, users=users)
    assert not (await house.store.ledger("handbook"))["guide.md"].pinned


async def test_of_several_documents_that_are_called_so_one_must_be_named() -> None:
    files = {"a/chun.md": GUIDE, "board/chun.md": PAYROLL}
    house, desk = await furnished(files, ids="stem")
    with pytest.raises(
        InvalidRequest, match=r"2 documents are called so: a/chun\.md of handbook; board/chun\.md of handbook"
    ):
        await desk.pin(ADMIN, "chun", groups=[], users=[])
    await desk.pin(ADMIN, "board/chun.md", groups=[], users=[])
    assert not await may_really_read(house, "bo", "chun")
    assert await may_really_read(house, "ada", "chun")


async def test_of_several_documents_somebody_is_explained_the_one_he_is_shown() -> None:
    _, desk = await furnished({"a/chun.md": GUIDE, "board/chun.md": PAYROLL}, ids="stem")
    assert (await desk.explain(ADMIN, "bo", "chun")).path == "board/chun.md"
    assert (await desk.explain(ADMIN, "ada", "chun")).path == "a/chun.md"
    assert not (await desk.explain(ADMIN, "zed", "chun")).allowed


async def test_the_same_path_in_two_sources_is_two_documents() -> None:
    house, desk = await furnished()
    house.source = MemorySource("wiki", FILES)
    await house.service.close()
    report = await house.service.sync(
        user_principal("root", frozenset(), via="test", scopes=frozenset({"write"})), SyncRequest(sources=("wiki",)), print
    )
    assert report.complete
    with pytest.raises(InvalidRequest, match=r"guide\.md of handbook; guide\.md of wiki"):
        await desk.who(ADMIN, "guide.md")
    await desk.pin(ADMIN, "guide.md", groups=[], users=[], source="wiki")
    assert (await desk.who(ADMIN, "guide.md", source="wiki")).users == ()
    assert (await desk.who(ADMIN, "guide.md", source="handbook")).users == ("ada",)


async def test_a_document_whose_real_path_only_a_sync_knows_is_closed_until_one() -> None:
    house, desk = await furnished({"people/ada.byron@corp.com.md": GUIDE})
    (path,) = await house.store.ledger("handbook")
    assert (await desk.explain(ADMIN, "ada", path)).decision.by == "disguised"
    await desk.pin(ADMIN, path, groups=["board"], users=[])
    assert await desk.release(ADMIN, path) == frozenset()
    assert not await may_really_read(house, "ada", path)
    await house.sync()
    assert await may_really_read(house, "ada", path)


CALLS: dict[str, Callable[[AccessService, Principal], Awaitable[Any]]] = {
    "access_explain": lambda desk, me: desk.explain(me, "ada", "guide.md"),
    "access_who": lambda desk, me: desk.who(me, "guide.md"),
    "access_set": lambda desk, me: desk.pin(me, "guide.md", groups=["board"], users=[]),
    "access_reset": lambda desk, me: desk.release(me, "guide.md"),
}


@pytest.mark.parametrize("action", CALLS)
@pytest.mark.parametrize(("scopes", "outcome"), [({"read", "write"}, "denied"), ({"admin"}, "ok")])
async def test_access_is_for_administrators_and_every_call_is_written_down(
    action: str, scopes: set[Scope], outcome: str
) -> None:
    house, desk = await furnished()
    me = user_principal("root", frozenset(), via="test", scopes=frozenset(scopes))
    try:
        await CALLS[action](desk, me)
    except Forbidden:
        assert (await house.store.ledger("handbook"))["guide.md"].acl == POLICY.acl("guide.md")
    assert [(seen.action, seen.who, seen.outcome) for seen in house.audit.events] == [(action, "root", outcome)]
    assert house.audit.events[0].target.endswith("guide.md")


async def test_changed_rules_are_told_without_a_sync() -> None:
    house, desk = await furnished()
    house.policy = AccessPolicy(default=("board",), users=POLICY.users)
    assert (await desk.explain(ADMIN, "bo", "guide.md")).allowed
    assert (await desk.who(ADMIN, "guide.md")).acl == ("group:board",)
