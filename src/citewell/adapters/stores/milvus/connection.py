"""A connection to Milvus, or to Milvus Lite in a file, and its failures in our own words."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import Any, Final

import grpc
from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

from citewell.adapters.stores.milvus.address import Address
from citewell.core.errors import CitewellError, ConfigurationError, StoreBusy, StoreError, StoreUnavailable

NOT_ADMITTED: Final = frozenset({5, 1400, 1800})
"""Codes of credentials that are not admitted."""

NOT_REFUSED: Final = 2
"""Codes up to this one say that there was no answer."""

FAILURES: Final = (MilvusException, grpc.RpcError, OSError, ValueError)

logger = logging.getLogger(__name__)
for _name in ("pymilvus", "milvus_lite"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # They log every failed call in full, with what was asked.

_UNAUTHENTICATED: Final = re.compile(r"unauthenticated|authenticat|auth check failure|permission[ _]?(denied|deny)")


def open_client(address: Address, token: str) -> MilvusClient:
    """Return a client that is connected. Raises StoreUnavailable, StoreBusy for a file, or ConfigurationError."""
    settings: dict[str, Any] = {"uri": address.uri, "token": token, "timeout": address.timeout}
    if address.database:
        settings["db_name"] = address.database
    if address.ca:
        if not os.access(address.ca, os.R_OK):
            raise ConfigurationError(f"milvus: the certificates in {address.ca} cannot be read.")
        settings["server_pem_path"] = address.ca
    try:
        if not address.remote:
            Path(address.uri).parent.mkdir(parents=True, exist_ok=True)
        return MilvusClient(**settings)
    except FAILURES as error:
        raise (translated(error) if address.remote else _unopened(address.uri, error)) from error


def translated(error: Exception) -> CitewellError:
    """Return the failure as ours. Milvus' own words may quote what was asked: they are for the log."""
    detail = f"{type(error).__name__}: {str(error)[:500]}"
    code = getattr(error, "code", None)
    if code in NOT_ADMITTED or _UNAUTHENTICATED.search(str(error).lower()):
        return StoreUnavailable("Milvus refuses us: see MILVUS_TOKEN.", detail=detail)
    if isinstance(error, MilvusException) and isinstance(code, int) and code > NOT_REFUSED:
        logger.warning("Milvus refused a request with code %d.", code)
        return StoreError(f"Milvus refused a request (code {code}).", detail=detail)
    return StoreUnavailable("Milvus does not answer.", detail=detail)


def _unopened(file: str, error: Exception) -> CitewellError:
    if "milvus-lite is required" in str(error):
        return ConfigurationError("milvus: a file needs the package milvus-lite, which is missing: pip install milvus-lite")
    detail = f"{type(error).__name__}: {str(error)[:500]}"
    return StoreBusy(
        f"Milvus Lite cannot open {file}: another process has it open, or it is not one of its files.", detail=detail
    )
