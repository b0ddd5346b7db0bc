"""Every kind of hypotheses, references and sources gives the numbers of plain lists, for every kind of metric."""

from collections import deque
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import refscore
from refscore.inputs import Beside
from tests.test_inputs import Column, Tensor
from tests.test_sources import Copied

TEXTS = ["a cat sat on the mat", "it rained all day", "nobody came here"]
FIRST = ["the cat sat on a mat", "it rains all day", "no one came here"]
SECOND = ["a cat sat down", "all day it rained", "nobody was here"]
SOURCES = ["the cat perched on the mat", "it was raining all day", "nobody came at all"]

VOCABULARY = " ".join([*TEXTS, *FIRST, *SECOND, *SOURCES]).split()
NUMBERS = {word: number for number, word in enumerate(dict.fromkeys(VOCABULARY), 1)}
FORMS = {
    "text": str,
    "words": str.split,
    "ids": lambda text: [NUMBERS[word] for word in text.split()],
}


def series(items):
    return pd.Series(items, dtype=object)


def chunks(items):
    return pa.chunked_array([items[:1], items[1:]])


def reader(items):
    return pa.table({"column": items}).to_reader()


def rectangle(items):
    return np.array([[*ids, *[0] * (8 - len(ids))] for ids in items], "int32")


def batch(items):
    return refscore.inputs.padded(rectangle(items), pad_id=0)


def batch_of_lengths(items):
    return refscore.inputs.padded(Tensor(rectangle(items)), lengths=[*map(len, items)])


def arrays(items):
    return [*map(np.array, items)]


def tensors(items):
    return [*map(Tensor, items)]


COLUMNS = [pa.array, chunks, reader]
ANY = [list, tuple, iter, deque, Column, series, *COLUMNS]
# The kinds of hypotheses and sources, by the form of a segment.
SINGLE = {"text": [*ANY, np.array], "words": ANY, "ids": [*ANY, arrays, tensors, batch, batch_of_lengths]}
# The kinds of references: one per segment, and two per segment. A list has to hold lists of token sequences, but a
# column of token sequences has one reference per segment if the hypotheses are tokens.
ONE = {"text": SINGLE["text"], "words": COLUMNS, "ids": [*COLUMNS, batch, batch_of_lengths]}


def beside(pairs):
    return Beside(map(pa.array, zip(*pairs, strict=True)))


def nested_arrays(pairs):
    return [*map(arrays, pairs)]


def batch_of_pairs(pairs):
    return refscore.inputs.padded(np.stack([*map(rectangle, zip(*pairs, strict=True))], 1), pad_id=0)


TWO = {"text": [*ANY, beside], "words": [*ANY, beside], "ids": [*ANY, beside, nested_arrays, batch_of_pairs]}

METRICS = {
    "bleu": refscore.BLEU(max_order=2),
    "through Python": refscore.BLEU(max_order=2, lowercase=True),
    "fitted": refscore.NIST(max_order=2),
    "alignment": refscore.WER(),
    "sources": refscore.SARI(max_order=2, lowercase=False),
    "sources in Python": Copied(),
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_every_kind_on_every_side(metric, form, count):
    texts, first, second, sources = ([*map(FORMS[form], side)] for side in (TEXTS, FIRST, SECOND, SOURCES))
    entries = [[*entry] for entry in (zip(first, second, strict=True) if count == 2 else zip(first, strict=True))]
    fitted = metric.fit(entries) if metric.needs_fit else metric
    expected = metric.corpus(texts, entries, sources=sources)
    rows = fitted.stats(texts, entries, sources=sources).tolist()
    kinds = (TWO if count == 2 else ONE)[form]
    given = entries if count == 2 else first
    for make, make_references, make_sources in product(
        SINGLE[form], kinds, SINGLE[form] if metric.needs_sources else [list]
    ):
        assert metric.corpus(make(texts), make_references(given), sources=make_sources(sources)) == expected
        assert fitted.stats(make(texts), make_references(given), sources=make_sources(sources)).tolist() == rows
    for make_references in kinds:
        if form != "text" and (count == 1 or make_references is beside) and not metric.needs_sources:
            continue  # lists of words in columns are texts unless hypotheses or sources are tokens
        prepared = fitted.prepare(make_references(given), sources=sources)
        assert fitted.stats(texts, prepared).tolist() == rows
        accumulator = refscore.Evaluation(fitted)
        accumulator.consume([(iter(texts), make_references(given), iter(sources))])
        assert accumulator.score() == fitted.corpus(texts, entries, sources=sources)


def test_columns_of_references_with_sources_in_a_tuple():
    references = pa.array([text.split() for text in FIRST])
    texts, sources = ([*map(str.split, side)] for side in (TEXTS, SOURCES))
    expected = refscore.sari(texts, [[text.split()] for text in FIRST], sources=sources)
    assert refscore.sari(texts, references, sources=tuple(sources)) == expected
    assert refscore.sari(TEXTS, pa.array(FIRST), sources=tuple(SOURCES)) == refscore.sari(TEXTS, FIRST, sources=SOURCES)
    assert refscore.sari([*TEXTS], pa.array([[text] for text in FIRST]), sources=(*SOURCES,)) == refscore.sari(
        TEXTS, FIRST, sources=SOURCES
    )


def test_a_stream_of_sources_is_read_once_for_several_metrics():
    metrics = {"sari": "sari", "paper": "sari:easse-paper", "bleu": "bleu"}
    found = refscore.scores(TEXTS, reader(FIRST), metrics, sources=reader(SOURCES))
    assert found == refscore.scores(TEXTS, FIRST, metrics, sources=SOURCES)
