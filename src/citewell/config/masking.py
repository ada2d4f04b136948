"""Taking credentials out of texts that are about to be shown."""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "********"

_USERINFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_PARAMETER = re.compile(r"(?i)([?&][^=&#\s]*(?:key|token|secret|password)[^=&#\s]*=)[^&#\s]+")


def masked(text: str) -> str:
    """Return ``text`` with the user part of every URL, and query parameters that name a secret, replaced by MASK."""
    return _PARAMETER.sub(rf"\1{MASK}", _USERINFO.sub(MASK, text))
