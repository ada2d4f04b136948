"""By which names a server is reached, on every address it may be bound to and on every route."""

from __future__ import annotations

import anyio
import pytest
from guests import Badges, application, bearer, send
from hosting import hosted

from citewell.config.place import Place
from citewell.core.errors import ConfigurationError
from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

NAMES = ("kb.example.org", "192.0.2.7:8080")
BOUND = {
    "127.0.0.1": Place(host="127.0.0.1", port=8080, allowed_hosts=NAMES),
    "::1": Place(host="::1", port=8080, allowed_hosts=NAMES),
    "localhost": Place(host="localhost", port=8080, allowed_hosts=NAMES),
    "0.0.0.0": Place(host="0.0.0.0", port=8080, allowed_hosts=NAMES),
    "::": Place(host="::", port=8080, allowed_hosts=NAMES),
    "192.0.2.7": Place(host="192.0.2.7", port=8080, public_url="https://kb.example.org"),
}
ROUTES = (
    "/mcp",
    "/documents/docs/timeouts.md",
    "/healthz",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/elsewhere",
)
GOOD = [("Host", "localhost:8080")]
Headers = list[tuple[str, str]]

FOREIGN_HOSTS: dict[str, Headers] = {
    "another": [("Host", "evil.example")],
    "another port": [("Host", "localhost:8081")],
    "no port": [("Host", "localhost")],
    "a port where none belongs": [("Host", "kb.example.org:8080")],
    "a port that is no number": [("Host", "localhost:8080x")],
    "trailing dot": [("Host", "kb.example.org.")],
    "trailing dot before the port": [("Host", "localhost.:8080")],
    "capitals": [("Host", "KB.EXAMPLE.ORG")],
    "suffix": [("Host", "kb.example.org.evil.com")],
    "suffix of this machine": [("Host", "localhost.evil.com:8080")],
    "prefix": [("Host", "evil-kb.example.org")],
    "below": [("Host", "evil.kb.example.org")],
    "above": [("Host", "example.org")],
    "userinfo before": [("Host", "kb.example.org@evil.com")],
    "userinfo after": [("Host", "evil.com@kb.example.org")],
    "password like a port": [("Host", "localhost:8080@evil.com")],
    "letters that look alike": [("Host", "kb.ex\xe4mple.org")],
    "punycode that looks alike": [("Host", "xn--kb-example-9ya.org")],
    "any address": [("Host", "0.0.0.0:8080")],
    "any address of six": [("Host", "[::]:8080")],
    "decimal address": [("Host", "2130706433:8080")],
    "short address": [("Host", "127.1:8080")],
    "mapped address": [("Host", "[::ffff:127.0.0.1]:8080")],
    "address without brackets": [("Host", "::1:8080")],
    "long address": [("Host", "[0:0:0:0:0:0:0:1]:8080")],
    "empty": [("Host", "")],
    "blank": [("Host", " localhost:8080")],
    "two in one": [("Host", "localhost:8080, evil.example")],
    "a whole address": [("Host", "http://localhost:8080")],
    "a path": [("Host", "localhost:8080/evil")],
    "wildcard": [("Host", "*")],
    "missing": [],
    "two": [("Host", "localhost:8080"), ("Host", "evil.example")],
    "two, the good one last": [("Host", "evil.example"), ("Host", "localhost:8080")],
    "two alike": [*GOOD, *GOOD],
    "forwarded": [("Host", "evil.example"), ("X-Forwarded-Host", "localhost:8080")],
}
FOREIGN_ORIGINS: dict[str, Headers] = {
    "another": [("Origin", "https://evil.example")],
    "null": [("Origin", "null")],
    "empty": [("Origin", "")],
    "another port": [("Origin", "http://localhost:8081")],
    "no port": [("Origin", "http://localhost")],
    "another scheme": [("Origin", "https://localhost:8080")],
    "a scheme of its own": [("Origin", "chrome-extension://localhost:8080")],
    "trailing dot": [("Origin", "https://kb.example.org.")],
    "trailing slash": [("Origin", "http://localhost:8080/")],
    "capitals": [("Origin", "HTTPS://KB.EXAMPLE.ORG")],
    "suffix": [("Origin", "https://kb.example.org.evil.com")],
    "prefix": [("Origin", "https://evil-kb.example.org")],
    "below": [("Origin", "https://evil.kb.example.org")],
    "userinfo": [("Origin", "https://kb.example.org@evil.com")],
    "letters that look alike": [("Origin", "https://kb.ex\xe4mple.org")],
    "no scheme": [("Origin", "localhost:8080")],
    "two in one": [("Origin", "http://localhost:8080 https://evil.example")],
    "two": [("Origin", "http://localhost:8080"), ("Origin", "https://evil.example")],
    "two, the good one last": [("Origin", "https://evil.example"), ("Origin", "http://localhost:8080")],
    "two alike": [("Origin", "http://localhost:8080"), ("Origin", "http://localhost:8080")],
}


async def statuses(knowledge: KnowledgeService, place: Place, headers: Headers) -> set[int]:
    async with application(knowledge, Badges().callers(), place) as app:
        asked = [
            await send(app, route, [*headers, *shown], method=method)
            for route in ROUTES
            for method in ("GET", "POST", "OPTIONS")
            for shown in ([], [bearer("ada")])
        ]
    return {reply.status for reply in asked}


@pytest.mark.parametrize("bound", BOUND)
@pytest.mark.parametrize("kind", FOREIGN_HOSTS)
async def test_a_request_for_another_host_is_refused_everywhere(knowledge: KnowledgeService, bound: str, kind: str) -> None:
    assert await statuses(knowledge, BOUND[bound], FOREIGN_HOSTS[kind]) == {421}


@pytest.mark.parametrize("bound", BOUND)
@pytest.mark.parametrize("kind", FOREIGN_ORIGINS)
async def test_a_page_of_another_origin_is_refused_everywhere(knowledge: KnowledgeService, bound: str, kind: str) -> None:
    assert await statuses(knowledge, BOUND[bound], [*GOOD, *FOREIGN_ORIGINS[kind]]) == {403}


@pytest.mark.parametrize("bound", BOUND)
@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "kb.example.org", "192.0.2.7:8080"])
async def test_its_own_names_are_admitted_with_their_origins(knowledge: KnowledgeService, bound: str, host: str) -> None:
    scheme = "https" if host == "kb.example.org" else "http"
    async with application(knowledge, Badges().callers(), BOUND[bound]) as app:
        for origin in ([], [("Origin", f"{scheme}://{host}")]):
            assert (await send(app, "/healthz", [("Host", host), *origin])).status == 200


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.0\r\n", 421),
        ("GET /healthz HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n", 400),
        ("GET http://{own}/healthz HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("GET /healthz HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: {own}\r\n", 421),
        ("GET /healthz HTTP/1.1\r\nHost : {own}\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: {own}\r\n", 200),
    ],
)
async def test_what_comes_over_a_socket_is_held_to_the_same(knowledge: KnowledgeService, head: str, status: int) -> None:
    async with hosted(knowledge) as address:
        own = address.removeprefix("http://")
        async with await anyio.connect_tcp("127.0.0.1", int(own.rpartition(":")[2])) as stream:
            await stream.send(f"{head.format(own=own)}Connection: close\r\n\r\n".encode())
            assert int((await stream.receive()).split()[1]) == status


async def test_a_usual_port_may_be_left_out(knowledge: KnowledgeService) -> None:
    place = Place(host="127.0.0.1", port=80, public_url="https://kb.example.org:443")
    async with application(knowledge, Badges().callers(), place) as app:
        for host in ("localhost", "localhost:80", "kb.example.org", "kb.example.org:443"):
            assert (await send(app, "/healthz", [("Host", host)])).status == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "kb.example.org"])
def test_strangers_are_not_served_without_being_asked_who_they_are(host: str) -> None:
    place = Place(host=host, port=8080, public_url="https://kb.example.org", allowed_hosts=NAMES)
    with pytest.raises(ConfigurationError, match="citewell token create"):
        place.require_safety(authenticated=False)


@pytest.mark.parametrize(
    "place",
    [
        Place(host="127.0.0.1", port=8080, public_url="https://kb.example.org"),
        Place(host="127.0.0.1", port=8080, allowed_hosts=("kb.example.org",)),
        Place(host="::1", port=8080, allowed_hosts=("localhost", "10.0.0.1:8080")),
    ],
)
def test_a_name_for_others_takes_authentication_on_this_machine_too(place: Place) -> None:
    with pytest.raises(ConfigurationError, match="is not this machine"):
        place.require_safety(authenticated=False)
    place.require_safety(authenticated=True)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_a_server_for_others_must_know_its_names(host: str) -> None:
    with pytest.raises(ConfigurationError, match=r"serve\.allowed_hosts"):
        Place(host=host, port=8080).require_safety(authenticated=True)


@pytest.mark.parametrize(
    "name", ["*", "*.example.org", "https://kb.example.org", "kb.example.org/", "a@b.org", "", "0.0.0.0", "[::]:80", "kä.org"]
)
def test_what_is_no_name_of_a_host_is_a_clear_error(name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"serve\.allowed_hosts"):
        Place(host="0.0.0.0", port=8080, allowed_hosts=(name,)).require_safety(authenticated=True)


def test_this_machine_is_served_without_more_ado() -> None:
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.2"):
        Place(host=host, port=8080, public_url="http://localhost:9999").require_safety(authenticated=False)
