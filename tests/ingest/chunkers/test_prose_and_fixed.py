from outline_contract import assert_outline, shown

from citewell.ingest.chunkers.fixed import chunk_fixed
from citewell.ingest.chunkers.prose import chunk_prose

PARAGRAPHS = ["One short paragraph.", "Another one,\nof two lines.", "The last one."]
TEXT = "\n\n".join(PARAGRAPHS) + "\n"


def cut_text(chunker, text, limit):
    outline = chunker(text, "a.txt", limit)
    assert_outline(text, outline, limit)
    return shown(text, outline)


def test_prose_that_fits_is_one_piece():
    assert cut_text(chunk_prose, TEXT, 1500) == [TEXT.strip()]


def test_prose_is_cut_between_paragraphs():
    assert cut_text(chunk_prose, TEXT, 30) == PARAGRAPHS


def test_paragraphs_that_fit_together_stay_together():
    assert cut_text(chunk_prose, TEXT, 50) == ["\n\n".join(PARAGRAPHS[:2]), PARAGRAPHS[2]]


def test_a_long_paragraph_is_cut_between_lines():
    assert cut_text(chunk_prose, "first line of it\nsecond line of it\n", 20) == ["first line of it", "second line of it"]


def test_a_long_line_is_cut_after_a_sentence():
    assert cut_text(chunk_prose, "It ends here. It goes on.", 20) == ["It ends here.", "It goes on."]


def test_a_long_sentence_is_cut_between_words():
    assert cut_text(chunk_prose, "a sentence without an end", 12) == ["a sentence", "without an", "end"]


def test_text_of_fixed_length_ignores_paragraphs():
    assert cut_text(chunk_fixed, "aa bb\n\ncc dd", 7) == ["aa bb", "cc dd"]
    assert cut_text(chunk_fixed, "aa bb\n\ncc dd", 9) == ["aa bb\n\ncc", "dd"]


def test_chinese_of_fixed_length_is_cut_between_characters():
    assert cut_text(chunk_fixed, "春天来了小孩子", 3) == ["春天来", "了小孩", "子"]


def test_chinese_punctuation_begins_no_piece():
    assert cut_text(chunk_fixed, "春天来，了小孩。子", 3) == ["春天", "来，了", "小孩。", "子"]
