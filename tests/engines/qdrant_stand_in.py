"""Qdrant's interface over HTTP, answered by its own core: no package ships the server.

    python tests/engines/qdrant_stand_in.py PORT

The paths and the bodies are those that qdrant-client sends. Points and filters are the core's; limits of the server's own,
such as the size of a request, are not kept here.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from qdrant_client import models
from qdrant_core import CoreClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where waiting for the disk is not the point: the core waits for it at every index of a field."""

Answer = Callable[[CoreClient, str, dict[str, Any]], Any]


def create(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    client.create_collection(name, vectors_config=models.CreateCollection(**body).vectors)
    return True


def upsert(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    client.upsert(name, models.PointsList(**body).points)
    return {"operation_id": 1, "status": "completed"}


def delete(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    client.delete(name, models.FilterSelector(**body))
    return {"operation_id": 1, "status": "completed"}


def set_payload(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.SetPayload(**body)
    client.set_payload(name, asked.payload, points=asked.filter or asked.points)
    return {"operation_id": 1, "status": "completed"}


def query(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.QueryRequest(**body)
    vector = asked.query.nearest if isinstance(asked.query, models.NearestQuery) else asked.query
    return client.query_points(
        name,
        query=vector,
        using=asked.using,
        query_filter=asked.filter,
        limit=asked.limit or 10,
        with_payload=True if asked.with_payload is None else asked.with_payload,
    )


def scroll(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.ScrollRequest(**body)
    points, following = client.scroll(name, scroll_filter=asked.filter, limit=asked.limit or 10, offset=asked.offset)
    return models.ScrollResult(points=points, next_page_offset=following)


def facet(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.FacetRequest(**body)
    return client.facet(name, asked.key, facet_filter=asked.filter, limit=asked.limit or 10, exact=True)


def index(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    client.create_payload_index(name, body["field_name"], body["field_schema"])
    return {"operation_id": 1, "status": "completed"}


def exists(client: CoreClient, name: str, body: dict[str, Any]) -> Any:
    return {"exists": client.collection_exists(name)}


ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "/collections", lambda client, name, body: client.get_collections()),
    ("GET", "/collections/{name}", lambda client, name, body: client.get_collection(name)),
    ("GET", "/collections/{name}/exists", exists),
    ("PUT", "/collections/{name}", create),
    ("DELETE", "/collections/{name}", lambda client, name, body: client.delete_collection(name)),
    ("PUT", "/collections/{name}/index", index),
    ("PUT", "/collections/{name}/points", upsert),
    ("POST", "/collections/{name}/points/delete", delete),
    ("POST", "/collections/{name}/points/payload", set_payload),
    ("POST", "/collections/{name}/points/query", query),
    ("POST", "/collections/{name}/points/scroll", scroll),
    ("POST", "/collections/{name}/facet", facet),
)


def application(client: CoreClient) -> Starlette:
    """Return a stand-in that answers with what ``client`` holds."""

    def endpoint(answer: Answer) -> Callable[[Request], Any]:
        async def serve(request: Request) -> JSONResponse:
            body = await request.json() if await request.body() else {}
            try:
                result = answer(client, request.path_params.get("name", ""), body)
            except ValueError as error:
                return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, status_code=404)
            return JSONResponse({"result": plain(result), "status": "ok", "time": 0.0})

        return serve

    return Starlette(routes=[Route(path, endpoint(answer), methods=[method]) for method, path, answer in ROUTES])


def plain(result: Any) -> Any:
    return result.model_dump(mode="json") if hasattr(result, "model_dump") else result


@contextmanager
def serving_qdrant() -> Iterator[str]:
    """Yield the address of an empty stand-in of this process."""
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="engine-qdrant-") as folder:
        client = CoreClient(Path(folder))
        config = uvicorn.Config(application(client), host="127.0.0.1", port=0, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()
            client.close()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="engine-qdrant-") as place:
        uvicorn.run(application(CoreClient(Path(place))), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
