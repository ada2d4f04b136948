from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., Any]


def test_search_shows_place_section_and_score_of_each_hit(cli: Cli, library: Path) -> None:
    outcome = cli("search", "pool", "timeout", "-c", library)

    assert outcome.status == 0
    first, snippet, *_ = outcome.out.splitlines()
    assert first.startswith("1  timeouts.md:")
    assert "  Timeouts > Fine tuning  " in first
    assert 0 <= float(first.split()[-1]) <= 1
    assert snippet.startswith("   ")
    assert "\x1b" not in outcome.out


def test_search_speaks_json_with_the_fields_agents_get(cli: Cli, library: Path) -> None:
    found = cli("search", "pool timeout", "-c", library, "--json").json

    assert set(found) >= {"results", "retrieval"}
    assert set(found["results"][0]) == {
        *("id", "title", "url", "text", "path", "lines", "section", "version", "score"),
    }
    assert found["results"][0]["path"] == "timeouts.md"


def test_json_is_one_compact_line(cli: Cli, library: Path) -> None:
    out = cli("search", "春天", "-c", library, "--json").out

    assert out.count("\n") == 1
    assert '":"' in out
    assert "春天来了" in out


def test_chinese_is_found_and_shown(cli: Cli, library: Path) -> None:
    assert "小草从土里钻出来" in cli("search", "小草", "-c", library).out


def test_k_limits_the_list_and_the_cursor_continues_it(cli: Cli, library: Path) -> None:
    first = cli("search", "timeout connection limit", "-c", library, "-k", "1", "--json").json
    rest = cli("search", "timeout connection limit", "-c", library, "-k", "1", "--cursor", first["cursor"], "--json").json

    assert len(first["results"]) == len(rest["results"]) == 1
    assert first["results"][0]["id"] != rest["results"][0]["id"]


def test_retrieval_k_is_the_default(cli: Cli, library: Path) -> None:
    found = cli("search", "timeout connection limit", "-c", library, "--set", "retrieval.k=1", "--json").json

    assert len(found["results"]) == 1


def test_filters_narrow_the_search(cli: Cli, library: Path) -> None:
    def paths(*options: str) -> set[str]:
        found = cli("search", "timeout connections limit keyword", "-c", library, "--json", *options).json
        return {result["path"] for result in found["results"]}

    assert paths("--collection", "code") == {"pool.py"}
    assert paths("--source", "client") == {"pool.py"}
    assert paths("--kind", "python") == {"pool.py"}
    assert paths("--path", "time*.md") == {"timeouts.md"}
    assert paths("--path", "time*.md", "--path", "*.py") == {"timeouts.md", "pool.py"}


def test_explain_tells_stages_on_stderr_and_ranks_beside_the_hits(cli: Cli, library: Path) -> None:
    outcome = cli("search", "pool", "-c", library, "--explain")

    assert " ms  fuse" in outcome.err
    assert "bm25 #1" in outcome.out


def test_explain_adds_the_stages_to_json(cli: Cli, library: Path) -> None:
    stages = cli("search", "pool", "-c", library, "--explain", "--json").json["stages"]

    assert {"bm25", "fuse"} <= {stage["stage"] for stage in stages}


def test_finding_nothing_is_no_error(cli: Cli, library: Path) -> None:
    outcome = cli("search", "qqqq", "--mode", "bm25", "-c", library)

    assert (outcome.status, outcome.out) == (0, "Nothing found.\n")
    assert "sync" not in outcome.err


def test_an_empty_index_is_told_from_an_empty_result(cli: Cli, project: Path) -> None:
    outcome = cli("search", "timeout", "--mode", "bm25", "-c", project)

    assert outcome.out == "Nothing found.\n"
    assert "`citewell sync` fills it" in outcome.err


def test_ask_quotes_with_labels_that_lead_to_sources(cli: Cli, library: Path) -> None:
    outcome = cli("ask", "What", "is", "the", "default", "timeout?", "-c", library)

    assert outcome.status == 0
    assert "five seconds of network inactivity. [c1]" in outcome.out
    assert "Sources\nc1  Timeouts  timeouts.md:3" in outcome.out


def test_ask_speaks_json(cli: Cli, library: Path) -> None:
    answer = cli("ask", "What is the default timeout?", "-c", library, "--json").json

    assert answer["answerable"] is True
    assert answer["citations"][0]["id"] == "c1"
    assert answer["citations"][0]["quote"] in "The default timeout is five seconds of network inactivity."


def test_a_question_without_evidence_is_declined(cli: Cli, project: Path) -> None:
    outcome = cli("ask", "Who is the king?", "-c", project)

    assert outcome.status == 0
    assert outcome.out == "The sources do not answer this (no_evidence).\n"


def test_read_prints_the_lines_alone_on_stdout(cli: Cli, library: Path) -> None:
    outcome = cli("read", "timeouts.md", "--start-line", "5", "--end-line", "5", "-c", library)

    assert outcome.out.strip() == "## Fine tuning"
    assert "lines 5-5" in outcome.err


def test_read_takes_the_id_of_a_passage(cli: Cli, library: Path) -> None:
    identity = cli("search", "春天", "-c", library, "--json").json["results"][0]["id"]

    view = cli("read", identity, "-c", library, "--json").json
    assert view["id"] == identity
    assert "春天来了" in view["text"]
    assert view["metadata"]["lines"]


def test_sources_lists_what_may_be_read(cli: Cli, library: Path) -> None:
    table = cli("sources", "-c", library).out
    listed = cli("sources", "-c", library, "--json").json["sources"]

    assert "handbook" in table
    assert {source["name"]: source["documents"] for source in listed} == {"client": 1, "handbook": 3}


def test_nothing_a_document_says_steers_the_terminal(cli: Cli, library: Path) -> None:
    for arguments in (("search", "zebra"), ("ask", "What does the keyword zebra have?"), ("read", "evil.md")):
        shown = cli(*arguments, "-c", library)
        assert not set(shown.out + shown.err) & {"\x1b", "\x07", "\u202e"}
        assert "[bold]markup[/bold]" in shown.out


def test_an_unknown_document_is_an_error_in_both_forms(cli: Cli, library: Path) -> None:
    plain = cli("read", "nowhere.md", "-c", library)
    as_json = cli("read", "nowhere.md", "-c", library, "--json")

    assert (plain.status, plain.out) == (66, "")
    assert plain.err.startswith("DOCUMENT_NOT_FOUND: ")
    assert as_json.status == 66
    assert as_json.json["error"]["code"] == "DOCUMENT_NOT_FOUND"
    assert as_json.err == ""
