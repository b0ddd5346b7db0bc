"""Corresponding inputs, read together."""

import io
import re
import tracemalloc
from contextlib import ExitStack

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.errors import Location
from refscore.readers import open_segments, read_aligned


def text(lines, **options):
    return open_segments("-", stdin=io.BytesIO("".join(f"{line}\n" for line in lines).encode()), **options)


def error_of(readers):
    with ExitStack() as stack, pytest.raises(refscore.InputError) as caught:
        list(read_aligned([stack.enter_context(reader) for reader in readers]))
    return caught.value


@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=3), min_size=1, max_size=40),
    st.integers(1, 4),
    st.integers(1, 64),
)
def test_values_side_by_side(lengths, readers, block):
    columns = [
        ["x" * lengths[row][column % len(lengths[row])] for row in range(len(lengths))] for column in range(readers)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        blocks = list(read_aligned([text(column) for column in columns]))
    assert all(len({len(part) for part in parts}) == 1 and parts[0] for parts in blocks)
    assert [[value for parts in blocks for value in parts[index]] for index in range(readers)] == columns


@pytest.mark.parametrize(("first", "second"), [(2, 5), (5, 2), (1, 100_000)])
def test_different_lengths(first, second, monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 16)
    error = error_of([text(["a"] * first), text(["a"] * second)])
    assert error.location == Location(file="standard input", line=min(first, second) + 1)
    assert re.search(rf"\b{second:,} lines but standard input has {first:,} lines?;", error.fix)  # all are counted
    assert list(read_aligned([])) == []


def test_files_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hyp.txt").write_text("a\nb\n")
    (tmp_path / "ref.tsv").write_text("n\tanswer\n1\ta\n")
    for specs in [("hyp.txt", "hyp.txt", "ref.tsv:answer"), ("ref.tsv:answer", "hyp.txt", "ref.tsv:2")]:
        error = error_of(map(open_segments, specs))
        assert error.location == Location(file="hyp.txt", line=2)
        assert error.problem == "has no counterpart in ref.tsv:answer"
        assert "1 row" in error.fix and "2 lines" in error.fix


def test_values_come_before_the_mistake():
    blocks = read_aligned([text("abc"), text("ab")])
    assert next(blocks) == (["a", "b"], ["a", "b"])
    with pytest.raises(refscore.InputError):
        next(blocks)


def test_little_is_held_when_lines_differ_much_in_length(monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 1 << 16)
    count = 3000
    readers = [text(["a"] * count), text(["b" * 100] * count), text(["c" * 2000] * count)]
    tracemalloc.start()
    seen = sum(len(parts[0]) for parts in read_aligned(readers))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen == count
    assert peak < 2_000_000
