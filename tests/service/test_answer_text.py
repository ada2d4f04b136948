"""What an answer shows of a quote: its words, without addresses."""

from __future__ import annotations

import pytest

from citewell.answering.answer import without_addresses


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("See [the guide](https://example.org/a_(b)) first.", "See the guide first."),
        ('See [the guide](docs/guide.md "Guide") first.', "See the guide first."),
        ("Open https://example.org/x?y=1 now.", "Open now."),
        ("a server, `http://127.0.0.1:8080/mcp`.", "a server."),
        ("Mail <mailto:ada@example.org> us (www.example.org).", "Mail us."),
        ('httpx.post("https://example.org/x", data=1)', 'httpx.post("…", data=1)'),
        ('"""The docstring stays."""', '"""The docstring stays."""'),
        ("f() and x = '' and `` stay", "f() and x = '' and `` stay"),
        ("![logo](logo.png) Words", "logo Words"),
    ],
)
def test_addresses_go_and_words_stay(quote: str, shown: str) -> None:
    assert without_addresses(quote) == shown
