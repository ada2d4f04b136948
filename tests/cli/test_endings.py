"""How commands end: exit statuses, errors in both forms, interruption, a reader that went away."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citewell.cli.exits import EXIT_STATUSES
from citewell.core.errors import CitewellError

Cli = Callable[..., Any]


def every_error(kind: type[CitewellError] = CitewellError) -> Iterator[type[CitewellError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from every_error(below)


def test_every_error_ends_with_a_documented_status() -> None:
    assert {error.exit_status for error in every_error()} <= set(EXIT_STATUSES)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("search",), 64, "USAGE"),
        (("nope",), 64, "USAGE"),
        (("search", "x", "--bogus"), 64, "USAGE"),
        (("search", "x", "--mode", "magic"), 64, "USAGE"),
        (("search", "  "), 64, "EMPTY_QUERY"),
        (("search", "x", "-k", "0"), 64, "BAD_LIMIT"),
        (("search", "x", "--cursor", "junk"), 64, "BAD_CURSOR"),
        (("search", "x", "--collection", "nope"), 64, "UNKNOWN_COLLECTION"),
        (("read", "timeouts.md", "--start-line", "0"), 64, "BAD_LIMIT"),
        (("read", "nope"), 66, "DOCUMENT_NOT_FOUND"),
        (("search", "x", "--set", "store=nope:x"), 78, "UNKNOWN_ADAPTER"),
        (("search", "x", "--set", "retrieval.kk=1"), 78, "UNKNOWN_KEY"),
        (("search", "x", "--set", "retrieval.k"), 78, "BAD_CONFIGURATION"),
    ],
)
def test_an_error_has_its_status_and_its_code_in_both_forms(
    cli: Cli, library: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], status: int, code: str
) -> None:
    monkeypatch.setenv("CITEWELL_CONFIG", str(library))

    plain = cli(*arguments)
    as_json = cli(*arguments, "--json")

    assert (plain.status, plain.out) == (status, "")
    assert plain.err.startswith(f"{code}: ")
    assert "Traceback" not in plain.err
    assert (as_json.status, as_json.json["error"]["code"]) == (status, code)
    assert as_json.json["error"]["message"]


def test_no_arguments_show_the_commands(cli: Cli) -> None:
    outcome = cli()

    assert outcome.status == 0
    assert "search" in outcome.out


def test_a_bug_is_told_without_a_traceback_unless_asked_for(cli: Cli, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("citewell.wiring.build_service", fail)

    brief = cli("sources", "-c", library)
    full = cli("--debug", "sources", "-c", library)

    assert (brief.status, full.status) == (1, 1)
    assert brief.err.startswith("INTERNAL_ERROR: RuntimeError: boom")
    assert "Traceback" not in brief.err
    assert "Traceback" in full.err


def test_the_detail_of_an_error_is_for_the_log_alone(cli: Cli, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise CitewellError("for everybody", detail="for the operator")

    monkeypatch.setattr("citewell.wiring.build_service", fail)

    assert "for the operator" not in cli("sources", "-c", library).err
    assert "for the operator" in cli("--debug", "sources", "-c", library).err


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "citewell", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1"},
        **options,
    )


def test_the_module_is_the_command_line_and_its_status_reaches_the_shell(project: Path) -> None:
    process = start("read", "nope", "--json", "-c", str(project))

    out, _ = process.communicate(timeout=60)
    assert process.returncode == 66
    assert json.loads(out)["error"]["code"] == "DOCUMENT_NOT_FOUND"


def test_ctrl_c_ends_a_sync_with_status_130_and_what_was_committed_stays(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1#model"
        process = start("sync", "-c", str(project), "--set", f"embedder=openai:{address}")
        connection, _ = silent.accept()
        with connection:
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert err == "INTERRUPTED: Stopped. What was committed stays.\n"
    process = start("search", "timeout", "--mode", "bm25", "--json", "-c", str(project))
    assert json.loads(process.communicate(timeout=60)[0])["results"]


def test_chinese_reaches_a_terminal_that_knows_only_ascii(library: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "citewell", "search", "小草", "-c", str(library)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )

    assert b"\\u5c0f\\u8349" in process.stdout


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_an_output_that_nobody_reads_to_its_end_is_no_accident(library: Path, options: tuple[str, ...]) -> None:
    process = start("search", "timeout", "-c", str(library), *options)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()

    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 1
    assert err == ""
