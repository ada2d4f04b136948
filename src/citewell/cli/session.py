"""From the options of a command to a service that does the work for the local user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from citewell.core.access import Principal
from citewell.core.errors import ConfigurationError

if TYPE_CHECKING:
    from citewell.config import Config
    from citewell.service import KnowledgeService

Result = TypeVar("Result")


class Closing(Protocol):
    """Something that is closed after use."""

    async def close(self) -> None:
        """Release what is held."""
        ...


Desk = TypeVar("Desk", bound=Closing)


def open_config(path: Path | None, assignments: Sequence[str] | None, flags: Mapping[str, object] | None = None) -> Config:
    """Return the configuration under ``--set KEY=VALUE`` and ``flags``, of which those that are None were not given.

    Raises ConfigurationError.
    """
    from citewell.config import load_config

    given = {key: str(value) for key, value in (flags or {}).items() if value is not None}
    return load_config(path, {**dict(_assignment(text) for text in assignments or ()), **given})


def with_service(config: Config, use: Callable[[KnowledgeService, Principal], Awaitable[Result]]) -> Result:
    """Return what ``use`` makes of the service and the local user; the service is closed afterwards."""
    from citewell.wiring import build_service

    return with_desk(config, build_service, use)


def with_desk(config: Config, build: Callable[[Config], Desk], use: Callable[[Desk, Principal], Awaitable[Result]]) -> Result:
    """Return what ``use`` makes of the service that ``build`` builds and the local user; it is closed afterwards."""
    import anyio

    from citewell.wiring import local_principal

    async def run() -> Result:
        desk = build(config)
        try:
            return await use(desk, local_principal(config, "cli"))
        finally:
            await desk.close()

    return anyio.run(run)


def _assignment(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark or not key.strip():
        raise ConfigurationError(f"--set {text}: write KEY=VALUE, as in --set retrieval.k=20")
    return key.strip(), value
