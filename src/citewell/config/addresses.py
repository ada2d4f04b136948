"""Paths inside adapter addresses: a relative one means relative to the configuration file."""

from __future__ import annotations

import os.path
import re
from pathlib import Path
from typing import Final

FOLDER_SCHEMES: Final = frozenset({"embedded", "onnx", "folder"})
"""Schemes whose rest is a folder."""

MILVUS_FILE: Final = ".db"
"""What the name of a file of Milvus Lite ends with; anything else is the address of a server."""

_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/\\]{2,}:")
"""A URL, or Git's short form ``host:path``; one letter before the colon is a drive."""


def anchored(address: str, folder: Path) -> str:
    """Return ``address`` with the path in it, if there is one, made absolute from ``folder``.

    What looks like an option in place of a repository is left as it is, for the source to refuse.
    Raises ValueError where a scheme that needs a path has none.
    """
    scheme, _, rest = address.partition(":")
    if scheme in FOLDER_SCHEMES:
        if not rest:
            raise ValueError(f"needs a folder after the colon, as in {scheme}:./folder")
        return f"{scheme}:{_absolute(rest, folder)}"
    if scheme == "milvus":
        path, mark, options = rest.partition("?")
        return f"milvus:{_absolute(path, folder)}{mark}{options}" if _is_milvus_file(path) else address
    if scheme == "git" and rest and not rest.startswith("-") and not _REMOTE.match(rest):
        path, mark, revision = rest.partition("#")
        return f"git:{_absolute(path, folder)}{mark}{revision}"
    return address


def _is_milvus_file(path: str) -> bool:
    return path.endswith(MILVUS_FILE) and "://" not in path


def _absolute(path: str, folder: Path) -> str:
    return os.path.normpath(folder / os.path.expanduser(path))
