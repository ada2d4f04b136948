"""What the code cannot say of itself: how addresses go on after their colon, and what a user's own names are called here."""

from __future__ import annotations

ADDRESSES = {
    ("store", "embedded"): "embedded:FOLDER",
    ("store", "memory"): "memory:",
    ("store", "elastic+qdrant"): "elastic+qdrant:TEXT_URL,QDRANT_URL[?prefix=…&timeout=…&ca=…&dialect=…&exact=…]",
    ("store", "milvus"): "milvus:URL[?…]",
    ("reranker", "late"): "late:",
    ("embedder", "bundled"): "bundled:",
    ("embedder", "hash"): "hash:",
    ("embedder", "onnx"): "onnx:FOLDER",
    ("embedder", "openai"): "openai:URL[?query_prefix=TEXT&passage_prefix=TEXT]#MODEL",
    ("embedder", "tei"): "tei:URL[?query_prefix=TEXT&passage_prefix=TEXT][#MODEL]",
    ("detector", "kingfisher"): "kingfisher:",
    ("detector", "presidio"): "presidio:",
    ("source", "folder"): "folder:PATH",
    ("source", "git"): "git:ADDRESS[#REVISION]",
}
"""The address of each adapter, by kind and scheme. In brackets stands what may be left out."""

NAMES = {"collections": "NAME", "access.users": "USER", "access.groups": "GROUP", "tools[].parameters": "PARAMETER"}
"""What stands for the keys that a section leaves to the user."""

SECRETS = {
    "CITEWELL_AUDIT_KEY": "The key that chains the audit, at least 32 characters, in place of `audit.key_file`.",
    "CITEWELL_REDACTION_KEY": "The key of the placeholders, at least 32 characters, in place of `redaction.key_file`.",
    "ELASTICSEARCH_API_KEY": "The API key for Elasticsearch, before any user and password.",
    "ELASTICSEARCH_PASSWORD": "The password of the user in the address of Elasticsearch or OpenSearch.",
    "GITHUB_TOKEN": "Reading private repositories on github.com over HTTPS; it is sent to no other host.",
    "MILVUS_TOKEN": "The token for Milvus: an API key, or `user:password`.",
    "OPENAI_API_KEY": "The bearer token for embedders of the scheme `openai:`.",
    "QDRANT_API_KEY": "The API key for Qdrant.",
}
