from __future__ import annotations

from citewell.adapters.stores import records
from citewell.core.ports import SourceState
from citewell.testing.store_writing import FULL


def test_everything_comes_back_as_it_was_in_plain_ascii() -> None:
    state = SourceState(name="wiki\ud800", collection="docs", commit="c0ffee", complete=False)
    info, entry = FULL.document.info, FULL.entry
    written = [records.dump_info(info), records.dump_entry(entry), records.dump_state(state)]
    assert records.load_info(written[0]) == info
    assert records.load_entry(written[1]) == entry
    assert records.load_state(written[2]) == state
    for chunk in FULL.chunks:
        written.append(records.dump_chunk(chunk))
        assert records.load_chunk(written[-1], chunk.text) == chunk
    assert all(record.isascii() and record.isprintable() for record in written)
