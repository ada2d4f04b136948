import sys

import pytest
from outline_contract import assert_outline, shown

from citewell.ingest.chunkers.grammars import GRAMMARS
from citewell.ingest.chunkers.prose import chunk_prose
from citewell.ingest.chunkers.python import chunk_python
from citewell.ingest.chunkers.symbols import MAX_SOURCE, MAX_SOURCE_LINE, symbol_chunker

pytest.importorskip("tree_sitter")

GO_FUNCTION = """\
package main

// Serve answers.
func (s *Server[K, V]) Serve(x int) error {
	first(x)
	if x > 0 {
		// Again.
		second(x)
		third(x)
	}
	// Done, and told so.
	return nil
}
"""


def outline_of(kind, text, limit=1500):
    outline = symbol_chunker(kind)(text, "file", limit)
    assert_outline(text, outline, limit)
    return outline


def test_a_comment_above_a_definition_belongs_to_it():
    assert shown(GO_FUNCTION, outline_of("go", GO_FUNCTION))[1].startswith("// Serve answers.\nfunc (s *Server")


def test_a_long_function_is_cut_between_statements():
    assert shown(GO_FUNCTION, outline_of("go", GO_FUNCTION, 72))[1:] == [
        "// Serve answers.\nfunc (s *Server[K, V]) Serve(x int) error {\n\tfirst(x)",
        "if x > 0 {\n\t\t// Again.\n\t\tsecond(x)\n\t\tthird(x)\n\t}",
        "// Done, and told so.\n\treturn nil\n}",
    ]


def test_a_long_callback_is_cut_between_statements():
    text = "describe('x', () => {\n" + "  it('y', () => {\n    check(\n      1)\n  })\n" * 20 + "})\n"
    assert all(piece.startswith("it(") for piece in shown(text, outline_of("javascript", text, 100))[1:])


def test_offsets_are_right_after_characters_of_several_bytes():
    text = "/* ü春🙂 */ function a() {} /* ü */\nfunction b() { return '春🙂' } function c() {}\n"
    assert shown(text, outline_of("javascript", text)) == [
        "/* ü春🙂 */ function a() {} /* ü */",
        "function b() { return '春🙂' }",
        "function c() {}",
    ]


def test_a_broken_file_still_has_its_symbols():
    text = "func a() {\n\treturn\n}\n\n)))\n\nfunc b() {\n\treturn\n}\n"
    assert {"a", "b"} <= {piece.symbol for piece in outline_of("go", "package x\n\n" + text).pieces}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("var a = 1;\n" * (MAX_SOURCE // 10), id="file"),
        pytest.param("var a = [" + "1," * MAX_SOURCE_LINE + "];\n", id="line"),
    ],
)
def test_what_is_too_long_for_source_is_cut_as_text(text):
    assert symbol_chunker("javascript")(text, "a.js", 1500) == chunk_prose(text, "a.js", 1500)


@pytest.mark.parametrize("missing", ["tree_sitter", "tree_sitter_ruby"])
def test_a_language_whose_package_is_missing_is_cut_as_text(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    text = "def a\nend\n\ndef b\nend\n"
    assert outline_of("ruby", text) == chunk_prose(text, "a.rb", 1500)


def test_invalid_python_is_read_by_symbol():
    text = 'class A:\n    def first(self):\n        print "old"\n\n    def second(self):\n        pass\n'
    assert [piece.symbol for piece in chunk_python(text, "a.py", 80).pieces] == ["A", "A.first", "A.second"]


def test_invalid_python_is_cut_at_the_margin_without_tree_sitter(monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    text = 'print "old"\n\ndef first():\n    print "a"\n\n@decorated\nclass Second:\n    def inner(self): pass\n'
    outline = chunk_python(text, "a.py", 1500)
    assert [piece.symbol for piece in outline.pieces] == [None, "first", "Second"]
    assert shown(text, outline)[2].startswith("@decorated")


def test_what_is_no_code_at_all_is_cut_as_text():
    text = "|-" * 4000 + "\n"
    assert symbol_chunker("python")(text, "a.py", 1500) == chunk_prose(text, "a.py", 1500)


@pytest.mark.parametrize("kind", sorted(GRAMMARS))
@pytest.mark.parametrize("text", ["", "\n \n", "}}}{{{ ((( '", "\x00\ud800 x", "{" * 5000, "class A { class A { " * 300])
def test_every_grammar_takes_any_text(kind, text):
    outline_of(kind, text, 100)
