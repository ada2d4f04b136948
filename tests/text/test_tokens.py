"""Tokens of real sentences, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.folding import fold_word, normalize_text
from citewell.text.tokens import MAX_TOKEN, tokenize


def texts(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("max_keepalive_connections", ["maxkeepaliveconnections", "max", "keepalive", "connections"]),
        ("maxKeepaliveConnections", ["maxkeepaliveconnections", "max", "keepalive", "connections"]),
        ("MAX_KEEPALIVE_CONNECTIONS", ["maxkeepaliveconnections", "max", "keepalive", "connections"]),
        ("keep-alive", ["keepalive", "keep", "alive"]),
        ("HTTPServer2", ["httpserver2", "http", "server"]),
        ("AsyncClient", ["asyncclient", "async", "client"]),
        ("ECONNREFUSED", ["econnrefused"]),
        ("spec.template.spec", ["spec.template.spec", "spec", "template", "spec"]),
        ("httpx._client.py", ["httpx._client.py", "httpx", "client", "py"]),
        ("__all__", ["all", "__all__"]),
        ("sha256", ["sha256", "sha"]),
        ("C++", ["c", "c++"]),
        ("C#", ["c", "c#"]),
    ],
)
def test_an_identifier_comes_whole_and_in_parts(identifier: str, expected: list[str]) -> None:
    assert texts(identifier) == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.10", ["1.10"]),
        ("1.1", ["1.1"]),
        ("v1.10.0", ["1.10.0", "1.10"]),
        ("1.2.3-rc1", ["1.2.3-rc1", "1.2", "1.2.3"]),
        ("26.03", ["26.03"]),
        ("v1beta1", ["v1beta1", "beta"]),
        ("404", ["404"]),
    ],
)
def test_a_version_stays_whole_and_is_found_by_its_minor_version(version: str, expected: list[str]) -> None:
    assert texts(version) == expected


def test_versions_that_only_begin_alike_have_no_token_in_common() -> None:
    assert not set(texts("1.1")) & set(texts("1.10 1.11.0 11.1"))


@pytest.mark.parametrize(
    "spellings",
    [
        ("keepalive", "keep-alive", "keep_alive", "KeepAlive", "KEEPALIVE"),
        ("--no-verify", "no_verify", "noVerify"),
        ("v1.10.0", "1.10.0", "V1.10.0"),
    ],
)
def test_the_spellings_of_one_name_share_a_token(spellings: tuple[str, ...]) -> None:
    assert set.intersection(*(set(texts(spelling)) for spelling in spellings))


def test_command_line_flags_and_error_texts_keep_their_words() -> None:
    assert texts("git commit --no-verify failed: HTTP 404, ECONNREFUSED (errno=111)") == [
        "git", "commit", "noverify", "no", "verify", "failed", "http", "404", "econnrefused", "errno", "111",
    ]  # fmt: skip


def test_a_path_gives_its_folders_and_its_file_name() -> None:
    assert texts("src/requests/auth.py") == ["src", "requests", "auth.py", "auth", "py"]


def test_english_loses_the_endings_after_apostrophes() -> None:
    assert texts("The client's pool doesn't time out.") == ["the", "client", "pool", "doesn", "time", "out"]


def test_turkish_names_lose_their_apostrophe_suffix() -> None:
    assert texts("İstanbul'daki sunucular Jared Allen'ın isteğine yanıt verdi mi?") == [
        "i̇stanbul", "sunucular", "jared", "allen", "isteğine", "yanıt", "verdi", "mi",
    ]  # fmt: skip


def test_french_loses_its_elided_articles() -> None:
    assert texts("L'adresse d'un serveur qu'il faut") == ["adresse", "un", "serveur", "il", "faut"]


def test_german_compounds_stay_whole() -> None:
    assert texts("Größe der Zeitüberschreitung: E-Mail-Größe") == [
        "größe", "der", "zeitüberschreitung", "emailgröße", "e", "mail", "größe",
    ]  # fmt: skip


def test_chinese_gives_characters_and_pairs_around_words_in_latin_letters() -> None:
    assert texts("使用GitHub备份。") == ["使", "用", "使用", "github", "git", "hub", "备", "份", "备份"]


def test_a_lone_chinese_character_is_a_token() -> None:
    assert texts("春") == ["春"]


def test_japanese_pairs_run_across_kanji_and_kana() -> None:
    assert texts("サーバーを起動") == ["起", "動", "サー", "ーバ", "バー", "ーを", "を起", "起動"]


def test_half_width_katakana_equals_full_width() -> None:
    assert texts("ｻｰﾊﾞｰ") == texts("サーバー")


def test_russian_words_are_lowered() -> None:
    assert texts("Как настроить Ёлку и прокси-сервер?") == [
        "как", "настроить", "ёлку", "и", "проксисервер", "прокси", "сервер",
    ]  # fmt: skip


def test_thai_gives_pairs_of_letters_with_their_vowels() -> None:
    assert texts("สวัสดี") == ["สวั", "วัส", "สดี"]


def test_hindi_vowel_signs_do_not_cut_a_word() -> None:
    assert texts("सर्वर शुरू करें") == ["सर्वर", "शुरू", "करें"]


def test_full_width_letters_and_digits_equal_half_width() -> None:
    assert texts("ＨＴＴＰ　４０４") == ["http", "404"]


def test_emoji_and_punctuation_give_nothing() -> None:
    assert texts("🎉 … — 「」 ?! 👩‍💻 ©") == []


def test_invisible_characters_do_not_cut_a_word() -> None:
    assert texts("time\u00adout ser\u200bver \ufeffzero") == ["timeout", "server", "zero"]


@pytest.mark.parametrize("word", ["İ", "I", "ı", "i"])
def test_every_turkish_i_folds_to_one_letter(word: str) -> None:
    assert fold_word(word) == "i"


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("Straße", "strasse"),
        ("ÇALIŞMA", "calisma"),
        ("Ёлка", "елка"),
        ("Café", "cafe"),
        ("Łódź", "lodz"),
        ("HTTP_TIMEOUT", "http_timeout"),
    ],
)
def test_folding_removes_case_and_diacritics(word: str, folded: str) -> None:
    assert fold_word(word) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_word(fold_word(text)) == fold_word(text)


@given(st.text())
def test_normalizing_twice_changes_nothing(text: str) -> None:
    assert normalize_text(normalize_text(text)) == normalize_text(text)


@given(st.text())
def test_any_text_gives_tokens_of_bounded_length_without_blanks(text: str) -> None:
    for token in tokenize(text):
        assert token.text
        assert len(token.text) <= MAX_TOKEN + 4
        assert not any(map(str.isspace, token.text))


@pytest.mark.parametrize(
    "unit", ["a.", "a_", "aA", "A", "春", "a'", "1.", "\u0e40", "\u0301", "a\u0301", "_", "-", ".", "가", "x\u200b"]
)
def test_the_number_of_tokens_grows_with_the_text_and_no_faster(unit: str) -> None:
    small, large = len(texts(unit * 1_000)), len(texts(unit * 100_000))
    assert large <= 100 * small + 100
    assert large <= 2 * len(unit) * 100_000
