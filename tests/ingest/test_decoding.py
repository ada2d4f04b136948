from __future__ import annotations

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.errors import FileRejected
from citewell.ingest.decoding import MAX_LINE_CHARACTERS, MAX_TEXT_BYTES, decode

TEXTS = {
    "chinese": "# 连接池\n\n连接池的大小可以在配置文件中修改。修改之后需要重新启动服务器，更改才会生效。\n",
    "traditional": "# 連接池\n\n連接池的大小可以在設定檔中修改。修改之後需要重新啟動伺服器，變更才會生效。\n",
    "japanese": "# 接続プール\n\n接続プールのサイズは設定ファイルで変更できます。変更後はサーバーを再起動してください。\n",
    "korean": "# 연결 풀\n\n연결 풀의 크기는 설정 파일에서 변경할 수 있습니다. 그다음 서버를 다시 시작하십시오.\n",
    "turkish": "# Bağlantı havuzu\n\nŞifreleme ayarları için yapılandırma dosyasını açın, sonra sunucuyu yeniden başlatın.\n",
    "german": "# Größe\n\nFür größere Änderungen öffnen Sie bitte zuerst die Übersicht der Einstellungen.\n",
    "french": "# Taille\n\nPour modifier la taille, éditez le fichier ; redémarrez ensuite le serveur, s’il vous plaît.\n",
    "spanish": "# Tamaño\n\n¿Cómo se cambia el tamaño? Edite el archivo de configuración y reinicie después.\n",
    "polish": "# Pula połączeń\n\nAby zmienić rozmiar puli, otwórz plik konfiguracyjny i uruchom serwer, żeby działał.\n",
    "icelandic": "# Stillingar\n\nÞetta er dæmi um íslenskan texta með stöfum eins og ð og þ. Þær má finna í skránni.\n",
    "russian": "# Пул соединений\n\nРазмер пула можно изменить в файле конфигурации. После изменения перезапустите сервер.\n",
    "greek": "# Σύνδεση\n\nΤο μέγεθος μπορεί να αλλάξει στο αρχείο ρυθμίσεων. Μετά επανεκκινήστε τον διακομιστή.\n",
}
ENCODINGS = {
    "chinese": ["gb2312", "gbk", "gb18030"],
    "traditional": ["big5", "cp950", "big5hkscs"],
    "japanese": ["shift_jis", "cp932", "euc_jp", "iso2022_jp"],
    "korean": ["euc_kr", "cp949"],
    "turkish": ["cp1254", "iso8859_9"],
    "german": ["cp1252", "latin_1"],
    "french": ["cp1252"],
    "spanish": ["cp1252", "latin_1"],
    "polish": ["cp1250"],
    "icelandic": ["cp1252"],
    "russian": ["cp1251", "koi8_r", "iso8859_5", "cp866"],
    "greek": ["cp1253", "iso8859_7"],
}
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]


def reason(data: bytes, path: str = "notes.md") -> str:
    with pytest.raises(FileRejected) as rejected:
        decode(data, path)
    return rejected.value.reason


@pytest.mark.parametrize(
    ("language", "encoding"), [(name, codec) for name in TEXTS for codec in [*UNICODE, *ENCODINGS[name]]]
)
def test_the_same_text_comes_out_of_every_encoding(language: str, encoding: str) -> None:
    text = TEXTS[language]
    assert decode(text.encode(encoding), "notes.md").text == text


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_an_encoding_is_recognised_however_long_the_file(language: str) -> None:
    text = "# English heading\n" * 9_000 + TEXTS[language] * 2_000
    assert decode(text.encode(ENCODINGS[language][0]), "notes.md").text == text


@pytest.mark.parametrize(
    "start",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
        b"PK\x03\x04",
        b"%PDF-1.7\n",
        b"\x7fELF",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"\x28\xb5\x2f\xfd",
        gzip.compress(b"text", mtime=0),
    ],
)
def test_a_binary_file_is_recognised_whatever_it_is_called(start: bytes) -> None:
    assert reason(start + b"words, words, words\n" * 50, "README.md") == "binary"


@pytest.mark.parametrize("data", [b"\0", b"\0" * 100, b"text\0\1\2\3text" * 9, bytes(range(256)), b"\1\2\3\4\5\6" * 10])
def test_zeros_and_controls_in_the_head_mean_binary(data: bytes) -> None:
    assert reason(data) == "binary"


@pytest.mark.parametrize("words", ["MZ-80 computers and their successors", "ID3 tags", "OTTO", "BM25 ranks", "PK", "RIFF"])
def test_words_that_begin_like_a_binary_file_are_text(words: str) -> None:
    assert decode((words * 9).encode(), "notes.md").text == words * 9


@pytest.mark.parametrize(
    "data",
    [
        TEXTS["turkish"].encode()[:-20] + b"\xc5" + TEXTS["turkish"].encode(),
        TEXTS["chinese"].encode() + b"\xff",
        TEXTS["turkish"].encode() + b"\xc0\xaf",
        TEXTS["turkish"].encode() + b"\xed\xa0\x80 \xed\xb0\x80",
        b"\xff\xfe\x00\xd8a\x00",
        b"\xef\xbb\xbf\xff\xff",
        random.Random(1).randbytes(4_000).translate(None, bytes(range(32))),
    ],
    ids=["cut", "stray", "overlong", "surrogates", "utf-16", "utf-8 mark", "noise"],
)
def test_what_cannot_be_read_exactly_is_rejected(data: bytes) -> None:
    assert reason(data) == "bad_encoding"


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf", "\u200b\u200e\n".encode()])
def test_a_file_without_visible_text_is_empty(data: bytes) -> None:
    assert reason(data) == "empty"


def test_a_pointer_of_large_file_storage_is_no_text_but_a_page_about_it_is() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n"
    assert reason(pointer) == "lfs_pointer"
    assert decode(b"A pointer looks like this:\n" + pointer, "lfs.md").text.startswith("A pointer")


def test_a_file_over_the_limit_is_too_large_and_one_at_the_limit_is_not() -> None:
    line = b"x" * 99 + b"\n"
    assert len(decode(line * (MAX_TEXT_BYTES // 100), "log").text) == MAX_TEXT_BYTES
    assert reason(line * (MAX_TEXT_BYTES // 100) + b"x") == "too_large"


def test_a_line_over_the_limit_is_too_long_and_one_at_the_limit_is_not() -> None:
    assert decode(b"a\n" + b"x" * MAX_LINE_CHARACTERS, "min.js").text.count("x") == MAX_LINE_CHARACTERS
    assert reason(b"a\n" + b"x" * (MAX_LINE_CHARACTERS + 1)) == "long_line"


@given(st.binary(max_size=400))
def test_any_bytes_give_text_without_replacements_or_a_reason(data: bytes) -> None:
    try:
        text = decode(data, "notes.md").text
    except FileRejected as rejected:
        text = {"binary": "", "bad_encoding": "", "empty": ""}[rejected.reason]
    assert "\r" not in text
    assert "\ufffd" not in text or b"\xef\xbf\xbd" in data or b"\xfd\xff" in data or b"\xff\xfd" in data
