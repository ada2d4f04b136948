import pytest
from outline_contract import assert_outline, piece_with, shown

from citewell.ingest.chunkers.yaml import chunk_yaml

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    name: not-this
  name: "web"  # the name
  namespace: prod
spec:
  # How many.
  replicas: 3
  template:
    spec:
      containers:
        - name: first
          args: [a, b]
        - name: second
          command: |
            cat <<END
            kind: Fake
            ---
            END
          image: web:1
"""
FIELDS = {"resource_kind": "Deployment", "resource_name": "web", "resource_namespace": "prod", "api_version": "apps/v1"}


def outline_of(text, limit=1500):
    outline = chunk_yaml(text, "a.yaml", limit)
    assert_outline(text, outline, limit)
    return outline


def test_a_resource_is_named_by_symbol_and_metadata():
    (piece,) = outline_of(DEPLOYMENT).pieces
    assert (piece.symbol, piece.metadata) == ("Deployment/web", FIELDS)


def test_each_document_is_a_piece():
    text = f"{DEPLOYMENT}---\nkind: Service\nmetadata: {{name: web, namespace: 'x'}}\n---\na: 1\n"
    assert [piece.symbol for piece in outline_of(text).pieces] == ["Deployment/web", "Service/web", None]


def test_remarks_before_the_first_document_belong_to_it():
    text = "# Licence\n%YAML 1.2\n---\n# Only this.\n---\na: 1\n"
    assert shown(text, outline_of(text)) == [text.strip()]


def test_three_dashes_in_a_block_scalar_begin_no_document():
    assert len(outline_of(DEPLOYMENT).pieces) == 1


def test_a_document_may_begin_beside_its_marker():
    assert [piece.symbol for piece in outline_of("--- # a\na: 1\n--- {b: 2}\n--- \nc: 3\n").pieces] == [None] * 3


def test_a_long_resource_is_cut_at_its_outermost_keys():
    text = DEPLOYMENT
    assert [piece.split("\n")[0] for piece in shown(text, outline_of(text, 330))][:2] == ["apiVersion: apps/v1", "spec:"]


def test_every_part_of_a_resource_keeps_symbol_and_metadata():
    pieces = outline_of(DEPLOYMENT, 60).pieces
    assert len(pieces) > 5
    assert {piece.symbol for piece in pieces} == {"Deployment/web"}
    assert all(piece.metadata == FIELDS for piece in pieces)


def test_the_breadcrumb_of_a_part_holds_the_keys_above_it():
    outline = outline_of(DEPLOYMENT, 60)
    assert piece_with(DEPLOYMENT, outline, "replicas").breadcrumb[:2] == ("Deployment/web",)
    expected = ("Deployment/web", "spec", "template", "spec", "containers")
    assert piece_with(DEPLOYMENT, outline, "name: second").breadcrumb == expected


def test_the_breadcrumb_of_a_scalar_cut_in_two_holds_its_key():
    text = "data:\n  script: |\n" + "    echo one more line\n" * 10
    assert [piece.breadcrumb for piece in outline_of(text, 100).pieces][1:] == [("data", "script")] * 2


def test_a_part_never_takes_its_breadcrumb_from_the_document_before():
    text = "a:\n  b:\n    c: 1\n---\n" + "".join(f"- key_{number}: some value\n" for number in range(10))
    assert {piece.breadcrumb for piece in outline_of(text, 60).pieces} == {()}


def test_a_remark_stays_with_the_key_below_it():
    text = "".join(f"# About {number}.\n# More.\nkey_{number}: {number}\n" for number in range(20))
    assert all(piece.startswith("# About") for piece in shown(text, outline_of(text, 60)))


def test_values_keep_their_indentation_and_templates():
    text = "kind: Deployment\nmetadata:\n    name: {{ .Release.Name }}-web\nspec:\n    containers:\n      - name: x\n"
    (piece,) = outline_of(text).pieces
    assert piece.symbol == "Deployment/{{ .Release.Name }}-web"
    assert shown(text, outline_of(text)) == [text.strip()]


def test_a_file_of_values_is_no_resource():
    (piece,) = outline_of("kind: blue\nname: x\n").pieces
    assert (piece.symbol, piece.metadata) == (None, {})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: &a [x]\n" + "b: [*a, *a, *a]\n" * 100, id="references"),
        pytest.param("a: [\n  {{ if x }}\n--- oops\n\t- b: |\n", id="broken"),
        pytest.param("- - - a: 1\n-\n  - b\n? c\n: d\n", id="unusual"),
        pytest.param("---\n---\n...\n---\n", id="markers only"),
        pytest.param("[" * 3000, id="deep"),
    ],
)
def test_nothing_is_lost_of_what_is_no_clean_yaml(text):
    outline_of(text, 50)
