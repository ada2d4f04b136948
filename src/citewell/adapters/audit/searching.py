"""Finding lines of an audit by what stands in them, without taking apart the others."""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from citewell.core.ports import Sighting

Data = mmap.mmap | bytes
Seen = tuple[int, bytes, bytes]
"""How often, and when first and last."""

_NEWLINE: Final = b"\n"
_SHOWN: Final = b',"shown":['
"""Inside a JSON string, a quotation mark follows a backslash; so this is found nowhere but where the key stands."""
_STRING: Final = rb'"([^"\\]*(?:\\.[^"\\]*)*)"'
_END: Final = re.compile(rb'(?::\d+)?"')
_HEAD: Final = re.compile(rb'\{"record":\{"seq":\d+,"time":' + _STRING + rb',"who":' + _STRING + rb',"via":' + _STRING)


@contextmanager
def mapped(path: Path) -> Iterator[Data]:
    """Lend the bytes of a file. Raises OSError."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def spans_with(data: Data, needle: bytes) -> Iterator[tuple[int, int]]:
    """Yield begin and end of every whole line that holds ``needle``, once each."""
    position = data.find(needle)
    while position >= 0:
        end = data.find(_NEWLINE, position) + 1
        if not end:
            return
        yield data.rfind(_NEWLINE, 0, position) + 1, end
        position = data.find(needle, end)


def encode(text: str) -> bytes:
    """Return how ``text`` stands in a line, without its quotation marks."""
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "backslashreplace")


def find_sightings(files: Iterable[Path], document_id: str) -> list[Sighting]:
    """Return who was shown lines of the document or its passages, whose ids end in a number; by name and surface."""
    needle = b'"' + encode(document_id)
    found: dict[tuple[bytes, bytes], Seen] = {}
    for path in files:
        with mapped(path) as data:
            for begin, end in spans_with(data, needle):
                line = data[begin:end]
                head = _HEAD.match(line)
                if head is not None and _shows(line, needle):
                    time, who, via = head.groups()
                    times, first, last = found.get((who, via), (0, time, time))
                    found[who, via] = times + 1, min(first, time), max(last, time)
    return sorted((_sighting(*place, seen) for place, seen in found.items()), key=lambda seen: (seen.who, seen.via))


def _shows(line: bytes, needle: bytes) -> bool:
    """Whether ``needle`` begins a string after the key of what was shown, and nothing but a passage's number follows."""
    shown = line.find(_SHOWN)
    position = line.find(needle, shown) if shown >= 0 else -1
    while position >= 0:
        if line[position - 1] in b"[," and _END.match(line, position + len(needle)):
            return True
        position = line.find(needle, position + 1)
    return False


def _sighting(who: bytes, via: bytes, seen: Seen) -> Sighting:
    times, first, last = seen
    return Sighting(_decode(who), _decode(via), times, first.decode(), last.decode())


def _decode(inner: bytes) -> str:
    return str(json.loads(b'"' + inner + b'"'))
