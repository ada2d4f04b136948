"""The access policy as the configuration file says it now: a change acts at the next call."""

from __future__ import annotations

import logging
from pathlib import Path

from citewell.config.loading import load_config
from citewell.config.model import Config
from citewell.core.access import AccessPolicy
from citewell.core.errors import ConfigurationError

logger = logging.getLogger(__name__)

Signature = tuple[int, int, int]


class LivePolicy:
    """Gives the policy of ``config``, read anew whenever its file has changed.

    While the file is broken or gone nobody can say who may read what, so ConfigurationError is raised: a mistake closes doors
    instead of leaving old ones open. A configuration that was built in code, or whose access section comes from the
    environment or a flag, does not change.
    """

    def __init__(self, config: Config) -> None:
        self._file = config.file if config.origin("access").layer in ("default", "file") else None
        self._policy = config.policy()
        self._signature = self._sign()

    def __call__(self) -> AccessPolicy:
        """Return the policy. Raises ConfigurationError while the file cannot be read."""
        signature = self._sign()
        if signature != self._signature:
            assert self._file is not None
            self._policy = _read(self._file, self._policy)
            self._signature = signature
            logger.info("The access rules were read anew.")
        return self._policy

    def _sign(self) -> Signature | None:
        if self._file is None:
            return None
        try:
            status = self._file.stat()
        except OSError as error:
            raise ConfigurationError(f"the access rules cannot be read: {self._file}: {error.strerror}") from error
        return status.st_mtime_ns, status.st_size, status.st_ino


def _read(file: Path, before: AccessPolicy) -> AccessPolicy:
    policy = load_config(file).policy()
    return before if policy == before else policy
