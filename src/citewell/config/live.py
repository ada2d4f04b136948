"""The access policy as the files say it now: a change acts at the next call."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Final

from citewell.config.loading import load_config
from citewell.config.model import Config
from citewell.core.access import AccessPolicy
from citewell.core.errors import ConfigurationError

logger = logging.getLogger(__name__)

GRACE_SECONDS: Final = 2.0
"""How long after a file was written it may be half written: editors empty a file before they fill it, or move it away."""

COARSE_SECONDS: Final = 1.0
"""Within this time of one change, another may leave a file with the same size and time."""

Signature = tuple[tuple[int, int, int] | None, ...]


class LivePolicy:
    """Gives the policy of ``config``, read anew whenever its file, or the file of its access rules, has changed.

    A file that is broken or gone leaves the last good policy in force for the two seconds in which somebody may be saving
    it. After that nobody can say who may read what, and ConfigurationError is raised: a mistake closes doors instead of
    leaving old ones open. An access section that vanishes is such a mistake, for without one everything is open; that takes
    a new start. What the environment and the command line say goes on to stand above the file. A configuration that was
    built in code does not change.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._policy = config.policy()
        self._signature = self._sign()
        self._read_at = time.time()
        self._noticed: float | None = None

    def __call__(self) -> AccessPolicy:
        """Return the policy. Raises ConfigurationError while the files say none."""
        signature = self._sign()
        if signature == self._signature and self._noticed is None and _written(signature) < self._read_at - COARSE_SECONDS:
            return self._policy
        try:
            self._take(self._read(), signature)
        except ConfigurationError as error:
            logger.warning("The access rules cannot be read: %s", error.message)
            if self._age(signature) > GRACE_SECONDS:
                problem = "The access rules cannot be read, so nothing is answered. The log of the server says why."
                raise ConfigurationError(problem, detail=error.message) from error
        return self._policy

    def _take(self, config: Config, signature: Signature) -> None:
        policy = config.policy()
        if policy != self._policy:
            self._policy = policy
            logger.info("The access rules were read anew.")
        self._config, self._signature, self._read_at, self._noticed = config, signature, time.time(), None

    def _read(self) -> Config:
        if self._config.file is None:
            return self._config
        config = load_config(self._config.file, self._config.overrides)
        if config.access is None and self._config.access is not None:
            problem = "the access section is gone, which would open everything; if that is meant, start citewell anew"
            raise ConfigurationError(f"{config.file}: {problem}")
        return config

    def _age(self, signature: Signature) -> float:
        """Return for how many seconds at least the files have been as they are."""
        now = time.monotonic()
        if self._noticed is None:
            self._noticed = now
        written = _written(signature) if None not in signature else float("inf")
        return max(now - self._noticed, time.time() - written)

    def _sign(self) -> Signature:
        access = self._config.access
        rules = Path(access.file) if access is not None and access.file is not None else None
        return tuple(_sign(file) for file in (self._config.file, rules) if file is not None)


def _sign(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _written(signature: Signature) -> float:
    """Return when the youngest file was written, in seconds since 1970."""
    return max((known[0] for known in signature if known is not None), default=0) / 1e9
