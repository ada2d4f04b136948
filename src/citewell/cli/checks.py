"""What ``citewell doctor`` looks at. A check never raises: what fails is what it is for."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from re import match
from typing import TYPE_CHECKING, Literal

from citewell import __version__
from citewell.cli.git import git_version
from citewell.cli.session import open_config
from citewell.core.errors import CitewellError, EmbeddingFailed, StoreBusy

if TYPE_CHECKING:
    from citewell.config import Config, SourceSettings
    from citewell.core.ports import Embedder, Store

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, and what to do about it."""

    name: str
    status: Status
    message: str
    advice: str = ""


def examine(config_path: Path | None, assignments: Sequence[str] | None) -> Iterator[Check]:
    """Yield the checks in order; without a configuration, those that need none."""
    import anyio

    yield check_python()
    yield check_packages()
    try:
        config = open_config(config_path, assignments)
    except CitewellError as error:
        yield Check("configuration", "fail", error.message)
        return
    yield Check("configuration", "ok", f"{config.file}: {len(config.sources)} sources")
    yield check_serving(config)
    yield check_git(config)
    yield from anyio.run(check_index, config)
    for settings in config.sources:
        yield check_source(config, settings)


def check_python() -> Check:
    """Tell which Python runs; one that is too old could not have come this far."""
    return Check("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def check_packages() -> Check:
    """Check that everything that is always needed is installed."""
    needed = [name for name in map(_required_name, requires("citewell") or ()) if name]
    missing = [name for name in needed if not _is_installed(name)]
    if missing:
        return Check("packages", "fail", f"missing: {', '.join(missing)}", "pip install --upgrade citewell")
    if find_spec("tree_sitter") is None:
        advice = "Code is cut by its symbols with: pip install 'citewell[code]'"
        return Check("packages", "warn", f"citewell {__version__} without the extra `code`", advice)
    return Check("packages", "ok", f"citewell {__version__} and {len(needed)} packages")


def check_serving(config: Config) -> Check:
    """Tell where `citewell serve` would listen, for whom, and what is written down; check that it may."""
    from citewell.cli.serving import audience
    from citewell.wiring import build_authenticator

    at = config.serve.place()
    audit = f"audit in {config.audit.path}" if config.audit.path else "no audit"
    message = f"{at.bound} {audience(config)}; {audit}{', required' if config.audit.required else ''}"
    try:
        at.require_safety(authenticated=config.auth is not None)
        if config.auth is not None:
            build_authenticator(config, config.policy)
    except CitewellError as error:
        return Check("serving", "fail", f"{at.bound} {error.message}")
    if config.auth is not None and not config.audit.path:
        return Check("serving", "warn", message, "Nobody can say later who saw what: set audit.path.")
    return Check("serving", "ok", message)


def check_git(config: Config) -> Check:
    """Check that Git is there, if a source needs it."""
    found = git_version()
    needed = any(settings.address.startswith("git:") for settings in config.sources)
    if found:
        return Check("git", "ok", found)
    return Check("git", "fail" if needed else "warn", "not found", "Install Git; `git:` sources are read with it.")


async def check_index(config: Config) -> list[Check]:
    """Check the store, the embedder, and whether vectors are outstanding."""
    from citewell.registry import open_embedder
    from citewell.wiring import open_configured_store

    try:
        store = open_configured_store(config)
    except CitewellError as error:
        return [Check("store", "fail", f"{config.store} {error.message}")]
    checks: list[Check] = []
    try:
        checks.append(await _check_store(config.store, store))
        embedder = open_embedder(config.embedder, config.revealed_secrets())
        checks.append(await _check_embedder(config.embedder, embedder))
        checks.append(await _check_pending(store, embedder))
    except CitewellError as error:
        checks.append(Check("embedder", "fail", f"{config.embedder} {error.message}"))
    finally:
        await store.close()
    return checks


def check_source(config: Config, settings: SourceSettings) -> Check:
    """Check that a source can be listed."""
    from citewell.registry import open_source

    name = f"source {settings.name}"
    try:
        source = open_source(
            settings.name,
            settings.address,
            include=settings.include,
            exclude=settings.exclude,
            cache=config.cache_folder,
            secrets=config.revealed_secrets(),
        )
        snapshot = source.snapshot()
    except CitewellError as error:
        return Check(name, "fail", error.message)
    found = f"files: {len(snapshot.files):,}; outside the globs: {snapshot.excluded:,}"
    if not snapshot.files:
        return Check(name, "warn", found, 'Nothing matches `include`; ** crosses folders, as in "**/*.md".')
    return Check(name, "ok", found)


async def _check_store(address: str, store: Store) -> Check:
    try:
        await store.apply(())
    except StoreBusy as error:
        return Check("store", "warn", f"{address} {error.message}", "Searching works meanwhile.")
    except CitewellError as error:
        return Check("store", "fail", f"{address} {error.message}")
    return Check("store", "ok", f"{address} is writable")


async def _check_embedder(address: str, embedder: Embedder) -> Check:
    began = time.perf_counter()
    try:
        vectors = await embedder.embed(["Is anybody there?"], "query")
    except EmbeddingFailed as error:
        return Check("embedder", "fail", f"{address} {error.message}", "Until it works, words alone find passages.")
    spent = f"{address} {vectors.shape[1]} dimensions, loaded and ran in {time.perf_counter() - began:.1f} s"
    if embedder.degraded:
        return Check("embedder", "warn", f"{spent}; {', '.join(embedder.degraded)}")
    return Check("embedder", "ok", spent)


async def _check_pending(store: Store, embedder: Embedder) -> Check:
    done, total = await store.progress(embedder.name)
    if total == 0:
        return Check("vectors", "warn", "the index is empty", "citewell sync")
    if done < total:
        return Check("vectors", "warn", f"{total - done:,} of {total:,} passages wait", "citewell sync")
    return Check("vectors", "ok", f"{total:,} passages, none waits")


def _required_name(requirement: str) -> str:
    """Return the package that ``requirement`` names, or nothing where it does not apply here."""
    package, _, marker = requirement.partition(";")
    if "extra" in marker or ("win32" in marker and sys.platform == "win32"):
        return ""
    found = match(r"[A-Za-z0-9._-]+", package)
    return found[0] if found else ""


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
