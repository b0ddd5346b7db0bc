"""TSV and CSV: columns by name and by number."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.readers import open_segments
from tests.readers.reading import values_of


def read(format, data, field, **options):
    stdin = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    spec = "-" if field is None else f"-:{field}"
    return values_of(spec, format=format, stdin=stdin, **options)


def message(*arguments):
    with pytest.raises(refscore.InputError) as caught:
        read(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("field", "values"),
    [("hyp", ["a cat", "c"]), ("ref", ["b", ""]), ("1", ["hyp", "a cat", "c"]), ("2", ["ref", "b", ""])],
)
def test_names_and_numbers(field, values):
    assert read("tsv", "hyp\tref\na cat\tb\nc\t\n", field) == values
    assert read("csv", "hyp,ref\r\na cat,b\r\nc,\r\n", field) == values


@pytest.mark.parametrize(("format", "comma"), [("tsv", "\t"), ("csv", ",")])
def test_mistakes(format, comma):
    table = f"hyp{comma}ref\na{comma}b\nc{comma}d\n"
    where = "standard input"
    assert message(format, table, "reff") == (
        f"{where}, line 1: unknown field 'reff'; did you mean 'ref'? (there are: hyp, ref); "
        f"without a header columns are numbers, as in -:1"
    )
    assert message(format, table, None) == (
        f"{where} has 2 columns: name one of them, as in -:1 (the first), or by what its header says (hyp, ref)"
    )
    assert message(format, table, "3") == f"{where} has no column 3: its first line has 2"
    assert message(format, table, "0") == f"{where} has no column 0: its first line has 2"
    assert message(format, table, "9" * 5000).startswith(f"{where} has no column 9")
    assert (
        message(format, table.replace("hyp", "ref"), "ref") == f"{where}, line 1 has two columns 'ref': say its number"
    )
    assert message(format, f"hyp{comma}ref\n", "ref") == f"{where}:ref is empty"
    assert message(format, b"a,\tb\n\xff\t,\n", "1") == (
        f"{where}, line 2 is not UTF-8 (byte 0xff), at offset 5: convert the file first"
    )


def test_rows_of_another_width():
    assert message("tsv", "a\tb\nc\td\ne\n", "a") == "standard input, line 3 has 1 column, but the first line has 2"
    assert message("tsv", "a\tb\nc\td\n\n", "2") == "standard input, line 3 has 1 column, but the first line has 2"
    assert message("csv", "a,b\nc,d\ne,f,g\n", "a") == "standard input, row 2 has 3 columns, but the first line has 2"
    assert message("csv", "a,b\nc,d\ne,f,g\n", "1") == "standard input, row 3 has 3 columns, but the first line has 2"
    assert message("csv", "a,b\n\nc,d\n", "1") == "standard input, row 2 has 1 column, but the first line has 2"


def test_tsv_has_no_quotes():
    assert read("tsv", '"a\tb"\n"c\td""\n', "2") == ['b"', 'd""']


def test_csv_has_quotes():
    data = 'a,b\n"c, ""d""\ne",f\n"\u2028\r\n","g\n\n"\n'
    assert read("csv", data, "a") == ['c, "d"\ne', "\u2028\r\n"]
    assert read("csv", data, "b") == ["f", "g\n\n"]


@pytest.mark.parametrize("data", ['a,b\n"c,d\n', 'a,b\n"c"d,e\n', "a,b\nc\rd,e\n"])
def test_what_is_no_csv(data):
    assert message("csv", data, "1").startswith("standard input, line 2 is not CSV: ")


def test_a_column_alone():
    assert read("csv", 'a\n\n""\nb\n', "a") == ["", "", "b"]
    assert read("tsv", "a\n\nb\n", "a") == ["", "b"]


def test_csv_cells_can_be_long_and_the_limit_of_others_stays():
    before = csv.field_size_limit()
    cell = "x" * 300_000
    assert read("csv", f"{cell},b\n" * 20, "1") == [cell] * 20
    assert csv.field_size_limit() == before


def test_places():
    with open_segments("-:b", format="tsv", stdin=io.BytesIO(b"a\tb\nc\td\n")) as reader:
        assert (reader.place(0), reader.unit) == ("standard input, line 2, field b", "row")
    with open_segments("-:2", format="tsv", stdin=io.BytesIO(b"a\tb\nc\td\n")) as reader:
        assert reader.place(0) == "standard input, line 1, field 2"
    for field in ("b", "2"):
        with open_segments(f"-:{field}", format="csv", stdin=io.BytesIO(b"a,b\nc,d\n")) as reader:
            assert reader.place(0) == f"standard input, row 1, field {field}"


def test_a_byte_order_mark_is_no_part_of_a_name():
    assert read("tsv", "\ufeffa\tb\nc\td\n", "a") == ["c"]
    assert read("csv", "\ufeffa,b\nc,d\n", "a") == ["c"]


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
