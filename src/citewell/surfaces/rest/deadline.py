"""How long a question may take, and what becomes of one that goes wrong on the way."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TypeVar

import anyio
from starlette.requests import Request

from citewell.core.errors import CitewellError, RetrievalFailed, ToolTimeout
from citewell.surfaces.rest.failures import UNEXPECTED

logger = logging.getLogger(__name__)

Found = TypeVar("Found")


async def in_time(request: Request, call: Awaitable[Found]) -> Found:
    """Return what ``call`` returns, within the time that the server gives a question.

    Raises ToolTimeout when it is over, RetrievalFailed for what is no error of ours, and what ``call`` raises.
    """
    seconds: int = request.app.state.timeout
    try:
        with anyio.move_on_after(seconds):
            return await call
    except CitewellError:
        raise
    except Exception as error:
        logger.exception("The request for %s failed", request.url.path)
        raise RetrievalFailed(UNEXPECTED) from error
    raise ToolTimeout(f"This took longer than {seconds} seconds, and was ended.")
