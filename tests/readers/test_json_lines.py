"""JSON Lines: fields, lists, nulls, and invalid lines."""

import json

import pytest
from hypothesis import given, strategies as st

from refscore.readers import evaluate_files, open_segments
from tests.readers.reading import error_of, in_stdin, stdin, values_of


def read(data, field=None, **options):
    return values_of(**stdin(data, field, format="jsonl", **options))


def failure(data, field=None, **options):
    return error_of(**stdin(data, field, format="jsonl", **options))


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ('{"ref": "a cat"}', "ref", "a cat"),
        ('{"ref": null}', "ref", None),
        ('{"ref": ["a", null, "b"]}', "ref", ["a", None, "b"]),
        ('{"ref": []}', "ref", []),
        ('{"a": {"b": {"c": "x"}}}', "a.b.c", "x"),
        ('{"a.b": "x", "a": {"b": "y"}}', "a.b", "x"),
        ('{"a:b": "x"}', "a:b", "x"),
        ('{"a": "x", "a": "y"}', "a", "y"),
        ('"a cat"', None, "a cat"),
        (' {"a" : "\\u00fc\\n\\ud83d\\ude00"} \r', "a", "ü\n😀"),
        ('{"a": "\\ud800"}', "a", "\ud800"),
        ('{"a": "\u2028"}', "a", "\u2028"),
    ],
)
def test_values(line, field, value):
    assert read(f"{line}\n{line}", field) == [value, value]


@pytest.mark.parametrize(
    ("line", "field", "at", "problem"),
    [
        ('{"reff": "a"}', "ref", None, "has no field 'ref': did you mean 'reff'"),
        ("{}", "ref", None, "has no field 'ref': there are none"),
        ('{"a": {"b": "c"}}', "a.c", None, "has no field 'a.c': did you mean 'a.b'"),
        ('{"a": "b"}', "a.c", "a", "is a string"),
        ('"a"', "b", None, "is a string"),
        ("[1]", "b", None, "is a list"),
        ("null", "b", None, "is null"),
        ('{"a": 1}', "a", "a", "is a number"),
        ('{"a": true}', "a", "a", "is a truth value"),
        ('{"a": ["b", 1]}', "a", "a", "is a list with a number in it"),
        ('{"a": [["b"]]}', "a", "a", "is a list with a list in it"),
        ('{"a": {"b": 1, "c": 2}}', "a", "a", "is an object: name one of its fields, as in -:FIELD (a.b, a.c)"),
        ('{"b": 1, "c": 2}', None, None, "is an object"),
        ("", "a", None, "is empty"),
        ("[", "a", None, "begins a JSON array"),
        ('[{"a": "b"},', "a", None, "begins a JSON array"),
        ('[{"a": "b"}, {"a": "c"}]', "a", None, "is a JSON array of objects"),
        ('[{"a": "b"}]', None, None, "is a JSON array of objects"),
        ('["b", "c"', None, None, "is not JSON (column 10:"),
        ("{", "a", None, "begins JSON that spans several lines"),
        ("{'a': 1}", "a", None, "is not JSON (column 2:"),
        ('{"a": "b"', "a", None, "is not JSON (column 10:"),
        ('{"a": "b"} x', "a", None, "is not JSON (column 12:"),
        ("1" * 5000, None, None, "cannot be read: "),
        ("[" * 1_000_000 + "]" * 1_000_000, None, None, "cannot be read: "),
    ],
)
def test_mistakes_name_the_line_and_the_field(line, field, at, problem):
    good = '{"a": "x", "ref": "y", "b": "z"}' if field and "." not in field else '"x"'
    good = '{"a": {"c": "x"}}' if field == "a.c" else good
    error = failure(f"{good}\n{line}\n{good}\n", field)
    assert error.location == in_stdin(2, at)
    assert f"{error.problem}: {error.fix}".startswith(problem)


def test_names_of_fields_are_made_visible_and_not_too_many():
    assert failure('{"a\\nb\\u202e": 1}', "x").fix == "there are: a\\nb\\u202e"
    many = json.dumps({f"f{n}": "" for n in range(1000)})
    assert failure(many, "x").fix == "there are 1000: f0, f1, f10, f100, f101, …"


def test_labels_may_be_numbers():
    data = '{"doc": 17}\n{"doc": "a"}\n'
    assert read(data, "doc", labels=True) == ["17", "a"]
    assert failure(data, "doc").location == in_stdin(1, "doc")


VALUES = st.one_of(st.none(), st.text(), st.lists(st.one_of(st.none(), st.text()), max_size=3))


@given(st.lists(VALUES, min_size=1, max_size=8), st.integers(1, 9), st.booleans())
def test_what_json_writes_is_read(values, block, ascii_only):
    lines = [json.dumps({"id": 1, "x": {"y": value}}, ensure_ascii=ascii_only) for value in values]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        assert read("\n".join(lines).encode("utf-8", "surrogatepass"), "x.y") == values


def test_a_path_through_lists_of_objects_gives_a_list(tmp_path):
    references, hypotheses = tmp_path / "squad.jsonl", tmp_path / "own.txt"
    references.write_text('{"answers": [{"text": "Rome"}, {"text": "rome"}]}\n{"answers": []}\n')
    hypotheses.write_text("rome\n\n")
    with open_segments(f"{references}:answers.text") as reader:
        assert [*reader] == [[["Rome", "rome"], []]]
    evaluation = evaluate_files({"a": hypotheses}, [f"{references}:answers.text"], "exact_match:squad")
    assert evaluation["a"]["exact_match:squad"].value == 1
