"""From bytes to text: the right text, or none.

A file is read as Unicode if it says so or can only be that; otherwise its encoding is recognised from its first 64 kB among
those that people really used. Nothing is ever replaced by a question mark: what cannot be read exactly is rejected, with one
of the reasons ``too_large``, ``binary``, ``lfs_pointer``, ``bad_encoding``, ``long_line`` and ``empty``.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from charset_normalizer import from_bytes

from citewell.core.errors import FileRejected
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
_ISO_2022_JP: Final = re.compile(rb"\x1b\$[@B]")

_CANDIDATES: Final = [
    "gb18030",
    "big5hkscs",
    "cp932",
    "euc_jp",
    "cp949",
    "cp1254",
    "cp1252",
    "cp1250",
    "cp1251",
    "koi8_r",
    "koi8_u",
    "iso8859_5",
    "cp866",
]
_TURKISH_AS_WESTERN: Final = re.compile("[ðýþÐÝÞ]")
_ICELANDIC: Final = re.compile("[áéíóúæÁÉÍÓÚÆ]")
_MAX_CHAOS: Final = 10.0
"""Per cent of disorder, by charset-normalizer's measure, above which a guess is not believed."""


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
    if _BINARY.match(data):
        raise FileRejected("binary", f"{path} is not a text file.")
    if b"\0" in data[:_HEAD_BYTES]:
        return _read_utf16(data, path)
    if _ISO_2022_JP.search(data):
        return _read_strictly(data, "iso2022_jp", path), "iso2022_jp"
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _recognise(data, path)


def _read_strictly(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileRejected("bad_encoding", f"{path} is not valid {encoding}.", detail=str(error)) from error


def _read_utf16(data: bytes, path: str) -> tuple[str, str]:
    """Read UTF-16 without a byte order mark: its zeros stand on one side of every pair, and all else is plain text."""
    head = data[:_HEAD_BYTES]
    encoding = "utf-16-le" if 0 not in head[0::2] else "utf-16-be"
    if 0 not in head[0::2] or 0 not in head[1::2]:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            text = "\0"
        if _is_plain(text):
            return text, encoding
    raise FileRejected("binary", f"{path} is not a text file.")


def _is_plain(text: str) -> bool:
    return all(c in "\t\n\r\f\ufeff" or unicodedata.category(c) not in {"Cc", "Cn", "Co", "Cs"} for c in text[:_SAMPLE_BYTES])


def _recognise(data: bytes, path: str) -> tuple[str, str]:
    if not _is_damaged_utf8(data):
        for match in from_bytes(_sample(data), cp_isolation=_CANDIDATES):
            if match.percent_chaos > _MAX_CHAOS:
                continue
            encoding = _western_or_turkish(match.encoding, str(match))
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError:
                continue
    raise FileRejected("bad_encoding", f"{path} is neither UTF-8 nor in an encoding that can be told for certain.")


def _sample(data: bytes) -> bytes:
    """Return the head of ``data`` up to the end of a line, so that no character is cut."""
    if len(data) <= _SAMPLE_BYTES:
        return data
    end = data.rfind(b"\n", 0, _SAMPLE_BYTES)
    return data[: end + 1] if end >= 0 else data[:_SAMPLE_BYTES]


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8: then a few bytes are broken, and no other encoding is right."""
    text = data.decode("utf-8", "surrogateescape")
    broken = sum("\udc80" <= character <= "\udcff" for character in text)
    return sum(character > "\x7f" for character in text) - broken >= broken


def _western_or_turkish(encoding: str, text: str) -> str:
    """Tell cp1254 from cp1252 where they differ: in six letters that are Turkish in one and Icelandic in the other."""
    if encoding == "cp1252" and _TURKISH_AS_WESTERN.search(text) and not _ICELANDIC.search(text):
        return "cp1254"
    return encoding
