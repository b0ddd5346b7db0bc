"""Sums of rows are exact: compared with fractions, with equal bits for any order, split, grouping and thread count."""

import copy
import math
import pickle
import random
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.metrics import GroupedRowSum, RowSum, sum_rows, sum_rows_by
from tests.examples import examples

FLOAT, INT = np.dtype(np.float64), np.dtype(np.int64)
SMALLEST, LARGEST = 5e-324, sys.float_info.max

# All finite doubles, doubles at the ends of the range, halfway between two others, and of the size of scores.
doubles = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, SMALLEST, -SMALLEST, sys.float_info.min, LARGEST, -LARGEST]),
    st.builds(math.ldexp, st.integers(-(2**53), 2**53), st.integers(-1074, 970)),
    st.floats(0, 1),
)
columns = st.integers(0, 3)


@st.composite
def tables(draw, numbers=doubles, most=40):
    width = draw(columns)
    return draw(st.lists(st.lists(numbers, min_size=width, max_size=width), max_size=most)), width


def exactly(numbers):
    """Return the sum, rounded once: Python divides integers correctly."""
    total = sum(map(Fraction, numbers), Fraction(0))
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def total_of(rows, width, row_type=FLOAT):
    total = RowSum(width, row_type)
    total.add(np.asarray(rows, dtype=row_type).reshape(len(rows), width))
    return total


@given(tables())
@examples(400)
def test_floats_are_rounded_once(table):
    rows, width = table
    row = total_of(rows, width).row
    assert row.dtype == FLOAT and row.shape == (width,)
    assert row.tolist() == [exactly(column) for column in (zip(*rows, strict=True) if rows else [()] * width)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([1.0, 2.0**-53], 1.0),  # a tie goes to the even neighbour
        ([1.0 + 2.0**-52, 2.0**-53], 1.0 + 2.0**-51),
        ([1.0, 2.0**-53, SMALLEST], 1.0 + 2.0**-52),
        ([1.0, 2.0**-53, -SMALLEST], 1.0),
        ([SMALLEST, SMALLEST], 2 * SMALLEST),
        ([sys.float_info.min, -SMALLEST], sys.float_info.min - SMALLEST),
        ([LARGEST, LARGEST, -LARGEST], LARGEST),
        ([LARGEST, LARGEST], math.inf),
        ([-LARGEST, -LARGEST], -math.inf),
        ([LARGEST, math.ldexp(1, 970)], math.inf),  # halfway to the next double, which does not exist
        ([LARGEST, math.ldexp(1, 970), -SMALLEST], LARGEST),
        ([1e308, 1.0, -1e308], 1.0),
        ([-0.0], 0.0),
        ([], 0.0),
    ],
)
def test_edges(numbers, expected):
    assert total_of([[number] for number in numbers], 1).row.tolist() == [expected]
    assert exactly(numbers) == expected


@given(tables(most=30), st.randoms(use_true_random=False), st.data())
def test_any_order_and_any_split(table, shuffler, data):
    rows, width = table
    whole = total_of(rows, width)
    shuffled = list(rows)
    shuffler.shuffle(shuffled)
    cut = data.draw(st.integers(0, len(rows)))
    parts = [total_of(shuffled[:cut], width), total_of(shuffled[cut:], width)]
    one_by_one = RowSum(width, FLOAT)
    for row in shuffled:
        one_by_one.add(row)
    merged = parts[0].copy()
    merged.merge(parts[1])
    parts[1].merge(parts[0])
    for other in (merged, parts[1], one_by_one, pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole)):
        assert other == whole
        assert other.to_bytes() == whole.to_bytes()
        assert other.row.tobytes() == whole.row.tobytes()


@given(tables(), st.data())
def test_groups(table, data):
    rows, width = table
    groups = data.draw(st.integers(1, 4))
    codes = np.array(data.draw(st.lists(st.integers(0, groups - 1), min_size=len(rows), max_size=len(rows))), dtype=int)
    array = np.array(rows, dtype=FLOAT).reshape(len(rows), width)
    whole = GroupedRowSum(groups, width, FLOAT)
    whole.add(array, codes)
    assert whole.rows.tobytes() == sum_rows_by(array, codes, groups).tobytes()
    for group in range(groups):
        alone = total_of(array[codes == group], width)
        assert whole.rows[group].tobytes() == alone.row.tobytes()
        assert whole.to_parts()[group] == alone.to_bytes()

    # In two parts, with groups numbered in opposite order.
    cut = data.draw(st.integers(0, len(rows)))
    part, merged = GroupedRowSum(groups, width, FLOAT), GroupedRowSum(groups, width, FLOAT)
    part.add(array[:cut], groups - 1 - codes[:cut])
    merged.add(array[cut:], codes[cut:])
    merged.merge(part, np.arange(groups)[::-1])
    assert merged == whole == pickle.loads(pickle.dumps(whole)) == whole.copy()


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=50))
def test_integers(numbers):
    total = total_of([[number] for number in numbers], 1, INT)
    if -(2**63) <= sum(numbers) < 2**63:
        assert total.row.dtype == INT and total.row.tolist() == [sum(numbers)]
        assert sum_rows(np.array(numbers, dtype=INT).reshape(-1, 1)).tolist() == [sum(numbers)]
        assert pickle.loads(pickle.dumps(total)) == total
    else:
        with pytest.raises(refscore.InputError):
            _ = total.row


def test_many_rows():
    """Carries happen many times, in one group and in many, and when a sum is doubled."""
    generator = np.random.default_rng(3)
    rows = generator.random((30_000, 3)) * np.array([1.0, 1e-30, 40.0]) - np.array([0.0, 0.0, 20.0])
    codes = generator.integers(0, 7, len(rows))
    assert sum_rows(rows).tolist() == [math.fsum(column) for column in rows.T.tolist()]
    expected = [[math.fsum(column) for column in rows[codes == group].T.tolist()] for group in range(7)]
    assert sum_rows_by(rows, codes, 7).tolist() == expected
    assert sum_rows_by(np.asfortranarray(rows), codes.astype(np.uint8), 7).tolist() == expected
    total = total_of([[0.1, -3.0]], 2)
    for _ in range(200):
        total.merge(total.copy())
    assert total.row.tolist() == [math.ldexp(0.1, 200), math.ldexp(-3.0, 200)]


@given(tables(most=5), st.data())
def test_bytes_are_checked(table, data):
    """Everything that can be read without an error is written back unchanged."""
    rows, width = table
    written = bytearray(total_of(rows, width).to_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(written)))
        written[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    for row_type in (FLOAT, INT):
        try:
            total = RowSum.from_bytes(bytes(written), width, row_type)
        except refscore.InputError:
            continue
        assert total.to_bytes() == bytes(written)
        assert total.row.shape == (width,)


def test_bytes_that_no_sum_has():
    broken = [
        b"",
        b"\0\0",
        b"\0\0\0\0",
        b"\1\0\0",
        b"\0\1\0",
        b"\2\x22\1\1\0\0\0",
        b"\0\x22\1\0\0\0\0",
        b"\0\0\1\1\0\0\0",
    ]
    for data, row_type in [*((data, FLOAT) for data in broken), (total_of([[0.5]], 1).to_bytes(), INT)]:
        with pytest.raises(refscore.InputError):
            RowSum.from_bytes(data, 1, row_type)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite(bad):
    total = total_of([[1.0, 2.0]], 2)
    with pytest.raises(refscore.InputError) as caught:
        total.add([[1.0, 2.0], [3.0, bad], [bad, bad]])
    assert (caught.value.location.side, caught.value.location.segment) == ("rows", 1)
    assert total.row.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("rows", [[[1.0]], [[1, 2, 3]], [["a", "b"]], [[[1, 2]]], 3.0, [[None, 1]]])
def test_rows_of_other_shapes_and_types(rows):
    for total in (RowSum(2, FLOAT), RowSum(2, INT)):
        with pytest.raises(refscore.InputError):
            total.add(rows)


def test_counts_are_no_fractions():
    with pytest.raises(refscore.InputError):
        RowSum(2, INT).add([[1.0, 2.0]])
    with pytest.raises(refscore.InputError):
        RowSum(1, INT).add(np.array([[2**63]], dtype=np.uint64))
    total = RowSum(1, FLOAT)
    total.add(np.array([[2**53 + 1], [1]]))  # as integers, and so exactly
    assert total.row.tolist() == [2.0**53 + 2]


def test_what_does_not_belong_together():
    total = RowSum(2, FLOAT)
    for other in (RowSum(2, INT), RowSum(3, FLOAT), GroupedRowSum(1, 2, FLOAT)):
        assert total != other
        with pytest.raises(ValueError, match="merged"):
            total.merge(other)
    with pytest.raises(ValueError, match="int64 or float64"):
        RowSum(2, np.dtype(np.float32))
    totals = GroupedRowSum(2, 1, FLOAT)
    for codes in ([0, 2], [-1, 0], [0]):
        with pytest.raises(ValueError, match="code"):
            totals.add([[1.0], [2.0]], np.array(codes))
    with pytest.raises(TypeError):
        totals.add([[1.0], [2.0]], np.array([0.5, 1.0]))
    assert totals.rows.tolist() == [[0.0], [0.0]]
    for rows in ([1.0, 2.0], 3.0):
        with pytest.raises(refscore.InputError):
            sum_rows(rows)


# Metrics whose rows are fractions or counts, on segments whose plain sum depends on the order.
WORDS = ["".join(random.Random(i).choices("abcdefgh", k=1 + i % 7)) for i in range(200)]
METRICS = {
    "rouge": refscore.ROUGE(variant="L"),
    "ter": refscore.TER(),
    "ribes": refscore.RIBES(empty_reference="skip"),
    "meteor": refscore.METEOR(),
    "character_ter": refscore.CharacTER(),
    "accuracy": refscore.Accuracy.preset("vqa"),
    "edit_similarity": refscore.EditSimilarity(),
    "eed": refscore.EED(),
    "nist": refscore.NIST(),
    "bleu": refscore.BLEU(),
    "bleu of mean lengths": refscore.BLEU(reference_length="average"),
    "chrf": refscore.CHRF(average="macro"),
}


@pytest.fixture(scope="module")
def segments():
    generator = random.Random(17)
    hypotheses, references = [], []
    for _ in range(4_000):
        words = generator.choices(WORDS, k=generator.randint(1, 9))
        others = [
            generator.choices(words + WORDS[:5], k=generator.randint(1, 9)) for _ in range(generator.randint(1, 3))
        ]
        hypotheses.append(" ".join(words))
        references.append([" ".join(other) for other in others])
    return hypotheses, references


@pytest.mark.parametrize("name", METRICS)
def test_corpora(name, segments):
    """The sum of all segments at once, and in parts. test_common.py has other orders and numbers of threads."""
    hypotheses, references = segments
    metric = METRICS[name]
    if name == "nist":
        metric = metric.fit(references)
    rows = metric.stats(hypotheses, references)
    row = metric.corpus(hypotheses, references).row
    assert row.dtype == metric.row_type == (INT if name == "bleu" else FLOAT)
    assert row.tolist() == [math.fsum(column) for column in rows.T.tolist()]
    total = RowSum(len(metric.columns), metric.row_type)
    counts = set()
    for begin in range(0, len(hypotheses), 601):
        part = slice(begin, begin + 601)
        counts |= set(metric.kernel.total_into(hypotheses[part], references[part], 0, total.native))
    assert total.row.tobytes() == row.tobytes()
    assert counts == {1, 3}
    assert metric.kernel.total_into([], [], 1, total.native) == (0, 0)


def test_a_failed_call_adds_nothing():
    metric = refscore.RIBES()
    total = RowSum(len(metric.columns), metric.row_type)
    metric.kernel.total_into(["a b"], [["a b"]], 1, total.native)
    before = total.to_bytes()
    with pytest.raises(Exception, match="0"):
        metric.kernel.total_into(["a b"] * 200, [["a b"]] * 199 + [[""]], 2, total.native)
    assert total.to_bytes() == before
    for wrong in (RowSum(2, FLOAT), GroupedRowSum(2, len(metric.columns), FLOAT)):
        with pytest.raises(ValueError, match=r"columns|one group"):
            metric.kernel.total_into(["a b"], [["a b"]], 1, wrong.native)


@pytest.mark.parametrize("count", [1, 511, 512, 513, 5000])
def test_many_rows_of_zeros(count):
    """Add more terms than can wait for a carry, before any limb exists."""
    for number in (0.0, -0.0):
        assert sum_rows(np.full((count, 2), number)).tolist() == [0, 0]
        total = total_of([[number]] * count, 1)
        total.add([0.5])
        assert total.row.tolist() == [0.5]
    assert sum_rows_by(np.zeros((count, 2)), np.zeros(count, "int64"), 3).tolist() == [[0, 0]] * 3
    assert refscore.ter([""] * count, [""] * count).row.tolist() == [0, 0]
