"""What every error of citewell is."""

from __future__ import annotations

from typing import ClassVar


class CitewellError(Exception):
    """Anything citewell refuses to do or cannot do.

    ``message`` is safe to show to the caller; ``detail`` is for the operator's log only.
    """

    code: ClassVar[str] = "CITEWELL_ERROR"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
