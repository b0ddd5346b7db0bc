"""Weighted sums are exact for any numbers, blocks and order."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from refscore.significance import sums
from refscore.significance.sums import SplitTables, StackedTables

FLOATS = st.floats(0, 1e6) | st.floats(0, 1e-200) | st.floats(0, 2.0**62)
COUNTS = st.integers(0, 100) | st.integers(0, 2**62)


def exact(table, weights):
    return [
        [float(sum(Fraction(weight) * Fraction(value) for weight, value in zip(row, column, strict=True)))
         for column in table.T.tolist()]
        for row in weights.tolist()
    ]  # fmt: skip


@given(
    st.sampled_from([(np.float64, FLOATS), (np.int64, COUNTS)]).flatmap(
        lambda kind: arrays.arrays(kind[0], st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=kind[1])
    ),
    st.integers(0, 2**32 - 1),
)
def test_sums_are_those_of_fractions(table, seed):
    units = len(table)
    # How often each is drawn: in total, as often as there are units.
    weights = np.random.default_rng(seed).multinomial(units, [1 / units] * units, size=3).astype(np.float64)
    ((found,),) = StackedTables([SplitTables([table])]).sums(weights)
    # Bits more than 60 below the largest number of a column may be lost. Columns below 2**-800 count as that large.
    lost = units * max(float(table.max()), 2.0**-800) * 2.0**-60
    assert found == pytest.approx(np.array(exact(table, weights)), rel=1e-15, abs=lost)


@pytest.mark.parametrize("cells", [1, 40, 10_000])
def test_neither_order_nor_pieces_show(cells, monkeypatch):
    generator = np.random.default_rng(1)
    tables = [generator.random((500, 3)) * [1, 1e9, 1e-9] for _ in range(2)]
    counts = [generator.integers(0, 60, (500, 5)) for _ in range(2)]
    weights = generator.multinomial(500, [1 / 500] * 500, size=70).astype(np.float64)
    plain = StackedTables([SplitTables(tables), SplitTables(counts)]).sums(weights)
    order = generator.permutation(500)
    monkeypatch.setattr(sums, "_WHOLE_CELLS", 0)
    monkeypatch.setattr(sums, "_PIECE_CELLS", cells)
    shuffled = [SplitTables([table[order] for table in group]) for group in (tables, counts)]
    for group, other in zip(plain, StackedTables(shuffled).sums(weights[:, order]), strict=True):
        for one, another in zip(group, other, strict=True):
            assert one.tobytes() == another.tobytes()
    assert np.array_equal(plain[1][0], weights.astype(np.int64) @ counts[0])


def test_counts_are_taken_as_they_are():
    assert SplitTables([np.full((1000, 2), 100)]).width == 2
    assert SplitTables([np.full((1000, 2), 100.0)]).width == 2
    assert SplitTables([np.full((1000, 2), [100, 0.1])]).width == 3
    assert SplitTables([np.full((1000, 1), 2**62)]).width == 2


@pytest.mark.parametrize("bits", [20, 25, 30])
def test_more_parts_do_not_show(bits, monkeypatch):
    """For columns that otherwise need two parts."""
    generator = np.random.default_rng(bits)
    table = generator.random((6, 3)) * [1, 1e9, 1e-9]
    table[:, 1] = np.floor(table[:, 1])
    weights = generator.multinomial(6, [1 / 6] * 6, size=20).astype(np.float64)
    assert SplitTables([table]).width == 5
    monkeypatch.setattr(sums, "_EXACT_BITS", bits)
    group = SplitTables([table, table * [0.5, 0, 1]])
    assert group.width == 3 * -(-60 // (bits - 3))
    (found,) = StackedTables([group]).sums(weights)
    assert found[0] == pytest.approx(np.array(exact(table, weights)), rel=1e-15)
    assert found[1] == pytest.approx(found[0] * [0.5, 0, 1], rel=1e-15)


def test_what_is_lost_is_half_of_the_last_bit_that_is_kept(monkeypatch):
    monkeypatch.setattr(sums, "_EXACT_BITS", 21)
    monkeypatch.setattr(sums, "_KEPT_BITS", 40)
    table = np.random.default_rng(1).random((2, 50))
    table[0] = 0.75  # the largest of each column may be 1
    group = SplitTables([table])
    parts = np.empty((2, group.width))
    group.split(table, 0, 2, parts)
    lost = np.abs(group.join(parts) - table)
    assert 2.0**-42 < lost.max() <= 2.0**-41


@pytest.mark.parametrize(("cells", "heights"), [(10, [1] * 7), (32, [1] * 7), (95, [2, 2, 2, 1]), (96, [3, 3, 1])])
def test_large_tables_come_in_pieces(cells, heights, monkeypatch):
    """With a limit on the cells; a row has 32."""
    monkeypatch.setattr(sums, "_WHOLE_CELLS", 64)
    monkeypatch.setattr(sums, "_PIECE_CELLS", cells)
    for units, expected in [(2, [2]), (7, heights)]:
        table = np.arange(units, dtype=np.float64)[:, None]
        pieces = list(StackedTables([SplitTables([table])])._pieces())
        assert [len(piece) for _, piece in pieces] == expected
        assert np.array_equal(np.concatenate([table[here] for here, _ in pieces]), table)
        assert np.array_equal(np.concatenate([piece[:, :1] for _, piece in pieces]), table)


@pytest.mark.parametrize(("columns", "width"), [(1, 32), (16, 32), (17, 64), (32, 64), (33, 96)])
def test_tables_are_filled_up_to_whole_tiles(columns, width):
    table = np.ones((2, columns))
    assert StackedTables([SplitTables([table, table])]).width == width


@pytest.mark.parametrize("cells", [2**19, 100])
def test_differences_add_up(cells, monkeypatch):
    monkeypatch.setattr(sums, "_WHOLE_CELLS", cells)
    monkeypatch.setattr(sums, "_PIECE_CELLS", cells)
    generator = np.random.default_rng(2)
    group = SplitTables([generator.random((50, 2)) for _ in range(3)])
    weights = generator.integers(0, 2, (9, 50)).astype(np.float64)
    (each,) = StackedTables([group]).part_sums(weights)
    (less,) = StackedTables([group], tables=[2, 1], minus=0).part_sums(weights)
    assert np.array_equal(less[0], each[2] - each[0])
    assert np.array_equal(less[1], each[1] - each[0])


@pytest.mark.parametrize("bits", range(40, 54))
@pytest.mark.parametrize("units", [2, 3, 4, 5, 9, 17, 32, 33, 500])
def test_sums_of_large_whole_numbers_are_rounded_once(bits, units):
    """The numbers are close to a power of two, so their sums exceed it."""
    generator = np.random.default_rng(bits)
    table = generator.integers(2**bits - 2 ** (bits - 6), 2**bits, (units, 3), endpoint=True)
    weights = generator.multinomial(units, [1 / units] * units, size=20)
    ((found,),) = StackedTables([SplitTables([table])]).sums(weights.astype(np.float64))
    assert found.tolist() == (weights.astype(object) @ table.astype(object)).astype(np.float64).tolist()
