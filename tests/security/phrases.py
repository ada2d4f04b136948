"""What documents say and what is asked about them: few words, so that much is nearly the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

TITLES = ("Guide", "Timeouts", "Zaman aşımı", "连接池")
SENTENCES = (
    "The default timeout of a request is five seconds",
    "A proxy is named by the environment variable",
    "The zephyr bonus is paid in March",
    "The default timeout of a bonus is a year",
    "İstek zaman aşımı varsayılan olarak beş saniyedir",
    "Bağlantı havuzu kapatılınca bekleyen istekler iptal edilir",
    "默认超时时间是五秒",
    "连接池关闭时会取消等待的请求",
)
WORDS = ("timeout", "zephyr", "bonus", "proxy", "zaman", "istek", "havuzu", "超时", "连接池", "default", "pool", "nowhere")


@dataclass(frozen=True)
class Page:
    """The contents of a file. One that is not ``marked`` carries no canary, and may be equal to another."""

    title: str
    sentences: tuple[str, ...]
    marked: bool = True
    language: str = ""

    def text(self, path: str, canary: str) -> str:
        """Return the file as its kind wants it, with ``canary`` in every part."""
        mark = f" {canary}" if self.marked else ""
        if path.endswith(".py"):
            return "\n\n".join(
                f'def part_{n}(value):\n    """{sentence}.{mark}"""\n    return value + {n}\n'
                for n, sentence in enumerate(self.sentences)
            )
        front = f"---\nlanguage: {self.language}\nversion: '2.0'\n---\n" if self.language else ""
        sections = (f"## Part {n}\n\n{sentence}.{mark}\n" for n, sentence in enumerate(self.sentences))
        return f"{front}# {self.title}{mark}\n\n" + "\n".join(sections)


PAGES = tuple(
    Page(title, sentences, marked, language)
    for title, sentences, marked, language in product(
        TITLES,
        [(one,) for one in SENTENCES] + [(SENTENCES[n], SENTENCES[(3 * n + 1) % 8]) for n in range(8)] + [SENTENCES[:4]],
        (True, False),
        ("", "tr"),
    )
)
