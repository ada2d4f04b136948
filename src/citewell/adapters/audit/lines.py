"""One line of an audit file: what is chained by a keyed hash, and beside it the question, which can be erased.

    {"record":{"seq":7,"time":"…","who":"ada",…},"mac":"…","query":"…","salt":"…"}

``mac`` is HMAC-SHA-256 (RFC 2104) over the mac of the line before and the bytes of ``record``. Of the question, ``record``
holds only SHA-256(salt + question): blanking question and salt leaves the chain whole.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from citewell.core.ports import AuditEvent

VERSION: Final = 1
NO_SALT: Final = "0" * 32
_HEAD: Final = b'{"record":'
_MAC: Final = b',"mac":"'
_QUERY: Final = b'","query":"'
_SALT: Final = b'","salt":"'
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_OPTIONAL: Final = ("kind", "groups", "code", "target", "plan", "shown", "cited", "answer", "degraded", "stages", "usage")


@dataclass(frozen=True, slots=True)
class Line:
    """A line taken apart; ``query`` is the JSON inside its quotation marks, None where nobody asked anything."""

    record: bytes
    mac: str
    query: bytes | None = None
    salt: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The record as an object. Raises ValueError for one that is none."""
        try:
            fields = json.loads(self.record.decode())
        except RecursionError as error:
            raise ValueError("the record is too deep") from error
        if not isinstance(fields, dict):
            raise ValueError("the record is no object")  # noqa: TRY004 (what json.loads raises for other damage)
        return fields

    @property
    def erased(self) -> bool:
        """Whether the question was blanked."""
        return self.query is not None and self.salt == NO_SALT and not self.query.strip(b" ")

    @property
    def question(self) -> str | None:
        """The question in words; None where there is none, or no more."""
        return None if self.query is None or self.erased else json.loads(b'"' + self.query + b'"')

    def dump(self) -> bytes:
        """Return the line as it stands in a file."""
        question = b"" if self.query is None else _QUERY + self.query + _SALT + self.salt.encode()
        return b"".join((_HEAD, self.record, _MAC, self.mac.encode(), question, b'"}\n'))


def write_record(fields: Mapping[str, Any], previous: str, key: bytes, query: str | None = None) -> Line:
    """Return the line that follows the one whose mac is ``previous``."""
    if query is None:
        record = _dump(fields)
        return Line(record, chain(key, previous, record))
    salt = secrets.token_hex(16)
    inner = _dump(query)[1:-1]
    record = _dump({**fields, "question": commitment(salt, inner)})
    return Line(record, chain(key, previous, record), inner, salt)


def parse_line(data: bytes) -> Line:
    """Return the parts of a whole line. Raises ValueError for anything that ``Line.dump`` does not write."""
    begin = len(_HEAD)
    stop = data.find(_MAC)
    record, rest = data[begin:stop], data[stop + len(_MAC) :]
    mac, mark, question = rest.removesuffix(b'"}\n').partition(_QUERY)
    query, _, salt = question.rpartition(_SALT)
    line = Line(record, mac.decode("ascii"), query if mark else None, salt.decode("ascii"))
    if line.dump() != data:
        raise ValueError("not a line of an audit")
    return line


def event_fields(event: AuditEvent) -> dict[str, Any]:
    """Return what stands in the record of ``event``; what is empty is left out."""
    fields: dict[str, Any] = {"who": event.who, "via": event.via, "action": event.action}
    fields |= {"outcome": event.outcome, "ms": event.milliseconds}
    return fields | {name: value for name in _OPTIONAL if (value := getattr(event, name))}


def chain(key: bytes, previous: str, record: bytes) -> str:
    """Return the mac of ``record`` after a line whose mac is ``previous``."""
    return hmac.digest(key, previous.encode() + record, "sha256").hex()


def commitment(salt: str, query: bytes) -> str:
    """Return what the chain holds of a question."""
    return hashlib.sha256(salt.encode() + query).hexdigest()


def _dump(value: Any) -> bytes:
    return _ENCODER.encode(value).encode("utf-8", "backslashreplace")
