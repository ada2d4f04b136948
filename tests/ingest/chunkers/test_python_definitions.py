import ast

import pytest
from outline_contract import assert_outline, piece_with, shown

from citewell.ingest.chunkers.python import chunk_python

MODULE = '''\
"""Connections.

More about them.
"""

import os

LIMIT = 5


# Opens one.
@cached
def connect(
    host,
):
    """Open."""
    return host


class Client:
    """Sends."""

    timeout = 5

    def send(self):
        return 1


if os.name:
    async def late():
        return 2
'''


def outline_of(text, limit=1500):
    outline = chunk_python(text, "m.py", limit)
    assert_outline(text, outline, limit)
    return outline


def symbols(text, limit=1500):
    return [piece.symbol for piece in outline_of(text, limit).pieces]


def big_class(methods=40):
    fields = "".join(f"    field_{number}: int = {number}\n" for number in range(10))
    body = "".join(
        f"\n    # Remark {number}.\n    @timed\n    def method_{number}(self):\n        return {number}\n"
        for number in range(methods)
    )
    return f'import x\n\n\n@dataclass\nclass Big(Base):\n    """Doc."""\n\n{fields}{body}\n\ndef after():\n    pass\n'


def test_each_definition_is_a_piece_named_by_its_symbol():
    assert symbols(MODULE) == [None, "connect", "Client", None, "late"]


def test_the_first_line_of_the_docstring_is_the_title():
    assert outline_of(MODULE).title == "Connections."


def test_a_definition_has_its_remarks_and_decorators():
    assert shown(MODULE, outline_of(MODULE))[1].startswith("# Opens one.\n@cached\ndef connect(")


def test_a_big_class_is_cut_into_header_and_methods():
    expected = [None, "Big", *(f"Big.method_{number}" for number in range(40)), "after"]
    assert symbols(big_class()) == expected


def test_the_header_of_a_big_class_has_decorator_docstring_and_fields():
    text = big_class()
    header = shown(text, outline_of(text))[1]
    assert header.startswith('@dataclass\nclass Big(Base):\n    """Doc."""\n\n    field_0: int = 0\n')
    assert header.endswith("field_9: int = 9")


def test_each_decorator_of_a_big_class_stands_once():
    text = big_class()
    assert "".join(shown(text, outline_of(text))).count("@timed") == 40


def test_a_remark_above_the_first_method_belongs_to_the_method():
    text = (
        "class Big(\n    Base,\n):\n    # First.\n    def a(self):\n        return 1\n\n"
        + "    def b(self):\n        return 2\n" * 9
    )
    assert shown(text, outline_of(text, 100))[:2] == [
        "class Big(\n    Base,\n):",
        "# First.\n    def a(self):\n        return 1",
    ]


def test_a_class_in_a_class_is_named_by_both():
    text = "class Outer:\n    class Inner:\n" + "".join(
        f"        def m{n}(self):\n            return {n}\n" for n in range(9)
    )
    assert symbols(text, 100)[2:] == [f"Outer.Inner.m{number}" for number in range(9)]


def test_a_long_function_is_cut_between_statements():
    body = "".join(f"    # Step {number}.\n    for x in y:\n        do({number})\n" for number in range(20))
    pieces = shown(f"def long():\n{body}", outline_of(f"def long():\n{body}", 100))
    assert pieces[0].startswith("def long():\n    # Step 0.\n")
    assert all(piece.startswith("# Step") for piece in pieces[1:])


def test_every_part_of_a_long_function_has_its_symbol():
    assert set(symbols("def long():\n" + "    call(1)\n" * 100, 100)) == {"long"}


def test_a_long_statement_is_cut_between_those_inside():
    text = "def long():\n    if x:\n" + "        first(1)\n        second(\n            2,\n        )\n" * 20
    assert not any(piece.endswith("(") for piece in shown(text, outline_of(text, 100)))


def test_definitions_under_a_condition_are_found():
    text = "try:\n    import a\nexcept ImportError:\n    def a():\n        pass\nelse:\n    class B:\n        pass\n"
    assert symbols(text) == [None, "a", "B"]


def test_overloads_are_pieces_of_the_same_symbol():
    text = "@overload\ndef a(x: int): ...\n@overload\ndef a(x: str): ...\ndef a(x): pass\n"
    assert symbols(text) == ["a", "a", "a"]


def test_forty_kilobytes_of_functions_keep_their_lines():
    text = "".join(
        f"def function_{number}(argument):\n    {'value = argument' + ' + 1' * 25}\n    return value\n\n\n"
        for number in range(300)
    )
    assert len(text) > 40_000
    assert shown(text, outline_of(text)) == [block.strip() for block in text.split("\n\n\n")[:-1]]


def test_code_python_cannot_parse_is_cut_at_the_margin():
    text = 'print "old"\n\ndef first():\n    print "a"\n\n@decorated\nclass Second:\n    def inner(self): pass\n'
    assert symbols(text) == [None, "first", "Second"]
    assert shown(text, outline_of(text))[2].startswith("@decorated")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = " + "(" * 500 + ")" * 500, id="nested brackets"),
        pytest.param("x = " + "-" * 20_000 + "1", id="unary chain"),
        pytest.param("if a:\n    pass\n" + "elif b:\n    pass\n" * 400 + "def f(): pass\n", id="elif chain"),
        pytest.param("a = '\\d'\n", id="invalid escape"),
        pytest.param("a = 1\x00\n", id="null character"),
        pytest.param("a = '\ud800'\n", id="lone surrogate"),
        pytest.param("class A: x = 1; y = 2\nclass B: pass\n", id="bodies beside heads"),
        pytest.param("a = 1; b = 2\ndef f(): pass; pass\n", id="several in a line"),
        pytest.param("def f():\n\tpass\r# carriage return\ndef g(): pass\n", id="carriage return"),
        pytest.param("def f():\n    pass\n\x0cdef g(): pass\n", id="form feed"),
        pytest.param("match x:\n    case 1:\n        def f(): pass\n    case _:\n        pass\n", id="match"),
    ],
)
def test_unusual_code_is_covered(text):
    outline_of(text, 200)


def test_the_symbols_of_this_module_are_those_of_its_syntax_tree():
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    named = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    found = dict.fromkeys(piece.symbol for piece in outline_of(text).pieces if piece.symbol)
    assert list(found) == named


def test_a_name_is_on_the_lines_of_its_piece():
    assert piece_with(MODULE, outline_of(MODULE), "def send").symbol == "Client"
