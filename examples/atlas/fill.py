"""Fills the index as somebody else would: four fields, and nothing of citewell.

    python examples/atlas/fill.py --elastic http://127.0.0.1:9200 --qdrant http://127.0.0.1:6333 --gateway http://127.0.0.1:9400/v1

Elasticsearch or OpenSearch gets the index `doc_chunks`, Qdrant the collection `doc_chunks`; both hold `source_id`, `doc_id`,
`chunk_idx` and `text`. Only HTTP and the standard library are used.
"""

from __future__ import annotations

import argparse
import json
import uuid
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

NAME = "doc_chunks"
CORPUS = Path(__file__).with_name("corpus.jsonl")
MAPPING = {
    "properties": {
        "source_id": {"type": "keyword"},
        "doc_id": {"type": "keyword"},
        "chunk_idx": {"type": "integer"},
        "text": {"type": "text"},
    }
}


def send(method: str, url: str, body: Any = None, kind: str = "application/json", may_be: tuple[int, ...] = ()) -> Any:
    """Return what the server answers; ``may_be`` are statuses that are no failures here."""
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode() if body is not None else None
    request = Request(url, data=content, method=method, headers={"content-type": kind})  # noqa: S310
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.loads(answer.read() or b"{}")
    except HTTPError as refusal:
        if refusal.code in may_be:
            return {}
        raise SystemExit(f"{method} {url}: {refusal.code} {refusal.read().decode()[:300]}") from refusal


def fill_elastic(elastic: str, chunks: list[dict[str, Any]]) -> None:
    """Write the index; the id of a chunk is its own business."""
    send("DELETE", f"{elastic}/{NAME}", may_be=(404,))
    send("PUT", f"{elastic}/{NAME}", {"mappings": MAPPING})
    lines = []
    for chunk in chunks:
        name = f"{chunk['doc_id'].replace('/', '.')}-{chunk['chunk_idx']:04}"
        lines += [json.dumps({"index": {"_index": NAME, "_id": name}}), json.dumps(chunk)]
    answer = send("POST", f"{elastic}/_bulk?refresh=true", "\n".join(lines) + "\n", "application/x-ndjson")
    if answer.get("errors"):
        raise SystemExit(f"Elasticsearch refused a chunk: {json.dumps(answer)[:300]}")


def fill_qdrant(qdrant: str, gateway: str, model: str, chunks: list[dict[str, Any]]) -> None:
    """Write the collection, with vectors from the gateway."""
    answer = send("POST", f"{gateway}/embeddings", {"model": model, "input": [chunk["text"] for chunk in chunks]})
    vectors = [item["embedding"] for item in sorted(answer["data"], key=lambda item: item["index"])]
    send("DELETE", f"{qdrant}/collections/{NAME}", may_be=(404, 405))
    send("PUT", f"{qdrant}/collections/{NAME}", {"vectors": {"size": len(vectors[0]), "distance": "Cosine"}}, may_be=(409,))
    points = [
        {
            "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{chunk['doc_id']}#{chunk['chunk_idx']}")),
            "vector": vector,
            "payload": chunk,
        }
        for chunk, vector in zip(chunks, vectors, strict=True)
    ]
    send("PUT", f"{qdrant}/collections/{NAME}/points?wait=true", {"points": points})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elastic", default="http://127.0.0.1:9200")
    parser.add_argument("--qdrant", default="http://127.0.0.1:6333")
    parser.add_argument("--gateway", default="http://127.0.0.1:9400/v1")
    parser.add_argument("--model", default="hashed-trigrams")
    given = parser.parse_args()
    found = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    fill_elastic(given.elastic.rstrip("/"), found)
    fill_qdrant(given.qdrant.rstrip("/"), given.gateway.rstrip("/"), given.model, found)
    print(f"{len(found)} chunks in {NAME}")
