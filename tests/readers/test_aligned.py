"""Inputs that correspond, read together."""

import io
import tracemalloc
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.readers import corresponding, open_segments


def text(lines, **options):
    return open_segments("-", stdin=io.BytesIO("".join(f"{line}\n" for line in lines).encode()), **options)


def message(readers):
    with ExitStack() as stack, pytest.raises(refscore.InputError) as caught:
        list(corresponding([stack.enter_context(reader) for reader in readers]))
    return str(caught.value)


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
        blocks = list(corresponding([text(column) for column in columns]))
    assert all(len({len(part) for part in parts}) == 1 and parts[0] for parts in blocks)
    assert [[value for parts in blocks for value in parts[index]] for index in range(readers)] == columns


def test_no_readers():
    assert list(corresponding([])) == []


@pytest.mark.parametrize("first", [2, 5])
def test_different_lengths(first):
    second = 7 - first
    assert message([text("abcde"[:first]), text("abcde"[:second])]) == (
        f"standard input has {second} lines but standard input has {first} lines: they have to correspond line by line "
        "(the first without a counterpart is standard input, line 3)"
    )


def test_files_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hyp.txt").write_text("a\nb\n")
    (tmp_path / "ref.tsv").write_text("id\tref\n1\ta\n")
    assert message([open_segments("hyp.txt"), open_segments("hyp.txt"), open_segments("ref.tsv:ref")]) == (
        "ref.tsv:ref has 1 row but hyp.txt has 2 lines: they have to correspond segment by segment "
        "(the first without a counterpart is hyp.txt, line 2)"
    )
    assert message([open_segments("ref.tsv:ref"), open_segments("hyp.txt"), open_segments("ref.tsv:2")]) == (
        "hyp.txt has 2 lines but ref.tsv:ref has 1 row: they have to correspond segment by segment "
        "(the first without a counterpart is hyp.txt, line 2)"
    )


def test_the_rest_is_counted(monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 16)
    assert message([text("a"), text(["a"] * 100_000)]).startswith(
        "standard input has 100,000 lines but standard input has 1 line: they have to correspond line by line "
    )


def test_values_come_before_the_mistake():
    blocks = corresponding([text("abc"), text("ab")])
    assert next(blocks) == (["a", "b"], ["a", "b"])
    with pytest.raises(refscore.InputError):
        next(blocks)


def test_little_is_held_when_lines_differ_much_in_length(monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 1 << 16)
    count = 3000
    readers = [text(["a"] * count), text(["b" * 100] * count), text(["c" * 2000] * count)]
    tracemalloc.start()
    seen = sum(len(parts[0]) for parts in corresponding(readers))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen == count
    assert peak < 2_000_000
