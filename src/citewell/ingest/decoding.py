"""From bytes to text: the right text, or none.

A file is read as Unicode if it says so or can only be that; otherwise its encoding is recognised from its first 64 kB.
Nothing is ever replaced by a question mark: what cannot be read exactly is rejected, with one of the reasons ``too_large``,
``binary``, ``lfs_pointer``, ``bad_encoding``, ``long_line`` and ``empty``.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from citewell.core.errors import FileRejected
from citewell.ingest.legacy_encodings import recognise
from citewell.ingest.normalising import normalise

MAX_TEXT_BYTES: Final = 5_000_000
MAX_LINE_CHARACTERS: Final = 1_000_000
"""Longer lines are data or minified code: a citation of one would point nowhere."""

_HEAD_BYTES: Final = 8_192
_SAMPLE_BYTES: Final = 65_536

_BINARY: Final = re.compile(
    rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|BM.{4}\x00|II\*\x00|MM\x00\*|RIFF.{4}(?:WEBP|WAVE|AVI )|\x00\x00\x01\x00"
    rb"|PK(?:\x03\x04|\x05\x06|\x07\x08)|\x1f\x8b|BZh[1-9]1AY|\xfd7zXZ|7z\xbc\xaf|Rar!\x1a|\x28\xb5\x2f\xfd"
    rb"|%PDF-|\xd0\xcf\x11\xe0|\x7fELF|MZ[^\n]?\x00|\xca\xfe\xba\xbe|[\xfe\xce\xcf]\xfa\xed\xfe|\x00asm"
    rb"|SQLite format 3\x00|OggS\x00|ID3[\x02-\x04]\x00|.{4}ftyp|wOF[F2]\x00|OTTO\x00|\x93NUMPY",
    re.DOTALL,
)
"""How common files that are not text begin, whatever they are called."""

_LFS_POINTER: Final = re.compile(
    rb"version https://(?:git-lfs|hawser)\.github\.com/spec/v\d+\r?\n(?:[^\n]*\n)*oid sha256:[0-9a-f]{64}\r?\n(?:[^\n]*\n?)*"
)
_LFS_MAX_BYTES: Final = 1_024

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PLAIN: Final = re.compile(
    "[\t\n\r\f -~\xa0-\u052f\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u1e00-\u1fff\u2000-\u27bf"
    "\u3000-\u30ff\u3105-\u318e\u4e00-\u9fff\uac00-\ud7a3\ufe0f\uff00-\uffef\U0001f300-\U0001faff]*"
)
"""Text as people write it: no controls, no private or unassigned characters, no writing that bytes give by chance."""
_FOREIGN_BYTE: Final = re.compile(rb"[\x80-\xff]")
_MIN_ZEROS: Final = 0.05
"""The share of ASCII in UTF-16 without a mark that tells which byte comes first."""
_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
_BROKEN: Final = re.compile("[\udc80-\udcff]")
_ISO_2022_JP: Final = re.compile(rb"\x1b\$[@B]")

_CONTROLS: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROLS: Final = 0.05
"""The share of control characters above which bytes are no text; escapes, which colour logs, do not count."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as text: what it was encoded in, and how many invisible characters were taken out."""

    text: str
    encoding: str
    normalised: int


def decode(data: bytes, path: str) -> Decoded:
    """Return the text of the file at ``path``, with LF as its only line end and as many lines as it had.

    Raises FileRejected.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise FileRejected("too_large", f"{path} has more than {MAX_TEXT_BYTES:,} bytes.")
    if len(data) <= _LFS_MAX_BYTES and _LFS_POINTER.fullmatch(data):
        raise FileRejected("lfs_pointer", f"{path} only points at a file that Git LFS keeps elsewhere.")
    raw, encoding = _read(data, path)
    text, removed = normalise(raw)
    if not text.strip():
        raise FileRejected("empty", f"{path} has no text.")
    if len(text) > MAX_LINE_CHARACTERS and max(map(len, text.split("\n"))) > MAX_LINE_CHARACTERS:
        raise FileRejected("long_line", f"{path} has a line of more than {MAX_LINE_CHARACTERS:,} characters.")
    return Decoded(text, encoding, removed)


def _read(data: bytes, path: str) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _read_strictly(data[len(mark) :], encoding, path), encoding
    head = data[:_HEAD_BYTES]
    if _BINARY.match(data):
        raise _binary(path)
    if 0 in head or len(_CONTROLS.findall(head)) > _MAX_CONTROLS * len(head):
        return _read_unmarked(data, path)
    return _read_text(data, path)


def _read_text(data: bytes, path: str) -> tuple[str, str]:
    if _ISO_2022_JP.search(data):
        return _read_strictly(data, "iso2022_jp", path), "iso2022_jp"
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _read_legacy(data, path)


def _binary(path: str) -> FileRejected:
    return FileRejected("binary", f"{path} is not a text file.")


def _read_strictly(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileRejected("bad_encoding", f"{path} is not valid {encoding}.", detail=str(error)) from error


def _read_unmarked(data: bytes, path: str) -> tuple[str, str]:
    """Read UTF-16 without a byte order mark: the zeros of its spaces and signs stand on one side, and it is plain text."""
    head = data[:_HEAD_BYTES]
    zeros = {"utf-16-le": head[1::2].count(0), "utf-16-be": head[0::2].count(0)}
    encoding = max(zeros, key=lambda name: zeros[name])
    if zeros[encoding] < _MIN_ZEROS * len(head) / 2:
        encoding = recognise(_sample(data))
    if encoding in zeros and len(data) % 2 == 0:
        text = data.decode(encoding, "surrogatepass")
        if _PLAIN.fullmatch(text):
            return text, encoding
    raise _binary(path)


def _read_legacy(data: bytes, path: str) -> tuple[str, str]:
    sample = _sample(data)
    encoding = "" if _is_damaged_utf8(sample) else recognise(sample)
    if not encoding:
        raise FileRejected("bad_encoding", f"{path} is neither UTF-8 nor in an encoding that can be told for certain.")
    return _read_strictly(data, encoding, path), encoding


def _sample(data: bytes) -> bytes:
    """Return a part of ``data`` that is not ASCII alone, of whole lines where there are any, so that no character is cut."""
    foreign = _FOREIGN_BYTE.search(data)
    begin = data.rfind(b"\n", 0, max(foreign.start() - _HEAD_BYTES, 0)) + 1 if foreign else 0
    end = data.rfind(b"\n", begin, begin + _SAMPLE_BYTES) if len(data) - begin > _SAMPLE_BYTES else len(data)
    return data[begin:end] if end > begin else data[begin : begin + _SAMPLE_BYTES]


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8: then a few bytes are broken, and no other encoding is right."""
    text = sample.decode("utf-8", "surrogateescape")
    broken = len(_BROKEN.findall(text))
    return len(_NOT_ASCII.findall(text)) - broken >= broken
