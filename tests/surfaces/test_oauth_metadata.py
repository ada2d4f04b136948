"""What an OAuth client learns of this server (RFC 9728)."""

from __future__ import annotations

import httpx2
import pytest
from guests import Badges, application, send
from hosting import LOCAL
from mcp.shared.auth import ProtectedResourceMetadata

from citewell.config.place import Place
from citewell.service import KnowledgeService
from citewell.surfaces.auth.callers import Callers

pytestmark = pytest.mark.anyio

PLACE = Place(host="0.0.0.0", port=8080, public_url="https://kb.example.org/citewell")
HOST = ("Host", "kb.example.org")
ROUTES = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]
ISSUER = "https://login.example.org/"


@pytest.mark.parametrize("route", ROUTES)
async def test_it_names_the_resource_and_whose_tokens_it_takes(knowledge: KnowledgeService, route: str) -> None:
    async with application(knowledge, Badges().callers(), PLACE, issuers=[ISSUER]) as app:
        described = (await send(app, route, [HOST])).json
    assert described == {
        "resource": "https://kb.example.org/citewell/mcp",
        "resource_name": "citewell",
        "scopes_supported": ["read"],
        "bearer_methods_supported": ["header"],
        "authorization_servers": [ISSUER],
    }
    assert ProtectedResourceMetadata.model_validate(described).bearer_methods_supported == ["header"]


async def test_a_refusal_leads_to_it(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers(), PLACE) as app:
        challenge = (await send(app, "/mcp", [HOST])).headers["www-authenticate"]
    address = challenge.partition('resource_metadata="')[2].rstrip('"')
    assert httpx2.URL(address).path == f"/citewell{ROUTES[1]}"


async def test_no_issuer_is_named_where_tokens_are_made_by_the_operator(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers(), PLACE) as app:
        assert "authorization_servers" not in (await send(app, ROUTES[0], [HOST])).json


@pytest.mark.parametrize("route", ROUTES)
async def test_there_is_none_where_nobody_is_asked_who_he_is(knowledge: KnowledgeService, route: str) -> None:
    callers: Callers = LOCAL
    async with application(knowledge, callers) as app:
        assert (await send(app, route, [("Host", "127.0.0.1:8080")])).status == 404


@pytest.mark.parametrize(
    ("place", "resource"),
    [
        (Place(host="127.0.0.1", port=8080), "http://127.0.0.1:8080/mcp"),
        (Place(host="::1", port=8080), "http://[::1]:8080/mcp"),
        (Place(host="0.0.0.0", port=8080, allowed_hosts=("kb.local:8080",)), "http://kb.local:8080/mcp"),
    ],
)
async def test_without_a_public_address_it_goes_by_where_it_listens(
    knowledge: KnowledgeService, place: Place, resource: str
) -> None:
    host = ("Host", resource.removeprefix("http://").removesuffix("/mcp"))
    async with application(knowledge, Badges().callers(), place) as app:
        assert (await send(app, ROUTES[0], [host])).json["resource"] == resource
