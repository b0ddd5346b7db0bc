"""Arrow columns of any producer score like lists, and errors name the row."""

import ctypes
import gc
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import _native
from refscore.errors import Location
from refscore.inputs import Beside
from tests.strategies import id_corpora, text_corpora, word_corpora
from tests.test_common import SCORES_TOKENS, instances, make_corpus

every_metric = pytest.mark.parametrize(("name", "metric"), list(instances()))

STRINGS = [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()), pa.string_view()]
LISTS = [pa.list_, pa.large_list, *([pa.list_view] if hasattr(pa, "list_view") else [])]


def chunked(values, kind, cuts=(1, 4)):
    """Return the values in chunks, each a slice of a longer array."""
    bounds = [0, *(cut for cut in cuts if cut < len(values)), len(values)]
    longer = pa.array([values[0], *values, values[-1]], kind)
    return pa.chunked_array([longer.slice(1 + a, b - a) for a, b in pairwise(bounds)], kind)


def as_lists(references):
    return [[entry] if isinstance(entry, str) else list(entry) for entry in references]


def no_surrogates(text):
    return text.encode("utf-8", "replace").decode()


@every_metric
def test_every_metric_reads_columns_as_it_reads_lists(name, metric):
    hypotheses, references = make_corpus(name, metric, 20)
    first = [entry[0] for entry in as_lists(references)]
    expected, expected_first = metric.stats(hypotheses, references), metric.stats(hypotheses, first)
    for kind in STRINGS:
        column = chunked(hypotheses, kind)
        np.testing.assert_array_equal(metric.stats(column, chunked(first, kind)), expected_first)
        np.testing.assert_array_equal(metric.stats(column, chunked(as_lists(references), pa.list_(kind))), expected)
    for make in LISTS:
        column = chunked(as_lists(references), make(pa.string()))
        np.testing.assert_array_equal(metric.stats(pa.array(hypotheses), column), expected)
        assert metric.corpus(hypotheses, column) == metric.corpus(hypotheses, references)
        np.testing.assert_array_equal(metric.stats(hypotheses, metric.prepare(column)), expected)
        np.testing.assert_array_equal(metric.stats(pa.array(hypotheses), references), expected)
    np.testing.assert_array_equal(
        metric.pairwise(pa.array(hypotheses), pa.array(first)), metric.pairwise(hypotheses, first)
    )


@pytest.mark.parametrize(
    ("name", "metric"), [param for param in instances() if SCORES_TOKENS[param.values[0]](param.values[1])]
)
def test_every_metric_reads_tokens_in_columns(name, metric):
    if metric.needs_sources:
        return  # tests/test_sources.py
    hypotheses, references = make_corpus(name, metric, 20)
    tokens = [text.split() or ["."] for text in hypotheses]
    several = [[text.split() or ["."] for text in entry] for entry in as_lists(references)]
    expected = metric.stats(tokens, several)
    first = metric.stats(tokens, [entry[:1] for entry in several])
    for make in LISTS:
        column = chunked(tokens, make(pa.large_string()))
        np.testing.assert_array_equal(metric.stats(column, chunked(several, make(make(pa.large_string())))), expected)
        # One reference each, of the same type as the hypotheses.
        np.testing.assert_array_equal(metric.stats(column, chunked([e[0] for e in several], make(pa.string()))), first)


@given(text_corpora, st.sampled_from(STRINGS))
def test_awkward_text(corpus, kind):
    hypotheses = [no_surrogates(text) for text in corpus[0]]
    references = [[no_surrogates(text) for text in entry] for entry in corpus[1]]
    for metric in (refscore.BLEU(lowercase=True), refscore.CHRF(word_order=2), refscore.TER(tokenizer="tercom-norm")):
        expected = metric.stats(hypotheses, references)
        np.testing.assert_array_equal(
            metric.stats(pa.array(hypotheses, kind), pa.array(references, pa.list_(kind))), expected
        )


INTEGERS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
TOKENS = st.one_of(
    st.tuples(word_corpora, st.just(pa.string())), *(st.tuples(id_corpora, st.just(kind)) for kind in INTEGERS)
)


@given(TOKENS)
def test_awkward_tokens(drawn):
    (hypotheses, references), kind = drawn
    metric = refscore.BLEU(max_order=2)
    column, several = pa.array(hypotheses, pa.list_(kind)), pa.array(references, pa.list_(pa.list_(kind)))
    np.testing.assert_array_equal(metric.stats(column, several), metric.stats(hypotheses, references))
    first = [entry[0] for entry in references]
    expected = metric.stats(hypotheses, [[tokens] for tokens in first])
    np.testing.assert_array_equal(metric.stats(column, pa.array(first, pa.list_(kind))), expected)


def test_ids_of_fixed_length():
    metric = refscore.BLEU(max_order=2)
    column = pa.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], pa.list_(pa.int32(), 3)).slice(1)
    np.testing.assert_array_equal(
        metric.stats(column, column), metric.stats([[4, 5, 6], [7, 8, 9]], [[[4, 5, 6]], [[7, 8, 9]]])
    )


def test_lists_without_any_token_are_of_no_kind():
    metric = refscore.WER()
    empty = pa.array([[], []], pa.list_(pa.null()))
    for other in ([["a"], ["b"]], [[1], [2]]):
        np.testing.assert_array_equal(
            metric.stats(empty, pa.array(other)), metric.stats([[], []], [[other[0]], [other[1]]])
        )
    np.testing.assert_array_equal(metric.stats(empty, empty), metric.stats([[], []], [[[]], [[]]]))


def test_columns_of_nulls():
    """Polars has a buffer where pyarrow has none."""
    import polars as pl

    for column in (pa.nulls(2), pl.Series([None, None]), pl.DataFrame({"a": [None, None]})):
        for sides, side in [((column, ["a", "b"]), "hypotheses"), ((["a", "b"], column), "references")]:
            with pytest.raises(refscore.InputError) as caught:
                refscore.bleu(*sides)
            assert caught.value.location == Location(side, segment=0)
    nulls = pl.Series([[None], [None]])
    with pytest.raises(refscore.InputError) as caught:
        refscore.bleu(["a", "b"], nulls)
    assert caught.value.location == Location("references", segment=0)
    assert refscore.bleu(["a", "b"], Beside((pl.Series(["a", "b"]), nulls)), max_order=1).value == 1


def test_missing_references():
    metric = refscore.BLEU()
    hypotheses = pa.array(["a b c d", "e f g h"])
    references = pa.array([["a b c d", None], [None, "e f", "e f g h"]])
    assert metric.corpus(hypotheses, references) == metric.corpus(
        ["a b c d", "e f g h"], [["a b c d"], ["e f", "e f g h"]]
    )
    beside = Beside([pa.array(["a b c d", None]), pa.array([None, "e f g h"])])
    assert metric.corpus(hypotheses, beside) == metric.corpus(["a b c d", "e f g h"], ["a b c d", "e f g h"])


def test_tables_of_one_column():
    metric = refscore.BLEU()
    table = pa.table({"h": ["a b c d", "e f g h"]})
    assert metric.corpus(table, table) == metric.corpus(table["h"], table["h"])
    assert metric.corpus(table.to_batches()[0].slice(1), table.slice(1)) == metric.corpus(["e f g h"], ["e f g h"])
    assert metric.corpus(table.to_reader(), table) == metric.corpus(table, table)


def test_a_stream_is_read_once_for_several_metrics():
    table = pa.table({"h": ["a b c d", "e f g h"]})
    found = refscore.scores(table.to_reader(), table.to_reader(), ["bleu", "chrf", "nist"])
    assert found == refscore.scores(["a b c d", "e f g h"], ["a b c d", "e f g h"], ["bleu", "chrf", "nist"])


def test_no_rows():
    metric = refscore.BLEU()
    empty = pa.array([], pa.string())
    assert metric.stats(empty, empty).shape == (0, len(metric.columns))
    with pytest.raises(refscore.InputError, match="hypotheses is empty"):
        metric.corpus(pa.chunked_array([], pa.string()), empty)


def test_sets_of_texts():
    texts = ["a b c d e", "a b c d f", "x y"]
    assert refscore.metrics.self_bleu(pa.array(texts)) == refscore.metrics.self_bleu(texts)
    assert refscore.metrics.distinct_n(pa.array(texts)) == refscore.metrics.distinct_n(texts)


def array_of(kind, length, buffers):
    return pa.Array.from_buffers(kind, length, [None if b is None else pa.py_buffer(b) for b in buffers])


BROKEN_UTF8 = array_of(pa.string(), 2, [None, np.array([0, 1, 3], "i4").tobytes(), b"a\xff\xfe"])

MISTAKES = [
    (["a", None], ["a", "b"], Location("hypotheses", 1)),
    (["a", "b"], ["a", None], Location("references", 1)),
    (["a", "b"], [["a"], []], Location("references", 1)),
    (["a", "b"], [["a"], [None]], Location("references", 1)),
    (["a", "b"], [["a"], None], Location("references", 1)),
    ([[1], [2, None]], [[1], [2]], Location("hypotheses", 1, token=1)),
    ([["a"]], [[["a"], ["b", None]]], Location("references", 0, 1, token=1)),
    ([1, 2], ["a", "b"], Location("hypotheses")),
    ([0.5], ["a"], Location("hypotheses")),
    ([b"a"], ["a"], Location("hypotheses")),
    (["a"], [[0.5]], Location("references")),
    ([[["a"]]], ["a"], Location("hypotheses")),
    (["a", "b"], ["a"], None),
    (["a"], [[1]], Location("references", 0, 0)),
    ([["a"]], ["a"], Location("references", 0)),
]


@pytest.mark.parametrize(("hypotheses", "references", "location"), MISTAKES)
def test_mistakes(hypotheses, references, location):
    with pytest.raises(refscore.InputError) as raised:
        refscore.bleu(pa.array(hypotheses), pa.array(references))
    assert raised.value.location == location
    assert raised.value.problem and raised.value.fix


TWO = pa.array(["a", "b"])
LISTS_OF_NOTHING = pa.array([[[]], [[]]], pa.list_(pa.list_(pa.null())))
# Columns that lists cannot express, and the location of the error.
ONLY_IN_COLUMNS = [
    (BROKEN_UTF8, TWO, "hypotheses[1]"),
    (TWO[:1], pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), BROKEN_UTF8), "references[0][1]"),
    (pa.table({"a": TWO, "b": TWO}), TWO, "hypotheses"),
    (pa.array([[2**63]], pa.list_(pa.uint64())), pa.array([[1]]), "hypotheses"),
    (TWO, Beside([TWO, TWO[:1]]), "references"),
    (TWO, Beside([TWO, pa.array([[1], [2]])]), "references"),
    (TWO, Beside([TWO, LISTS_OF_NOTHING]), "references"),
    (TWO, Beside([LISTS_OF_NOTHING, TWO]), "references"),
    (TWO, LISTS_OF_NOTHING, "references[0][0]"),
    (pa.array([[], []], pa.list_(pa.null())), TWO, "references[0]"),
]


@pytest.mark.parametrize(("hypotheses", "references", "location"), ONLY_IN_COLUMNS)
def test_mistakes_that_lists_cannot_have(hypotheses, references, location):
    with pytest.raises(refscore.InputError) as raised:
        refscore.bleu(hypotheses, references)
    assert str(raised.value.location) == location


def test_unused_values_may_be_invalid():
    assert refscore.bleu(BROKEN_UTF8.slice(0, 1), TWO[:1]) == refscore.bleu(["a"], ["a"])


def test_empty_references():
    for references, reference in [(["a", ""], None), ([["a"], ["b", None, ""]], 2)]:
        with pytest.raises(refscore.errors.EmptyReferenceError) as raised:
            refscore.ribes(TWO, pa.array(references))
        assert raised.value.location == Location("references", segment=1, reference=reference)


def test_a_stream_that_fails():
    def batches():
        yield pa.record_batch({"h": ["a"]})
        raise OSError("the disk is gone\nand more")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"h": pa.string()}), batches())
    with pytest.raises(refscore.InputError, match="the disk is gone") as raised:
        refscore.bleu(reader, ["a"])
    assert raised.value.location == Location("hypotheses")


class Producer:
    """Export any object as Arrow data."""

    def __init__(self, given):
        self.given = given

    def __arrow_c_array__(self, requested_schema=None):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


def capsule(name):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(MEMORY), name, None)


MEMORY = ctypes.create_string_buffer(256)  # zeros: a released structure
SCHEMA_NAME, ARRAY_NAME, OTHER_NAME = (ctypes.c_char_p(name) for name in (b"arrow_schema", b"arrow_array", b"other"))


@pytest.mark.parametrize(
    "given",
    [None, (), (1, 2), "ab", (capsule(OTHER_NAME), capsule(OTHER_NAME)), (capsule(SCHEMA_NAME), capsule(ARRAY_NAME))],
)
def test_what_is_no_arrow_data(given):
    with pytest.raises(refscore.InputError) as raised:
        refscore.bleu(Producer(given), ["a"])
    assert raised.value.location == Location("hypotheses")


def test_data_can_be_taken_once():
    taken = pa.array(["a b c d"]).__arrow_c_array__()
    assert refscore.bleu(Producer(taken), ["a b c d"]).value == 1
    with pytest.raises(refscore.InputError, match="released"):
        refscore.bleu(Producer(taken), ["a b c d"])


def test_errors_of_producers():
    with pytest.raises(refscore.InputError, match=r"hypotheses .*: no way$"):
        refscore.bleu(Producer(RuntimeError("no way\nat all")), ["a"])


@pytest.mark.slow
def test_memory_is_given_back_and_text_is_not_copied():
    gc.collect()
    before = pa.total_allocated_bytes()
    column = pa.array(["a small cat on the mat " * 10] * 20_000)
    size = column.nbytes
    for _ in range(3):
        refscore.BLEU().stats(column, column)
    kept = _native.ArrowColumns([column], "hypotheses", are_references=False, of_tokens=False, threads=1)
    assert pa.total_allocated_bytes() - before < 1.1 * size
    del column
    gc.collect()
    assert pa.total_allocated_bytes() - before >= size
    assert kept[19_999] == "a small cat on the mat " * 10
    del kept
    gc.collect()
    assert pa.total_allocated_bytes() - before < size / 10
