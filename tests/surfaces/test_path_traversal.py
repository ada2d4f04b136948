"""Ways to write a path that leads elsewhere. The reader looks names up in the index; none of them is one."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest
from assembly import build_knowledge, written
from guests import HOST, Badges, application, bearer, send, use

from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

UP: Final = (
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "%2E%2E%2F",
    ".%2e/",
    "..%5c",
    "..\\",
    "%2e%2e%5c",
    "%252e%252e%252f",
    "..%252f",
    "%25252e%25252e%25252f",
    "..%c0%af",
    "%c0%ae%c0%ae/",
    "%c0%ae%c0%ae%c0%af",
    "..%e0%80%af",
    "..%f0%80%80%af",
    "..%c1%9c",
    "..%u2215",
    "..%ef%bc%8f",
    "%ef%bc%8e%ef%bc%8e/",
    "%ef%bc%8e%ef%bc%8e%ef%bc%8f",
    "..%e2%88%95",
    "%e2%80%a5/",
    "..;/",
    "..%3b/",
    "..%00/",
    "..%0a/",
    "..%20/",
    "....//",
    "..././",
    ".../",
    "./../",
    "..//",
    "/../",
    "x/../../",
    "%09../",
)
TARGETS: Final = ("etc/passwd", "private/board.md", "dashboard", "citewell.yaml", "docs/timeouts.md")
ABSOLUTE: Final = (
    "/etc/passwd",
    "//etc/passwd",
    "%2fetc%2fpasswd",
    "file:///etc/passwd",
    "file:%2f%2f%2fetc%2fpasswd",
    "C:/Windows/win.ini",
    "C:%5cWindows%5cwin.ini",
    "c:boot.ini",
    "//server/share/file",
    "%5c%5cserver%5cshare%5cfile",
    "%5c%5c?%5cC:%5cboot.ini",
    "%5c%5c.%5cpipe%5cname",
    "/proc/self/environ",
    "~/.ssh/id_rsa",
    "~root/.bashrc",
    "$HOME/.netrc",
    "%24%7bHOME%7d",
    "CON",
    "NUL",
    "docs/timeouts.md%00",
    "docs/timeouts.md%00.png",
    "docs/timeouts.md%20",
    "docs/timeouts.md.",
    "docs/timeouts.md/",
    "docs//timeouts.md",
    "./docs/timeouts.md",
    "docs/./timeouts.md",
    "docs%5ctimeouts.md",
    "docs/timeouts.md::$DATA",
    "DOCS/TIMEOUTS.MD",
    "docs/timeouts.md:",
    "docs/timeouts.md:-1",
    "docs/timeouts.md:999999999",
    "docs/timeouts.md:9999999999",
    "dashboard%2f..%2fprivate%2fboard.md",
    "docs/*.md",
    "docs/%25.md",
    "docs/timeouts.md%27%20OR%201=1--",
    "..",
    ".",
    "%2e",
    "",
    "a" * 9000,
    "../" * 3000,
    "%ff%fe",
    "%ed%a0%80",
    "%",
    "%zz",
    "%e2%80%aedm.draob/etavirp",
)
FORMS: Final = tuple(dict.fromkeys([f"{up}{end}" for up, end in product(UP, TARGETS)] + list(ABSOLUTE)))


def test_there_are_two_hundred_forms() -> None:
    assert len(FORMS) >= 200


@pytest.mark.parametrize("who", ["ada", "bo"])
async def test_every_form_answers_exactly_like_a_document_that_is_missing(knowledge: KnowledgeService, who: str) -> None:
    async with application(knowledge, Badges().callers()) as app:
        missing = await send(app, "/documents/missing", [HOST, bearer(who)])
        assert missing.status == 404
        for form in FORMS:
            assert (form, await send(app, f"/documents/{form}", [HOST, bearer(who)])) == (form, missing)


async def test_fetch_answers_every_form_like_a_document_that_is_missing(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        missing = await use(app, "ada", "fetch", id="missing")
        for form in filter(None, FORMS):
            if len(form) <= 2000:
                assert (form, await use(app, "ada", "fetch", id=form)) == (form, missing)


async def test_a_document_may_bear_such_a_name() -> None:
    name = "docs/../%2e%2e%2f..\\odd.md"
    knowledge = await build_knowledge([written(name, ["Found.\n"])])
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, "/documents/docs/../%252e%252e%252f..%5codd.md", [HOST, bearer("ada")])
    assert reply.body == b"Found.\n"
