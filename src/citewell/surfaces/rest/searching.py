"""Search and ask, at once or as a stream; sources; the check of citations."""

from __future__ import annotations

from http import HTTPStatus
from itertools import chain
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from citewell.core.citations import QuotedCitation, VerifyRequest
from citewell.core.errors import InvalidRequest
from citewell.core.fields import FILTER_FIELDS
from citewell.core.requests import AskRequest, Filters, SearchRequest
from citewell.surfaces.payloads import answer_payload, sources_payload
from citewell.surfaces.rest.access import JSON_BODY, Caller, Knowledge
from citewell.surfaces.rest.deadline import in_time
from citewell.surfaces.rest.events import EventStream, characters, event, named, one_by_one, stream
from citewell.surfaces.rest.failures import problems
from citewell.surfaces.rest.models import (
    AskAnswer,
    AskBody,
    SearchAnswer,
    SearchBody,
    SourcesAnswer,
    VerifyAnswer,
    VerifyBody,
)
from citewell.surfaces.rest.replies import reply, results_payload, verification_payload

router = APIRouter()

_OWN: Final = {"source": "sources", "path": "paths", "language": "languages", "kind": "kinds"}
_INVALID: Final = HTTPStatus.UNPROCESSABLE_ENTITY
_POSTED: Final = (HTTPStatus(413), HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _INVALID)
_SEARCHED: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)
_EVENT: Final = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
    "required": ["data"],
}
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events.",
        "content": {EventStream.media_type: {"schema": _EVENT}},
    }
}
_TOP_K: Final = Query(json_schema_extra={"minimum": 1, "maximum": 50})


@router.post("/search", responses={200: {"model": SearchAnswer}, **problems(*_POSTED, *_SEARCHED)}, dependencies=JSON_BODY)
async def search(body: SearchBody, request: Request, service: Knowledge, principal: Caller) -> Response:
    """Return the passages that answer a question best."""
    result = await in_time(request, service.search(principal, _search_request(body, request.app.state.k)))
    return reply(results_payload(body.query, result))


@router.get("/search/stream", response_class=EventStream, responses={**_STREAM, **problems(_INVALID, *_SEARCHED)})
async def search_stream(
    request: Request,
    service: Knowledge,
    principal: Caller,
    q: Annotated[str, Query(json_schema_extra={"minLength": 1, "maxLength": 2000, "pattern": r"\S"})] = "",
    top_k: Annotated[int, _TOP_K] = 1,
    collection: str | None = None,
    answer: bool = False,
) -> Response:
    """Stream the snippet of the best passage, or with ``answer`` an answer in words, one character in each event.

    The last event is ``[DONE]``; it is the only one where nothing was found.
    """
    filters = Filters(collections=_names(collection))
    if answer:
        text = (await in_time(request, service.ask(principal, AskRequest(question=q, filters=filters)))).text
    else:
        hits = (await in_time(request, service.search(principal, SearchRequest(query=q, k=top_k, filters=filters)))).hits
        text = hits[0].snippet if hits else ""
    return stream(one_by_one(characters(text)))


@router.post("/ask", responses={200: {"model": AskAnswer}, **problems(*_POSTED, *_SEARCHED)}, dependencies=JSON_BODY)
async def ask(body: AskBody, request: Request, service: Knowledge, principal: Caller) -> Response:
    """Answer a question in words, each sentence with its citation, or decline."""
    return reply(answer_payload(await in_time(request, service.ask(principal, _ask_request(body)))))


@router.post(
    "/ask/stream",
    response_class=EventStream,
    responses={**_STREAM, **problems(*_POSTED, *_SEARCHED)},
    dependencies=JSON_BODY,
)
async def ask_stream(body: AskBody, request: Request, service: Knowledge, principal: Caller) -> Response:
    """Answer as `/ask` does, as a stream: the event ``sources`` with everything but the text, the text, ``done``."""
    payload = answer_payload(await in_time(request, service.ask(principal, _ask_request(body))))
    text: str = payload.pop("answer")
    events = chain([named("sources", payload)], (event(character, "text") for character in text), [event("[DONE]", "done")])
    return stream(one_by_one(events))


@router.post("/citations/verify", responses={200: {"model": VerifyAnswer}, **problems(*_POSTED)}, dependencies=JSON_BODY)
async def verify_citations(body: VerifyBody, service: Knowledge, principal: Caller) -> Response:
    """Check citations: is each passage there for the caller, and does it hold the quote? Hidden counts as absent."""
    citations = tuple(QuotedCitation(**citation.model_dump()) for citation in body.citations)
    request = VerifyRequest(citations=citations, answer=body.answer)
    return reply(verification_payload(await service.verify(principal, request)))


@router.get("/sources", responses={200: {"model": SourcesAnswer}, **problems()})
async def sources(service: Knowledge, principal: Caller) -> Response:
    """Return the sources that the caller may read from."""
    return reply(sources_payload(await service.sources(principal)))


def _search_request(body: SearchBody, default: int) -> SearchRequest:
    """Return what ``body`` asks for. Raises InvalidRequest where it says twice, and differently, how much."""
    if None not in (body.k, body.top_k) and body.k != body.top_k:
        raise InvalidRequest("k and top_k are the same; give one of them.")
    chosen = next((count for count in (body.top_k, body.k) if count is not None), default)
    given: dict[str, str | list[str]] = body.filters.model_dump(exclude_none=True) if body.filters else {}
    own = {_OWN[name]: _names(values) for name, values in given.items() if name in _OWN}
    fields = tuple((name, _names(given[name])) for name in FILTER_FIELDS if name in given)
    filters = Filters(collections=_names(body.collection), fields=fields, **own)
    return SearchRequest(query=body.query, k=chosen, mode=body.mode, filters=filters, cursor=body.cursor)


def _ask_request(body: AskBody) -> AskRequest:
    return AskRequest(question=body.question, filters=Filters(collections=_names(body.collection)))


def _names(given: str | list[str] | None) -> tuple[str, ...]:
    return () if not given else (given,) if isinstance(given, str) else tuple(given)
