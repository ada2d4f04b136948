"""Running Git so that neither an address, nor a repository, nor the machine's own settings can make it do more than asked.

Arguments are lists; no shell. The environment is built from nothing: no prompts, no configuration but ours, no hooks, no
protocols unless the call names them, no replaced objects, no objects fetched behind our back. A call that takes too long or
answers with too much is ended together with every process it started.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from citewell.core.errors import SourceUnreachable

MAX_OUTPUT_BYTES: Final = 256 * 1024 * 1024

_SETTINGS: Final = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "protocol.ext.allow=never",
    "credential.helper=",
    "fetch.recurseSubmodules=false",
    "gc.autoDetach=false",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
    "submodule.recurse=false",
)
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "false",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=20 -o ClearAllForwardings=yes",
    "GIT_SSH_VARIANT": "ssh",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": os.devnull,
    "LANG": "C",
    "LC_ALL": "C",
    "SSH_ASKPASS": "false",
}
_INHERITED: Final = (
    "ALL_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "PATH",
    "SSH_AUTH_SOCK",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "https_proxy",
    "no_proxy",
)
"""What the operating system tells programs about itself: handed on to Git, and of no meaning here."""

_CREDENTIALS: Final = re.compile(r"(?<=://)[^/@\s]+@|(?<=[Bb]asic )[A-Za-z0-9+/=]+|(?<=[Bb]earer )\S+")


@dataclass(frozen=True, slots=True)
class Finished:
    """How a call of Git ended: its exit status, what it wrote, and what it complained of, without credentials."""

    status: int
    output: bytes
    complaint: str


def run_git(
    arguments: Sequence[str], *, seconds: float, environment: Mapping[str, str] | None = None, given: bytes = b""
) -> Finished:
    """Call Git with ``arguments`` and ``given`` as its input; end it after ``seconds``.

    Raises SourceUnreachable when there is no Git, or it had to be ended.
    """
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as complaints:
        source.write(given)
        source.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603
                ["git", "--no-pager", *settings, *arguments],  # noqa: S607
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=_full_environment(environment or {}),
                start_new_session=True,
            )
        except OSError as error:
            raise SourceUnreachable("The program 'git' is needed to read this source.", detail=str(error)) from error
        output = _await(process, seconds)
        complaints.seek(0)
        complaint = complaints.read(10_000).decode("utf-8", "replace")
    return Finished(process.returncode, output, hide_credentials(complaint.strip()))


def hide_credentials(text: str) -> str:
    """Return ``text`` with users, passwords and authorisation headers replaced by three stars."""
    return _CREDENTIALS.sub(lambda match: "***@" if match[0].endswith("@") else "***", text)


def _full_environment(extra: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**inherited, **_ENVIRONMENT, **extra}


def _await(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """Return the output of ``process`` when it has ended. Raises SourceUnreachable after ending it ourselves."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        _end(process)

    watchdog = threading.Timer(seconds, expire)
    watchdog.start()
    assert process.stdout is not None
    try:
        output = process.stdout.read(MAX_OUTPUT_BYTES + 1)
        if len(output) > MAX_OUTPUT_BYTES:
            _end(process)
        process.wait()
    except BaseException:
        _end(process)
        raise
    finally:
        process.stdout.close()
        process.wait()
        watchdog.cancel()
    if expired.is_set():
        raise SourceUnreachable(f"Git did not finish within {seconds:g} seconds and was stopped.")
    if len(output) > MAX_OUTPUT_BYTES:
        raise SourceUnreachable(f"Git answered with more than {MAX_OUTPUT_BYTES:,} bytes and was stopped.")
    return output


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
