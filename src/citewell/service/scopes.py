"""What kinds of action a principal may perform."""

from __future__ import annotations

from citewell.core.access import Principal, Scope
from citewell.core.errors import Forbidden


def require(principal: Principal, scope: Scope) -> None:
    """Raise Forbidden where ``principal`` lacks ``scope``."""
    if scope not in principal.scopes:
        raise Forbidden(f"{principal.id} may not do this: it takes the scope {scope!r}.")
