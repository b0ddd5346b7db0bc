"""JSON lines: fields, lists, nulls, and lines that are something else."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.readers import open_segments
from tests.readers.reading import values_of


def read(data, field=None, **options):
    stdin = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    return values_of("-" if field is None else f"-:{field}", format="jsonl", stdin=stdin, **options)


def message(*arguments):
    with pytest.raises(refscore.InputError) as caught:
        read(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("standard input, ")


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ('{"ref": "a cat"}', "ref", "a cat"),
        ('{"ref": ""}', "ref", ""),
        ('{"ref": null}', "ref", None),
        ('{"ref": ["a", null, "b"]}', "ref", ["a", None, "b"]),
        ('{"ref": []}', "ref", []),
        ('{"a": {"b": {"c": "x"}}}', "a.b.c", "x"),
        ('{"a.b": "x", "a": {"b": "y"}}', "a.b", "x"),
        ('{"a:b": "x"}', "a:b", "x"),
        ('{"a": "x", "a": "y"}', "a", "y"),
        ('"a cat"', None, "a cat"),
        ('["a", "b"]', None, ["a", "b"]),
        (' {"a" : "\\u00fc\\n\\ud83d\\ude00"} \r', "a", "ü\n😀"),
        ('{"a": "\\ud800"}', "a", "\ud800"),
        ('{"a": "\u2028"}', "a", "\u2028"),
    ],
)
def test_values(line, field, value):
    assert read(f"{line}\n{line}", field) == [value, value]


@pytest.mark.parametrize(
    ("line", "field", "said"),
    [
        ('{"reff": "a"}', "ref", "unknown field 'ref'; did you mean 'reff'? (there are: reff)"),
        ("{}", "ref", "unknown field 'ref' (there are none)"),
        ('{"a": {"b": "c"}}', "a.c", "unknown field 'a.c'; did you mean 'a.b'? (there are: a.b)"),
        ('{"a": "b"}', "a.c", "field 'a' is a string: an object with a field 'c' was expected"),
        ('"a"', "b", "is a string: an object with a field 'b' was expected"),
        ("[1]", "b", "is a list: an object with a field 'b' was expected"),
        ("null", "b", "is null: an object with a field 'b' was expected"),
        ('{"a": 1}', "a", "field 'a' is a number: a string or a list of strings was expected"),
        ('{"a": 1.5}', "a", "field 'a' is a number: a string or a list of strings was expected"),
        ('{"a": true}', "a", "field 'a' is a truth value: a string or a list of strings was expected"),
        ('{"a": ["b", 1]}', "a", "field 'a' is a list with a number in it: only strings and null can be scored"),
        ('{"a": [["b"]]}', "a", "field 'a' is a list with a list in it: only strings and null can be scored"),
        (
            '{"a": {"b": 1, "c": 2}}',
            "a",
            "field 'a' is an object: name one of its fields, as in -:FIELD (a.b, a.c)",
        ),
        ('{"b": 1, "c": 2}', None, "is an object: name one of its fields, as in -:FIELD (b, c)"),
        ("", "a", "is empty: every line has to be JSON"),
        ("{'a': 1}", "a", "column 2 is not JSON: Expecting property name enclosed in double quotes"),
        ('{"a": "b"', "a", "column 10 is not JSON: Expecting ',' delimiter"),
        ('{"a": "b"} x', "a", "column 12 is not JSON: Extra data"),
    ],
)
def test_mistakes_name_the_line(line, field, said):
    good = '{"a": "x", "ref": "y", "b": "z"}' if field and "." not in field else '"x"'
    good = '{"a": {"c": "x"}}' if field == "a.c" else good
    found = message(f"{good}\n{line}\n{good}\n", field)
    place, _, rest = found.partition(said)
    assert (place.rstrip(" :,"), rest) == ("line 2", "")


def test_numbers_that_cannot_be_read():
    assert message("1" * 5000, None).startswith("line 1")
    assert message("[" * 1_000_000, None).startswith("line 1")
    assert message("[" * 1_000_000 + "]" * 1_000_000, None).startswith("line 1")


@pytest.mark.parametrize("text", ['[\n{"a": "b"}\n]\n', '{\n"a": "b"\n}\n'])
def test_json_over_several_lines(text):
    assert message(text, "a") == "standard input is JSON over several lines: write one object a line"


def test_names_of_fields_are_made_visible_and_not_too_many():
    assert message('{"a\\nb\\u202e": 1}', "x") == "line 1: unknown field 'x' (there are: a\\nb\\u202e)"
    many = json.dumps({f"f{n}": "" for n in range(1000)})
    assert message(many, "x") == "line 1: unknown field 'x' (there are 1000: f0, f1, f2, f3, f4, …)"


def test_labels_may_be_numbers():
    data = '{"doc": 17}\n{"doc": "a"}\n'
    assert read(data, "doc", labels=True) == ["17", "a"]
    assert message(data, "doc").startswith("line 1, field 'doc' is a number")


def test_places():
    with open_segments("-:a.b", format="jsonl", stdin=io.BytesIO(b'{"a": {"b": "x"}}\n')) as reader:
        assert reader.place(16) == "standard input, line 17, field 'a.b'"
        assert reader.unit == "line"


VALUES = st.one_of(st.none(), st.text(), st.lists(st.one_of(st.none(), st.text()), max_size=3))


@given(st.lists(VALUES, min_size=1, max_size=8), st.integers(1, 9), st.booleans())
def test_what_json_writes_is_read(values, block, ascii_only):
    lines = [json.dumps({"id": 1, "x": {"y": value}}, ensure_ascii=ascii_only) for value in values]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        assert read("\n".join(lines).encode("utf-8", "surrogatepass"), "x.y") == values
