from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.folding import fold_word
from citewell.text.language import detect_language
from citewell.text.stopwords import STOP_WORDS

SENTENCES = {
    "ar": "كيف يمكنني تغيير إعدادات الخادم؟",
    "bg": "Сървърът се рестартира, като всички настройки са запазени.",
    "cs": "Server se musí restartovat, když změníte nastavení.",
    "da": "Serveren skal genstartes, hvis du ændrer indstillingerne.",
    "de": "Der Server muss neu gestartet werden, wenn sich die Einstellungen ändern.",
    "el": "Πώς αλλάζω τις ρυθμίσεις του διακομιστή;",
    "en": "The server has to be restarted when its settings change.",
    "es": "Hay que reiniciar el servidor cuando cambian los ajustes.",
    "fa": "چگونه تنظیمات سرور را تغییر دهم؟",
    "fi": "Palvelin on käynnistettävä uudelleen, kun asetukset muuttuvat.",
    "fr": "Il faut redémarrer le serveur quand les paramètres changent.",
    "he": "כיצד משנים את הגדרות השרת?",
    "hi": "सर्वर की सेटिंग कैसे बदलें?",
    "hu": "A kiszolgálót újra kell indítani, ha a beállítások megváltoznak.",
    "id": "Server harus dimulai ulang jika pengaturannya berubah.",
    "it": "Bisogna riavviare il server quando cambiano le impostazioni.",
    "ja": "設定を変更したら、サーバーを再起動してください。",
    "ko": "설정이 바뀌면 서버를 다시 시작해야 합니다.",
    "nl": "De server moet opnieuw worden gestart als de instellingen veranderen.",
    "no": "Serveren må startes på nytt når noen endrer innstillingene.",
    "pl": "Serwer trzeba uruchomić ponownie, gdy zmienią się ustawienia.",
    "pt": "É preciso reiniciar o servidor quando as configurações mudam.",
    "ro": "Serverul trebuie repornit atunci când se schimbă setările.",
    "ru": "Сервер нужно перезапустить, если настройки изменились.",
    "sv": "Servern måste startas om när inställningarna ändras.",
    "th": "วิธีเปลี่ยนการตั้งค่าเซิร์ฟเวอร์",
    "tr": "Ayarlar değişince sunucunun yeniden başlatılması gerekir.",
    "uk": "Сервер потрібно перезапустити, якщо його налаштування змінилися.",
    "vi": "Bạn phải khởi động lại máy chủ khi cài đặt thay đổi.",
    "zh": "更改设置后必须重新启动服务器。",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert detect_language(SENTENCES[language]) == language


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("proxy ayarlari", "tr"),
        ("kullanici sifresi degistirme", "tr"),
        ("zaman asimi nasil ayarlanir", "tr"),
        ("yıllık izin kaç gün", "tr"),
        ("connection pool limits", "en"),
        ("how to disable ssl verification", "en"),
        ("docker compose up", "en"),
        ("Passwort zurücksetzen", "de"),
        ("paramètres du proxy", "fr"),
        ("tiempo de espera", "es"),
        ("连接超时", "zh"),
        ("タイムアウト", "ja"),
        ("GitHub备份", "zh"),
    ],
)
def test_a_short_query_tells_its_language(query: str, language: str) -> None:
    assert detect_language(query) == language


@pytest.mark.parametrize(
    "text", ["", "  \n", "1.10.0", "404 500", "HTTP_TIMEOUT=30", "https://example.org/der/die/das", "```\nder die das\n```"]
)
def test_a_text_without_words_is_of_the_default_language(text: str) -> None:
    assert detect_language(text) == ""
    assert detect_language(text, default="tr") == "tr"


def test_the_default_decides_where_a_name_could_be_any_language() -> None:
    assert detect_language("proxy server", default="tr") == "tr"
    assert detect_language("proxy server") == "en"


def test_the_default_does_not_overrule_a_sentence() -> None:
    assert detect_language(SENTENCES["de"], default="tr") == "de"


def test_code_is_no_language() -> None:
    block = "```python\n# the client is restarted when the server is gone\nfor x in the_list: pass\n```"
    text = f"Sunucuyu yeniden başlatmak için:\n\n{block}\n"
    assert detect_language(text) == "tr"


def test_identifiers_do_not_hide_another_script() -> None:
    assert detect_language("使用 httpx.AsyncClient(timeout=None) 和 max_keepalive_connections 设置连接池") == "zh"


def test_names_in_another_script_do_not_hide_english() -> None:
    assert detect_language("The poem 春 by 朱自清 is read at school, and everybody knows it by heart.") == "en"


@given(st.text(), st.sampled_from(["", "en", "tr"]))
def test_any_text_gives_a_code_or_the_default(text: str, default: str) -> None:
    language = detect_language(text, default=default)
    assert language == default or (language.isascii() and language.islower() and len(language) == 2)


@pytest.mark.parametrize("language", STOP_WORDS)
def test_stop_words_are_folded(language: str) -> None:
    assert {word for word in STOP_WORDS[language] if fold_word(word) != word} == set()
