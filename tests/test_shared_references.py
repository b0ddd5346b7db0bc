"""Segments that share references, like several answers to one question, score the same as single ones."""

import pickle
import random

import numpy as np
import pytest

import refscore
from tests.derived_sources import derive_sources
from tests.strategies import FRAGMENTS
from tests.test_common import METRICS, SCORES_TOKENS

CASES = [
    pytest.param(name, derive_sources(metric), id=f"{name}-{i}")
    for name in METRICS
    for i, metric in enumerate(METRICS[name])
]
GROUPS = 30


def texts(seed, count):
    rng = random.Random(seed)
    return [" ".join(rng.choices(FRAGMENTS[:40], k=rng.randrange(1, 15))) for _ in range(count)]


def grouped(entries):
    """Repeat each entry for one to nine neighbours, and then all entries once more."""
    rng = random.Random(3)
    repeated = [entry for entry in entries for _ in range(rng.randrange(1, 10))]
    return repeated + [repeated[rng.randrange(len(repeated))] for _ in range(20)]


def check(metric, hypotheses, references):
    expected = [metric.segments(hypotheses[i : i + 1], references[i : i + 1])[0] for i in range(len(hypotheses))]
    copies = [pickle.loads(pickle.dumps(entry)) for entry in references]  # equal, but different objects
    for given in (references, copies):
        for threads in (1, 3):
            assert metric.segments(hypotheses, given, threads=threads).tolist() == expected


@pytest.mark.parametrize(("name", "metric"), CASES)
def test_text(name, metric):
    single = texts(1, GROUPS)
    several = [single[i : i + 1 + i % 3] for i in range(GROUPS)]
    for references in (grouped(single), grouped(several)):
        check(metric, texts(2, len(references)), references)


@pytest.mark.parametrize(("name", "metric"), CASES)
def test_tokens(name, metric):
    if not SCORES_TOKENS[name](metric):
        return
    words = [[text.split(), text.split()[::-1]] for text in texts(1, GROUPS)]
    references = grouped(words)
    check(metric, [text.split() for text in texts(2, len(references))], references)


@pytest.mark.parametrize("metric", [refscore.BLEU(), refscore.CHRF(), refscore.TER(), refscore.RIBES()])
def test_ids(metric):
    rng = np.random.default_rng(1)
    rows = rng.integers(1, 9, (GROUPS, 12))
    order = grouped(list(range(GROUPS)))
    hypotheses = rng.integers(1, 9, (len(order), 12))
    alone = [metric.segments(hypotheses[i : i + 1], rows[order[i] : order[i] + 1])[0] for i in range(len(order))]
    for references in (rows[order], [[rows[i]] for i in order], [[rows[i].tolist()] for i in order]):
        given = hypotheses if isinstance(references, np.ndarray) else list(hypotheses)
        assert metric.segments(given, references).tolist() == alone
    # The same numbers, cut to different lengths, are different references.
    lengths = np.arange(len(order)) % 12 + 1
    cut = refscore.inputs.padded(rows[order], lengths=lengths)
    expected = [metric.segments(hypotheses[i : i + 1], [[rows[order[i]][: lengths[i]]]])[0] for i in range(len(order))]
    assert metric.segments(hypotheses, cut).tolist() == expected


def test_a_tokenizer_of_the_users_reads_shared_references_once():
    read = []
    metric = refscore.BLEU(tokenizer=lambda text: read.append(text) or text.split())
    metric.segments(["a b", "a c", "a d", "b"], ["a b", "a b", ["a b", "a c"], "a c"])
    assert sorted(read) == ["a b", "a b", "a c", "a c", "a d", "b"]
