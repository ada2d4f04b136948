from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.folding import fold_word
from citewell.text.korean import stem_korean
from citewell.text.stemming import stem_word
from citewell.text.turkish import MAX_STEM, stem_turkish


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ("connection", "connections", "connected", "connecting")),
        ("de", ("einstellung", "einstellungen")),
        ("fr", ("paramètre", "paramètres")),
        ("es", ("configuración", "configuraciones")),
        ("ru", ("сервер", "сервера", "серверы", "серверов")),
        ("tr", ("sunucu", "sunucuya", "sunucular", "sunucularda", "sunucunun")),
        ("tr", ("kullanıcı", "kullanıcılar", "kullanıcıların")),
        ("tr", ("ayar", "ayarlar", "ayarları", "ayarlardan")),
        ("tr", ("ağ", "ağlar", "ağları")),
        ("tr", ("kitap", "kitabı", "kitaplar")),
    ],
)
def test_the_forms_of_a_word_share_a_stem(language: str, forms: tuple[str, ...]) -> None:
    assert len({stem_word(form, language) for form in forms}) == 1


@pytest.mark.parametrize(
    ("typed", "proper"), [("ayarlari", "ayarları"), ("baglantisi", "bağlantısı"), ("guncelleme", "güncelleme")]
)
def test_turkish_without_diacritics_gives_the_same_stem(typed: str, proper: str) -> None:
    assert stem_word(typed, "tr") == stem_word(proper, "tr")


@pytest.mark.parametrize(("one", "other"), [("sunucu", "sunum"), ("ayar", "ayna"), ("dosya", "dost"), ("veri", "verim")])
def test_turkish_words_that_only_begin_alike_stay_apart(one: str, other: str) -> None:
    assert stem_word(one, "tr") != stem_word(other, "tr")


@pytest.mark.parametrize("language", ["zh", "ru", "ko", ""])
def test_latin_words_in_another_script_are_stemmed_as_english(language: str) -> None:
    assert stem_word("connections", language) == stem_word("connections", "en")


def test_cyrillic_words_in_an_english_text_are_stemmed_as_russian() -> None:
    assert stem_word("серверов", "en") == stem_word("сервер", "ru")


def test_a_language_without_a_stemmer_is_only_folded() -> None:
    assert stem_word("ustawień", "pl") == "ustawien"


@pytest.mark.parametrize("word", ["utf8", "v2", "8080", "h2"])
def test_words_with_digits_stay_whole(word: str) -> None:
    assert stem_word(word, "en") == word


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("서버를", "서버"),
        ("서버에서는", "서버"),
        ("시작하는", "시작"),
        ("삭제합니다", "삭제"),
        ("서버", "서버"),
        ("나", "나"),
    ],
)
def test_korean_words_lose_particles_and_verb_endings(word: str, stem: str) -> None:
    assert stem_korean(word) == stem


@given(st.text(min_size=1), st.sampled_from(["en", "tr", "de", "fr", "ru", "ar", "hi", "zh", "ko", "xx", ""]))
def test_no_word_loses_all_its_letters(word: str, language: str) -> None:
    assert bool(stem_word(word, language)) == bool(fold_word(word))


@given(st.text(alphabet="abcdefghiklmnoprstuvyz"))
def test_turkish_stems_are_short_and_begin_the_word(word: str) -> None:
    stem = stem_turkish(word)
    assert len(stem) <= MAX_STEM
    assert word.startswith(stem[:-1])
