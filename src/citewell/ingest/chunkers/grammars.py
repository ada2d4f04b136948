"""Where the syntax trees of each language hold their definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """A tree-sitter grammar, and which types of its nodes mean what.

    ``module`` is the package it comes in and ``entry`` the function that gives it. ``functions`` are kept whole where they
    fit; ``classes`` have members; ``namespaces`` are always looked into and give their name to what they hold; ``blocks``
    are looked into and have no name; ``wrappers`` stand around one definition and belong to it; ``prefixes`` are siblings
    before a definition that belong to it, as comments always do. ``separator`` joins the parts of a qualified name.
    """

    module: str
    entry: str = "language"
    functions: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    separator: str = "."


FUNCTION_VALUES: Final = _words("arrow_function function_expression generator_function class")
"""What makes the variable or property it is assigned to a definition."""

ASSIGNMENTS: Final = _words("variable_declarator assignment_expression field_definition public_field_definition")
"""What is a definition only if its value is one of ``FUNCTION_VALUES``."""

_JAVASCRIPT_FUNCTIONS = (
    "function_declaration generator_function_declaration method_definition variable_declarator assignment_expression"
)
_JAVASCRIPT_WRAPPERS = "export_statement lexical_declaration variable_declaration expression_statement"
_TYPESCRIPT_FUNCTIONS = _words(
    f"{_JAVASCRIPT_FUNCTIONS} function_signature method_signature abstract_method_signature public_field_definition "
    "type_alias_declaration"
)
_TYPESCRIPT_CLASSES = _words("class_declaration abstract_class_declaration interface_declaration enum_declaration")
_C_BLOCKS = "preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification"


def _typescript(entry: str) -> Grammar:
    return Grammar(
        module="tree_sitter_typescript",
        entry=entry,
        functions=_TYPESCRIPT_FUNCTIONS,
        classes=_TYPESCRIPT_CLASSES,
        namespaces=_words("internal_module module"),
        wrappers=_words(f"{_JAVASCRIPT_WRAPPERS} ambient_declaration"),
        prefixes=_words("decorator"),
    )


GRAMMARS: Final[dict[str, Grammar]] = {
    "javascript": Grammar(
        module="tree_sitter_javascript",
        functions=_words(f"{_JAVASCRIPT_FUNCTIONS} field_definition"),
        classes=_words("class_declaration"),
        wrappers=_words(_JAVASCRIPT_WRAPPERS),
        prefixes=_words("decorator"),
    ),
    "typescript": _typescript("language_typescript"),
    "tsx": _typescript("language_tsx"),
    "go": Grammar(
        module="tree_sitter_go",
        functions=_words("function_declaration method_declaration type_spec type_alias"),
        wrappers=_words("type_declaration"),
        blocks=_words("type_declaration"),
    ),
    "rust": Grammar(
        module="tree_sitter_rust",
        functions=_words("function_item function_signature_item struct_item enum_item union_item macro_definition"),
        classes=_words("impl_item trait_item"),
        namespaces=_words("mod_item"),
        blocks=_words("foreign_mod_item"),
        prefixes=_words("attribute_item"),
        separator="::",
    ),
    "java": Grammar(
        module="tree_sitter_java",
        functions=_words("method_declaration constructor_declaration compact_constructor_declaration"),
        classes=_words(
            "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"
        ),
        blocks=_words("enum_body_declarations"),
    ),
    "c": Grammar(
        module="tree_sitter_c",
        functions=_words("function_definition"),
        classes=_words("struct_specifier union_specifier enum_specifier"),
        blocks=_words(_C_BLOCKS),
        wrappers=_words("type_definition declaration"),
    ),
    "cpp": Grammar(
        module="tree_sitter_cpp",
        functions=_words("function_definition concept_definition"),
        classes=_words("class_specifier struct_specifier union_specifier enum_specifier"),
        namespaces=_words("namespace_definition"),
        blocks=_words(_C_BLOCKS),
        wrappers=_words("template_declaration type_definition declaration field_declaration"),
        separator="::",
    ),
    "csharp": Grammar(
        module="tree_sitter_c_sharp",
        functions=_words(
            "method_declaration constructor_declaration destructor_declaration property_declaration operator_declaration "
            "indexer_declaration conversion_operator_declaration delegate_declaration"
        ),
        classes=_words("class_declaration interface_declaration struct_declaration enum_declaration record_declaration"),
        namespaces=_words("namespace_declaration"),
        blocks=_words("preproc_if"),
    ),
    "ruby": Grammar(
        module="tree_sitter_ruby",
        functions=_words("method singleton_method"),
        classes=_words("class"),
        namespaces=_words("module"),
        blocks=_words("singleton_class"),
        separator="::",
    ),
    "php": Grammar(
        module="tree_sitter_php",
        entry="language_php",
        functions=_words("function_definition method_declaration"),
        classes=_words("class_declaration interface_declaration trait_declaration enum_declaration"),
        namespaces=_words("namespace_definition"),
        blocks=_words("if_statement compound_statement"),
        separator="::",
    ),
    "bash": Grammar(
        module="tree_sitter_bash",
        functions=_words("function_definition"),
    ),
    "python": Grammar(
        module="tree_sitter_python",
        functions=_words("function_definition"),
        classes=_words("class_definition"),
        blocks=_words("if_statement else_clause elif_clause try_statement except_clause finally_clause with_statement block"),
        wrappers=_words("decorated_definition"),
    ),
}
"""The grammars by kind of file."""
