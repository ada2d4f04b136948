import pytest
from outline_contract import shown

from citewell.ingest.chunkers.front_matter import MAX_FRONT_MATTER, read_front_matter
from citewell.ingest.chunkers.markdown import chunk_markdown


def test_the_title_of_the_front_matter_wins():
    text = "---\ntitle: The guide\n---\n\n# Guide\n\nText.\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert (outline.title, outline.pieces[0].breadcrumb) == ("The guide", ("Guide",))


def test_front_matter_becomes_metadata_and_no_piece():
    text = "---\ntitle: Guide\nweight: 10\ndraft: false\ndate: 2024-01-02\n---\nText.\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert outline.metadata == {"title": "Guide", "weight": "10", "draft": "false", "date": "2024-01-02"}
    assert shown(text, outline) == ["Text."]


def test_toml_front_matter_is_read():
    front = read_front_matter('+++\ntitle = "Guide"\nweight = 10\ndraft = true\ndate = 2024-01-02\n+++\nText.\n')
    assert front.fields == {"title": "Guide", "weight": "10", "draft": "true", "date": "2024-01-02"}


def test_flat_lists_are_joined_and_nested_values_left_out():
    front = read_front_matter("---\ntags: [a, b]\nmenu:\n  main: {weight: 1}\n---\n")
    assert front.fields == {"tags": "a, b"}


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("owner: [EMAIL:3f9a]", {"owner": "[EMAIL:3f9a]"}),
        ("owner: [EMAIL:3f9a], [EMAIL:0b1c]", {"owner": "[EMAIL:3f9a], [EMAIL:0b1c]"}),
        ("owner: Ada <[EMAIL:3f9a]>", {"owner": "Ada <[EMAIL:3f9a]>"}),
        ("owners: [[EMAIL:3f9a], ada]", {"owners": "[EMAIL:3f9a], ada"}),
        ("owners:\n  - [EMAIL:3f9a]\n  - ada", {"owners": "[EMAIL:3f9a], ada"}),
        ('key: "[AWS_ACCESS_KEY:3f9a]"', {"key": "[AWS_ACCESS_KEY:3f9a]"}),
        ("[EMAIL:3f9a]: owner", {"[EMAIL:3f9a]": "owner"}),
        ("key: |\n  [PRIVATE_KEY:3f9a]\n\n\n", {"key": "[PRIVATE_KEY:3f9a]"}),
    ],
)
def test_a_placeholder_is_a_value_and_leaves_the_others_as_they_are(line, fields):
    front = read_front_matter(f"---\nversion: 2.1\n{line}\ntitle: Guide\n---\n")
    assert front.fields == {"version": "2.1", "title": "Guide", **fields}


def test_the_last_line_of_front_matter_is_no_heading():
    assert chunk_markdown("---\ntitle: X\n---\n\n## A\n\nText.\n", "page.md", 1500).pieces[0].breadcrumb == ("A",)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\n\nA rule, then text.\n\n---\n", id="rules"),
        pytest.param("---\ntitle: never closed\n", id="not closed"),
        pytest.param("---\na: [\n---\nText.\n", id="broken"),
        pytest.param("---\n- a\n- b\n---\nText.\n", id="no mapping"),
        pytest.param("+++\na = \n+++\nText.\n", id="broken TOML"),
        pytest.param("---\na: " + "[" * 5000 + "\n---\nText.\n", id="too deep"),
        pytest.param("---\na: " + "x" * MAX_FRONT_MATTER + "\n---\nText.\n", id="too long"),
        pytest.param("---\na: &a [*a]\n---\nText.\n", id="refers to itself"),
        pytest.param("Text.\n---\ntitle: X\n---\n", id="not at the start"),
    ],
)
def test_what_is_no_front_matter_stays_text(text):
    assert read_front_matter(text).end == 0


def test_references_are_not_expanded():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join('*' + before for _ in range(9))}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    front = read_front_matter(f"---\ntitle: Bomb\n{bomb}---\nText.\n")
    assert front.fields == {"title": "Bomb", "a": "x, x, x, x, x, x, x, x, x"}


def test_front_matter_never_constructs_objects():
    assert read_front_matter("---\na: !!python/object/apply:os.getcwd []\ntitle: X\n---\n").fields == {"title": "X"}
