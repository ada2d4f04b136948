"""A knowledge base served as an operator serves it, and a browser that looks at its page."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE_SECONDS = 60

CONFIGURATION = """
store: "embedded:./store"
embedder: "hash:"
collections:
  notes: {chunker: auto}
  manual: {chunker: auto}
sources:
  - {name: notes, from: "folder:./notes", collection: notes, editable: true}
  - {name: manual, from: "folder:./manual", collection: manual, url: "https://example.org/{path}", include: ["far.md"]}
  - {name: library, from: "folder:./manual", collection: manual, exclude: ["far.md"]}
access:
  default: [public]
"""

TEXTS = {
    "kettle.md": "---\nversion: 1.10\n---\n# Kettle\n\n## Filling\n\nFill the kettle with fresh water up to the mark.\n",
    "far.md": "# Far away\n\nThe zeppelin is moored at a tall mast.\n",
    "cay.md": "# Çay nasıl demlenir\n\nÇaydanlık önce soğuk suyla doldurulur; İyi çay acele etmez.\n",
    "chun.md": "# 春\n\n盼望着，盼望着，东风来了，春天的脚步近了。\n",
    "evil.md": (
        "---\ntitle: <img src=x onerror=alert(1)>\n---\n"
        "<script>alert(2)</script> marmalade <b>bold</b> [x](javascript:alert(3))\n"
    ),
    **{f"note-{n:02}.md": f"# Note {n:02}\n\nA teapot with the number {n:02} has a lid.\n" for n in range(22)},
}


def found(folder: Path, more: str = "") -> Path:
    """Make the knowledge base in ``folder`` and return its configuration."""
    for name in ("notes", "manual"):
        (folder / name).mkdir()
    for name, text in TEXTS.items():
        (folder / "manual" / name).write_text(text, encoding="utf-8")
    config = folder / "citewell.yaml"
    config.write_text(CONFIGURATION + more)
    citewell(config, "sync")
    return config


def citewell(config: Path, *arguments: str) -> str:
    """Run the command line and return its output."""
    command = [sys.executable, "-m", "citewell", *arguments, "--config", str(config)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=_environment()).stdout


def new_token(config: Path, user: str) -> str:
    return re.findall(r"cw_\S+", citewell(config, "token", "create", "--user", user, "--scope", "read", "--scope", "write"))[
        0
    ]


@contextmanager
def serving(config: Path) -> Iterator[str]:
    """The address of a server of its own."""
    with create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "citewell", "serve", "--port", str(port), "--config", str(config)]
    with subprocess.Popen(command, env=_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait(server, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=PATIENCE_SECONDS)


def _wait(server: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=5):
                return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("CITEWELL_")}
