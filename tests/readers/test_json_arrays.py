"""JSON arrays of strings, of lists, of objects with a field; and other contents of .json files."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from refscore.errors import InputError, Location
from refscore.readers import JSONObjects
from tests.readers.reading import error_of, in_stdin, stdin, values_of

ITEMS = st.lists(st.one_of(st.text(), st.none(), st.lists(st.one_of(st.text(), st.none()), max_size=3)), min_size=1)


@given(ITEMS, st.sampled_from([None, 2]), st.sampled_from(["", "\n", " \n\t", "\ufeff"]))
def test_items_and_fields(items, indent, before):
    text = before + json.dumps(items, indent=indent)
    assert values_of(**stdin(text, format="json")) == items
    text = json.dumps([{"a": {"b": item}} for item in items], indent=indent)
    assert values_of(**stdin(text, "a.b", format="json")) == items


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("x.json", '["a", "b"]', ["a", "b"]),
        ("x.json.gz", '["a", "b"]', ["a", "b"]),
        ("x.json", '"a"\n"b"\n', ["a", "b"]),
        ("x.jsonl", '["a", "b"]\n', [["a", "b"]]),  # lines of lists
    ],
)
def test_what_a_name_means(tmp_path, name, text, values):
    (tmp_path / name).write_text(text)
    assert values_of(tmp_path / name) == values


@pytest.mark.parametrize(
    ("text", "field", "location"),
    [
        ('["a", 1]', None, in_stdin(field="item 2")),
        ('[{"a": "x"}, {"b": "x"}]', "a", in_stdin(field="a of item 2")),
        ('[{"a": "x"}, {"a": {}}]', "a", in_stdin(field="a of item 2")),
        ('["a",\n"b"', None, in_stdin(2)),
        ('["a",\nb]', None, in_stdin(2)),
        ('["a", "b"]\n["c"]\n', None, in_stdin(2)),  # lines of lists
        ("[]", None, in_stdin()),
        ("[" * 100_000, None, in_stdin()),
        (f"[{'1' * 5000}]", None, in_stdin()),
        ('{\n"a": "x"\n}', "a", in_stdin(1)),
    ],
)
def test_mistakes(text, field, location):
    assert error_of(**stdin(text, field, format="json")).location == location


def test_objects(tmp_path):
    file = tmp_path / "x.json"
    file.write_text('[{"a": 1},\n {"a": 2}]')
    with JSONObjects(file) as objects:
        items = list(objects)
    assert items == [(Location(file=str(file), field=f"item {n}"), {"a": n}) for n in (1, 2)]
    for text, location in [
        ("[1]", Location(file=str(file), field="item 1")),
        ("[]", Location(file=str(file))),
        ("[1]\n[2]\n", Location(file=str(file), line=2)),
    ]:
        Path(file).write_text(text)
        with JSONObjects(file) as objects, pytest.raises(InputError) as caught:
            list(objects)
        assert caught.value.location == location
