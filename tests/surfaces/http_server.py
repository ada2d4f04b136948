"""Serves the tests' knowledge base over HTTP on the port given: what an operator starts as a process of its own."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import anyio
from stdio_server import INFO, READER, build

from citewell.config.place import Place
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.http import serve_http

if __name__ == "__main__":
    callers = Callers(authenticator=None, unnamed=lambda: replace(READER, via="mcp-http"))
    place = Place(host="127.0.0.1", port=int(sys.argv[1]))
    anyio.run(partial(serve_http, build, callers, (), INFO, place, ready=lambda: None))
