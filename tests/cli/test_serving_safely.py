"""A server that would serve strangers unasked does not start, and says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


@pytest.mark.parametrize("command", [("serve",), ("mcp", "--http")])
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_others_are_not_served_without_authentication(cli: Cli, library: Path, command: tuple[str, ...], host: str) -> None:
    outcome = cli(*command, "--host", host, "--port", "0", "--config", library)
    assert outcome.status == 78
    assert "citewell token create" in outcome.err


@pytest.mark.parametrize("setting", ["serve.public_url=https://kb.example.org", 'serve.allowed_hosts=["kb.example.org"]'])
def test_a_name_for_others_takes_authentication_too(cli: Cli, library: Path, setting: str) -> None:
    outcome = cli("serve", "--set", setting, "--config", library)
    assert outcome.status == 78
    assert "kb.example.org" in outcome.err


def test_authentication_that_accepts_nothing_is_an_error(cli: Cli, library: Path) -> None:
    outcome = cli("serve", "--set", "auth.tokens=false", "--set", "auth.anonymous=true", "--config", library)
    assert outcome.status == 78
    assert "auth.tokens" in outcome.err


def serving(cli: Cli, library: Path, *assignments: str) -> tuple[str, str]:
    settings = [word for assignment in assignments for word in ("--set", assignment)]
    checks = cli("doctor", "--json", "--config", library, *settings).json["checks"]
    (check,) = [check for check in checks if check["name"] == "serving"]
    return check["status"], check["message"]


def test_doctor_tells_where_the_server_listens_and_for_whom(cli: Cli, library: Path) -> None:
    status, message = serving(cli, library)
    assert status == "ok"
    assert message.startswith("http://127.0.0.1:8080 for you alone; audit in ")


def test_doctor_tells_how_callers_show_who_they_are(cli: Cli, library: Path) -> None:
    status, message = serving(cli, library, "auth.anonymous=true", "audit.required=true")
    assert status == "ok"
    assert "for whoever shows a token of citewell, and for anonymous callers; audit in " in message
    assert message.endswith(", required")


def test_doctor_warns_of_a_server_for_others_that_keeps_no_audit(cli: Cli, project: Path) -> None:
    project.write_text(project.read_text() + "auth: {}\naudit: {path: null}\n")
    assert serving(cli, project)[0] == "warn"


def test_doctor_finds_a_server_that_would_not_start(cli: Cli, library: Path) -> None:
    status, message = serving(cli, library, "serve.host=0.0.0.0")
    assert status == "fail"
    assert "http://0.0.0.0:8080" in message


def test_doctor_finds_a_server_whose_callers_can_show_nothing(cli: Cli, library: Path) -> None:
    status, message = serving(cli, library, "auth.tokens=false")
    assert status == "fail"
    assert "auth.tokens" in message


@pytest.mark.parametrize(
    ("assignments", "address"),
    [
        ((), "http://127.0.0.1:8080"),
        (("serve.host=::1",), "http://[::1]:8080"),
        (("serve.host=0.0.0.0", 'serve.allowed_hosts=["kb.example.org"]', "auth.tokens=true"), "http://kb.example.org"),
        (("serve.public_url=https://kb.example.org/", "auth.tokens=true"), "https://kb.example.org"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_citations_lead_where_the_server_is_reached(
    cli: Cli, library: Path, assignments: tuple[str, ...], address: str
) -> None:
    settings = [word for assignment in assignments for word in ("--set", assignment)]
    found = cli("search", "timeout", "--json", "--config", library, *settings).json["results"]
    assert found
    assert all(result["url"].startswith(f"{address}/documents/") for result in found)
