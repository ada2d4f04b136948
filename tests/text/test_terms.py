from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import Chunk, ChunkId, DocumentInfo, Lines
from citewell.text.language import detect_language
from citewell.text.stopwords import STOP_WORDS
from citewell.text.terms import OTHER_LANGUAGES, TermVector, index_terms, query_terms, text_terms


def document(language: str = "en", *, path: str = "", title: str = "") -> DocumentInfo:
    return DocumentInfo(
        source="s",
        collection="c",
        id="d",
        path=path,
        title=title,
        language=language,
        kind="markdown",
        permalink="https://example.org",
    )


def chunk(text: str, *, breadcrumb: tuple[str, ...] = (), symbol: str | None = None) -> Chunk:
    return Chunk(
        id=ChunkId("1"), ordinal=0, start=0, end=len(text), text=text, lines=Lines(1, 1), breadcrumb=breadcrumb, symbol=symbol
    )


def vector(text: str, language: str) -> TermVector:
    return index_terms(chunk(text), document(language))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Connections are closed by `max_retries`.", ["connect", "are", "close", "by", "maxretri", "max", "retri"]),
        ("tr", "Sunucuların ayarları değişti.", ["sunuc", "ayar", "degist"]),
        ("de", "Die Einstellungen des Servers", ["die", "einstell", "des", "serv"]),
        ("zh", "连接超时", ["连", "接", "超", "时", "连接", "接超", "超时"]),
        ("ja", "接続を", ["接", "続", "接続", "続を"]),
        ("ko", "서버를 다시 시작하는 방법", ["서버", "다시", "시작", "방법"]),
        ("ru", "Настройки серверов", ["настроик", "сервер"]),
    ],
)
def test_a_text_gives_the_stems_of_its_language(language: str, text: str, expected: list[str]) -> None:
    assert list(text_terms(text, language)) == expected


def test_names_are_stemmed_as_english_in_a_text_of_any_language() -> None:
    assert list(text_terms("maxConnections", "tr")) == list(text_terms("maxConnections", "en"))


def test_every_field_of_a_chunk_counts() -> None:
    terms = index_terms(
        chunk("body", breadcrumb=("parent", "heading"), symbol="symbol"), document(path="folder/file", title="title")
    ).frequencies
    assert terms.keys() == {"bodi", "parent", "head", "symbol", "titl", "folder", "file"}
    assert terms["head"] > terms["bodi"]
    assert terms["symbol"] > terms["bodi"]
    assert terms["titl"] > terms["bodi"]


def test_a_title_that_is_also_the_first_heading_counts_once() -> None:
    once = index_terms(chunk("x", breadcrumb=("Proxy", "Limits")), document(title=""))
    both = index_terms(chunk("x", breadcrumb=("Proxy", "Limits")), document(title="Proxy"))
    assert once == both


def test_repeated_words_add_up_and_make_the_chunk_longer() -> None:
    once, twice = vector("proxy", "en"), vector("proxy proxy", "en")
    assert twice.frequencies["proxi"] == 2 * once.frequencies["proxi"]
    assert twice.length == 2 * once.length


def test_an_empty_chunk_has_no_terms_and_no_length() -> None:
    assert index_terms(chunk(""), document()) == TermVector({}, 0.0)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How do I configure the proxy?", {"configur", "proxi"}),
        ("what is the way to close a connection", {"close", "connect"}),
        ("Proxy ayarları nasıl yapılır?", {"proxy", "ayar"}),
        ("sunucu nedir", {"sunucu"}),
        ("Wie kann ich den Server neu starten?", {"serv", "neu", "start"}),
        ("如何设置代理", {"设置", "置代", "代理"}),
        ("Как настроить прокси?", {"настро", "прокс"}),
        ("서버란 무엇인가요?", {"서버란"}),
    ],
)
def test_question_words_are_left_out_and_the_words_of_content_stay(question: str, words: set[str]) -> None:
    terms = query_terms(question).weights
    strong = {term for term, weight in terms.items() if weight >= 1}
    assert words <= strong
    assert not strong & {"how", "what", "is", "the", "nasil", "nedir", "wie", "den", "如何", "как", "무엇인가요"}


@pytest.mark.parametrize("question", ["to be or not to be", "how", "nasıl", "什么"])
def test_a_question_of_stop_words_alone_keeps_them(question: str) -> None:
    assert query_terms(question).weights


def test_a_question_without_words_has_no_terms() -> None:
    assert query_terms("?! …").weights == {}


def test_a_turkish_question_without_diacritics_finds_a_turkish_text() -> None:
    text = vector("Kullanıcıların şifreleri ve bağlantı ayarları", "tr").frequencies
    assert len(query_terms("kullanici sifresi ayarlari").weights.keys() & text.keys()) == 3


@pytest.mark.parametrize("language", ["en", *OTHER_LANGUAGES])
def test_a_keyword_finds_its_own_text_in_every_language_though_the_language_of_the_query_is_a_guess(language: str) -> None:
    for word in ("controller", "passwort", "paramètres", "sunucular", "conexiones", "impostazioni", "gebruikers"):
        assert vector(word, language).frequencies.keys() & query_terms(word).weights.keys()


def test_a_version_in_a_question_finds_its_patch_releases_but_no_other_minor_version() -> None:
    terms = query_terms("what is new in 1.10").weights.keys()
    assert "1.10" in terms & vector("Kubeflow 1.10.2", "en").frequencies.keys()
    assert not terms & vector("Kubeflow 1.1 1.11.0", "en").frequencies.keys()


@given(st.text())
def test_a_text_used_as_a_query_finds_itself(text: str) -> None:
    language = detect_language(text) or "en"
    indexed = vector(text, language).frequencies
    asked = query_terms(text).weights
    assert bool(indexed) == bool(asked.keys() & indexed.keys())


WORDS = [
    *sorted(set().union(*STOP_WORDS.values())),
    "proxy",
    "max_retries",
    "1.10",
    "AsyncClient",
    "sunucuların",
    "超时",
    "서버를",
]


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))
def test_every_term_of_a_text_that_is_no_question_word_is_asked_for(text: str) -> None:
    language = detect_language(text) or "en"
    stop_words = STOP_WORDS["en"] | STOP_WORDS.get(language, frozenset())
    stems = {stem for word in stop_words for stem in text_terms(word, language)}
    assert vector(text, language).frequencies.keys() - stems - stop_words <= query_terms(text).weights.keys()


@given(st.text(), st.sampled_from(["en", "tr", "zh", "xx", ""]))
def test_frequencies_are_positive_and_no_larger_than_the_text_allows(text: str, language: str) -> None:
    terms = vector(text, language)
    assert all(weight > 0 for weight in terms.frequencies.values())
    assert terms.length <= sum(terms.frequencies.values())
