"""Serves the tests' knowledge base over HTTP on the port given: what an operator starts as a process of its own."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import anyio
from stdio_server import INFO, READER, build

from citewell.surfaces.mcp.http import serve_http

if __name__ == "__main__":
    reader = replace(READER, via="mcp-http")
    port = int(sys.argv[1])
    anyio.run(partial(serve_http, build, lambda: reader, (), INFO, host="127.0.0.1", port=port, ready=lambda: None))
