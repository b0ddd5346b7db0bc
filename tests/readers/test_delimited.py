"""TSV and CSV: columns by name and by number."""

import csv
import io

import pytest
from hypothesis import given, strategies as st

from refscore.readers import open_segments
from tests.readers.reading import error_of, in_stdin, stdin, values_of


def read(format, data, field):
    return values_of(**stdin(data, field, format=format))


def failure(format, data, field):
    return error_of(**stdin(data, field, format=format))


@pytest.mark.parametrize(
    ("field", "values"),
    [("old", ["a cat", "c"]), ("new", ["b", ""]), ("1", ["old", "a cat", "c"]), ("2", ["new", "b", ""])],
)
def test_names_and_numbers(field, values):
    assert read("tsv", "\ufeffold\tnew\na cat\tb\nc\t\n", field) == values
    assert read("csv", "\ufeffold,new\r\na cat,b\r\nc,\r\n", field) == values


@pytest.mark.parametrize(("format", "gap"), [("tsv", "\t"), ("csv", ",")])
def test_a_header_that_is_read_as_a_row(format, gap):
    rows = [["seg_id", "Reference"], ["1", "a cat"]]
    table = "".join(f"{gap.join(row)}\n" for row in rows)
    with pytest.warns(UserWarning, match=r"column 2 in line 1 of .* is 'Reference', which looks like a header: .*:Ref"):
        assert read(format, table, "2") == ["Reference", "a cat"]
    assert read(format, table, "Reference") == ["a cat"]
    for row in (["a text", "1"], ["source", "source"], ["the reference", "the text"]):
        assert read(format, f"{gap.join(row)}\n", "1") == [row[0]]


TABLE = "hyp\tref\na\tb\nc\td\n"


@pytest.mark.parametrize("format", ["tsv", "csv"])
@pytest.mark.parametrize(
    ("table", "field", "at", "problem"),
    [
        (TABLE, "reff", (1,), "has no field 'reff': did you mean 'ref'"),
        (TABLE, None, (), "has 2 columns: name one, as in -:1 (the first), or by the header (hyp, ref)"),
        (TABLE, "3", (1,), "has no column 3"),
        (TABLE, "0", (1,), "has no column 0"),
        (TABLE, "9" * 5000, (1,), "has no column 9"),
        ("ref\tref\na\tb\n", "ref", (1,), "has two columns 'ref'"),
        ("hyp\tref\n", "ref", (None, "ref"), "is empty"),
        ("a\tb\nc\td\ne\n", "a", (3,), "has 1 column, but the first line has 2"),
        ("a\tb\nc\td\n\n", "2", (3,), "has 1 column, but the first line has 2"),
        ("a\tb\nc\td\ne\tf\tg\n", "a", (3,), "has 3 columns, but the first line has 2"),
    ],
)
def test_mistakes(format, table, field, at, problem):
    error = failure(format, table if format == "tsv" else table.replace("\t", ","), field)
    assert error.location == in_stdin(*at)
    assert f"{error.problem}: {error.fix}".startswith(problem)


def test_rows_of_several_lines_have_the_line_they_begin_in():
    data = 'a,b\n"1\n2",x\n"3\n\n4","5\n6"\n7,y\n8\n'
    error = failure("csv", data, "a")
    assert (error.location, error.problem) == (in_stdin(9), "has 1 column, but the first line has 2")
    with open_segments(**stdin(data.removesuffix("8\n"), "b", format="csv")) as reader:
        assert list(reader) == [["x", "5\n6", "y"]]
        assert [reader.location(index).line for index in range(3)] == [2, 4, 8]


QUOTED = 'a,b\n"c, ""d""\ne",f\n"\u2028\r\n","g\n\n"\n'


@pytest.mark.parametrize(
    ("format", "data", "field", "values"),
    [
        ("tsv", '"a\tb"\n"c\td""\n', "2", ['b"', 'd""']),  # no quotes
        ("csv", QUOTED, "a", ['c, "d"\ne', "\u2028\r\n"]),
        ("csv", QUOTED, "b", ["f", "g\n\n"]),
        ("csv", 'a\n\n""\nb\n', "a", ["", "", "b"]),
        ("tsv", "a\n\nb\n", "a", ["", "b"]),
    ],
)
def test_quotes_and_single_columns(format, data, field, values):
    assert read(format, data, field) == values


@pytest.mark.parametrize("data", ['a,b\n"c,d\n', 'a,b\n"c"d,e\n', "a,b\nc\rd,e\n", b"a,b\n\xff,\n"])
def test_what_is_no_csv(data):
    assert failure("csv", data, "1").location == in_stdin(2)


def test_csv_cells_can_be_long_and_the_limit_of_others_stays():
    before = csv.field_size_limit()
    cell = "x" * 300_000
    assert read("csv", f"{cell},b\n" * 20, "1") == [cell] * 20
    assert csv.field_size_limit() == before


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@given(
    st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8), st.integers(1, 9), st.sampled_from(["\n", "\r\n"])
)
def test_what_csv_writes_is_read(rows, block, end):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([("a", "b", "c"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        for index, name in enumerate("abc"):
            expected = [row[index] for row in rows]
            assert read("csv", text.getvalue(), name) == expected
            assert read("csv", text.getvalue(), str(index + 1)) == [name, *expected]


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8), st.integers(1, 9))
def test_what_is_joined_by_tabs_is_read(rows, block):
    clean = [[cell.translate(dict.fromkeys(map(ord, "\t\n\r\ufeff"), "_")) for cell in row] for row in rows]
    text = "".join("\t".join(row) + "\n" for row in clean)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        assert read("tsv", text, "2") == [row[1] for row in clean]
