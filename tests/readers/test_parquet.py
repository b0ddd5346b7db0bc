"""Parquet: columns of strings in all types, and errors for other columns."""

import gzip
import io
import sys
from contextlib import suppress

import pyarrow
import pytest
from hypothesis import given, strategies as st
from pyarrow import parquet

import refscore
from refscore.errors import Location
from refscore.readers import open_segments
from tests.examples import examples
from tests.readers.reading import error_of, values_of

TEXTS = ["a cat", None, "ü", ""]
LISTS = [["a", None], [], None, ["b", "c"]]
STRING, LARGE = pyarrow.string(), pyarrow.large_string()


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def make(columns, name="x.parquet", **options):
        parquet.write_table(pyarrow.table(columns), name, **options)
        return name

    return make


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (TEXTS, STRING),
        (TEXTS, LARGE),
        (TEXTS, pyarrow.dictionary(pyarrow.int32(), STRING)),
        (LISTS, pyarrow.list_(STRING)),
        (LISTS, pyarrow.large_list(LARGE)),
        pytest.param(
            [["a", "b"], None],
            pyarrow.list_(STRING, 2),
            marks=pytest.mark.skipif(
                int(pyarrow.__version__.partition(".")[0]) < 26, reason="pyarrow 25 itself cannot read what it wrote"
            ),
        ),
        ([None, None], pyarrow.null()),
    ],
)
def test_types(write, values, kind):
    name = write({"id": range(len(values)), "text": pyarrow.array(values, kind)})
    assert values_of(f"{name}:text") == values


def test_blocks(write):
    texts = [f"line {n}" for n in range(20_000)]
    name = write({"text": texts}, row_group_size=7000)
    with open_segments(f"{name}:text") as reader:
        assert (reader.unit, reader.name) == ("row", f"{name}:text")
        assert reader.location(1) == Location(file=name, line=2, field="text")
        blocks = [(len(block), reader.fraction) for block in reader]
    assert sum(size for size, _ in blocks) == 20_000
    assert len(blocks) > 2
    assert blocks[-1][1] == 1
    assert values_of(name) == texts


def test_structs(write):
    rows = [{"b": {"c": "x"}}, {"b": None}, None]
    name = write({"a": rows, "a.d": ["1", "2", "3"]})
    assert values_of(f"{name}:a.b.c") == ["x", None, None]
    assert values_of(f"{name}:a.d") == ["1", "2", "3"]
    assert "'a.b'" in error_of(f"{name}:a.x").fix


def test_pipes_and_compressed_files(write, tmp_path):
    data = (tmp_path / write({"text": TEXTS})).read_bytes()
    assert values_of("-:text", format="parquet", stdin=io.BytesIO(data)) == TEXTS
    (tmp_path / "y.parquet.gz").write_bytes(gzip.compress(data))
    assert values_of("y.parquet.gz:text") == TEXTS


@pytest.mark.parametrize(
    ("field", "at", "problem"),
    [
        ("reff", None, "has no field 'reff': did you mean 'ref'"),
        (None, None, "has several columns: name one, as in x.parquet:FIELD (hyp, ref, n, x, s, l)"),
        ("n", "n", "has the type int64"),
        ("x", "x", "has the type double"),
        ("l", "l", "has the type list<"),
        ("s", "s", "has the type struct<"),
    ],
)
def test_mistakes(write, field, at, problem):
    name = write({"hyp": ["a"], "ref": ["b"], "n": [1], "x": [1.5], "s": [{"t": "u"}], "l": [[1]]})
    error = error_of(name if field is None else f"{name}:{field}")
    assert error.location == Location(file=name, field=at)
    assert f"{error.problem}: {error.fix}".startswith(problem)
    assert field != "s" or error.fix == "name one of its fields, as in x.parquet:s.t"


def test_what_is_no_parquet_or_has_no_such_column(write, tmp_path):
    twice = pyarrow.Table.from_arrays([pyarrow.array(["a"]), pyarrow.array(["b"])], ["x", "x"])
    for content in (b"", b"a text\n" * 10, pyarrow.table({"x": pyarrow.array([], STRING)}), twice):
        if isinstance(content, bytes):
            (tmp_path / "x.parquet").write_bytes(content)
        else:
            parquet.write_table(content, "x.parquet")
        assert error_of("x.parquet:x").location.file == "x.parquet"


def test_labels_may_be_numbers(write):
    name = write({"doc": [1, None, 2]})
    assert values_of(f"{name}:doc", labels=True) == ["1", None, "2"]


def test_broken_encoding(write):
    broken = pyarrow.Array.from_buffers(
        STRING, 3, [None, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"), pyarrow.py_buffer(b"a\xffb")]
    )
    name = write({"a": broken})
    assert error_of(name).location == Location(file=name, line=2)


def test_pyarrow_is_not_installed(write, monkeypatch):
    name = write({"a": TEXTS})
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"x\.parquet.*refscore\[arrow\]"):
        open_segments(name)


def whole(compression):
    sink = io.BytesIO()
    table = pyarrow.table({"a": ["a cat", None, "ü"] * 5, "b": [["x"], [], None] * 5})
    parquet.write_table(table, sink, compression=compression)
    return sink.getvalue()


@pytest.mark.parametrize("compression", ["none", "zstd"])
@examples(300)
@given(st.data())
def test_damaged_files(compression, data):
    damaged = bytearray(whole(compression))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    for field in ("a", "b"):
        with suppress(refscore.InputError):
            values_of(f"-:{field}", format="parquet", stdin=io.BytesIO(damaged))
