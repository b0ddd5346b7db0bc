"""BLEU compared with the oracle on inputs of other kinds and sizes than the shared corpora."""

import itertools

import numpy as np
import pytest

import refscore
from tests import strategies
from tests.differential import compare
from tests.originals.bleu import ORACLE
from tests.reference import bleu as oracle, tokenizers as oracle_tokenizers

SETTING = oracle.Settings()


def check(hypotheses, references, setting=SETTING):
    compare(ORACLE, hypotheses, references, setting=setting)


def test_settings_for_text_do_nothing_to_tokens():
    tokens = [["A.b", "&amp;", "e\u0301", "x y", "你好", ""]]
    for tokenizer in oracle_tokenizers.TOKENIZERS:
        metric = refscore.BLEU(tokenizer=tokenizer, lowercase=True, normalize="NFKC")
        changed = [[[token.lower() + "?" for token in tokens[0]]]]
        assert metric.corpus(tokens, [tokens]).value == 1.0
        assert metric.corpus(tokens, changed).counts == (0, 0, 0, 0)


class Word(str):
    """A user's token type, equal to the plain string."""


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches"),
    [
        ([1, 2, 3], [1.0, 2.0, 3.5], 2),
        ([True, False], [1, 0], 2),
        ([1, "1"], ["1", b"1"], 1),
        ([-1, -2], [-2, -2], 1),
        ([0, 2**61 - 1], [2**61 - 1, 2**61 - 1], 1),
        ([2**53 + 1], [2.0**53], 0),
        ([2**53], [2.0**53], 1),
        ([2**64, 2**64 + 1, 10**40], [0, 1, 10**40], 1),
        ([-1, 2**63], [2**64 - 1, -(2**63)], 0),
        ([(1, 2), ("a",)], [(1.0, 2), ("b",)], 1),
        ([Word("a"), "b"], ["a", Word("b")], 2),
        ([None, ()], [(), None], 2),
        ([np.int64(1), np.int32(2), np.uint8(3)], [1, 2, 3.0], 3),
        ([np.uint64(2**64 - 1)], [-1], 0),
        (np.array([2**64 - 1, 2**63], "uint64"), np.array([-1, -(2**63)]), 0),
        (np.array([2**64 - 1, 2**63], "uint64"), [2**64 - 1, 2**63], 2),
        ([np.str_("a"), "b"], ["a", np.str_("b")], 2),
        (["", " ", "a b"], ["", "a", "b"], 1),
        (["\ud800", "\udfff"], ["\ud800", "\ufffd"], 1),
        (["é"], ["e\u0301"], 0),
    ],
)
def test_equal_tokens_are_those_python_calls_equal(hypothesis, reference, matches):
    score = refscore.BLEU().segment(hypothesis, [reference])
    assert score.counts[0] == matches
    assert score.row.tolist() == oracle.row(SETTING, hypothesis, [reference])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_arrays_of_ids(dtype):
    batch = np.arange(40).reshape(5, 8).astype(dtype) % 7
    columns = [batch[:, i] for i in range(8)]  # not contiguous
    references = [
        [column[::-1], column.astype("int64"), column.tolist(), tuple(column.tolist()[1:])] for column in columns
    ]
    check(columns, references)
    check([column.tolist() for column in columns], references)


def test_padded_batches():
    batch = [[1, 2, 3, 4, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [5, 4, 3, 2, 1]]
    others = [[1, 2, 3, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [5, 4, 3, 1, 1]]

    def drop(rows):
        return [[token for token in row if token != 0] for row in rows]

    def padded(rows):
        return refscore.inputs.padded(np.array(rows), pad_id=0)

    expected = oracle.rows(SETTING, drop(batch), [[row] for row in drop(others)])
    metric = refscore.BLEU()
    assert metric.stats(padded(batch), padded(others)).tolist() == expected
    by_length = [refscore.inputs.padded(np.array(rows), lengths=list(map(len, drop(rows)))) for rows in (batch, others)]
    assert metric.stats(*by_length).tolist() == expected
    several = [list(rows) for rows in zip(others, batch, strict=True)]
    expected = oracle.rows(SETTING, drop(batch), list(map(drop, several)))
    assert metric.stats(padded(batch), padded(several)).tolist() == expected


def around(*sizes):
    return [size + step for size in sizes for step in (-1, 0, 1)]


LARGE = [pytest.param(size, marks=pytest.mark.slow) for size in around(128, 256, 512, 1024, 2048)]


@pytest.mark.parametrize("size", [*around(8, 16, 32, 64), *LARGE])
def test_around_the_sizes_where_algorithms_change(size):
    """The hypothesis, the longest reference, or all references together reach the size."""
    hypotheses, references = [], []
    for distinct, number in itertools.product((1, 2, 7, 10 * size), (1, 2, 3, 5)):
        cuts = [size * i // number for i in range(number + 1)]
        whole = strategies.random_tokens(number, size, distinct)
        parts = [whole[a:b] for a, b in itertools.pairwise(cuts)]
        copies = [strategies.noisy_copy(1, whole, other=-1), strategies.noisy_copy(2, parts[0], other=-1)]
        hypotheses += [*copies, whole, whole[: size // 2]]
        references += [parts, parts, [*parts[1:], whole], parts]
    for max_order in (1, 4, 6):
        check(hypotheses, references, oracle.Settings(max_order=max_order))


def test_many_references_and_segments_of_very_different_size():
    sizes = [0, 1, 2, 3000, 0, 5, 700, 1, 64, 65] * 2
    references = [[strategies.random_tokens(i, size, 30), [-1, 0]] for i, size in enumerate(sizes)]
    hypotheses = [strategies.noisy_copy(i, refs[0], other=-1) for i, refs in enumerate(references)]
    hypotheses.append(strategies.random_tokens(500, 30, 9))
    references.append([strategies.random_tokens(i, i % 40, 9) for i in range(300)])
    check(hypotheses, references, oracle.Settings(max_order=5))
