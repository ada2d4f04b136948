"""Qdrant's interface over HTTP, answered by the local mode of its own client: no package ships the server.

    python tests/engines/qdrant_stand_in.py PORT

The paths and the bodies are those that qdrant-client sends; what a real server would refuse is not refused here.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from qdrant_client import QdrantClient, models
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

Answer = Callable[[QdrantClient, str, dict[str, Any]], Any]


def create(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    client.create_collection(name, vectors_config=models.CreateCollection(**body).vectors)
    return True


def upsert(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    client.upsert(name, models.PointsList(**body).points)
    return {"operation_id": 1, "status": "completed"}


def delete(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    client.delete(name, models.FilterSelector(**body))
    return {"operation_id": 1, "status": "completed"}


def set_payload(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.SetPayload(**body)
    client.set_payload(name, asked.payload, points=asked.filter or asked.points)
    return {"operation_id": 1, "status": "completed"}


def query(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
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


def scroll(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.ScrollRequest(**body)
    points, following = client.scroll(name, scroll_filter=asked.filter, limit=asked.limit or 10, offset=asked.offset)
    return models.ScrollResult(points=points, next_page_offset=following)


def facet(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.FacetRequest(**body)
    return client.facet(name, asked.key, facet_filter=asked.filter, limit=asked.limit or 10, exact=True)


def indexed(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return {"operation_id": 1, "status": "completed"}


def exists(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return {"exists": client.collection_exists(name)}


ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "/collections", lambda client, name, body: client.get_collections()),
    ("GET", "/collections/{name}", lambda client, name, body: client.get_collection(name)),
    ("GET", "/collections/{name}/exists", exists),
    ("PUT", "/collections/{name}", create),
    ("PUT", "/collections/{name}/index", indexed),
    ("PUT", "/collections/{name}/points", upsert),
    ("POST", "/collections/{name}/points/delete", delete),
    ("POST", "/collections/{name}/points/payload", set_payload),
    ("POST", "/collections/{name}/points/query", query),
    ("POST", "/collections/{name}/points/scroll", scroll),
    ("POST", "/collections/{name}/facet", facet),
)


def application() -> Starlette:
    """Return an empty stand-in."""
    client = QdrantClient(":memory:")

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
    server = uvicorn.Server(uvicorn.Config(application(), host="127.0.0.1", port=0, log_level="error", lifespan="off"))
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


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    uvicorn.run(application(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
