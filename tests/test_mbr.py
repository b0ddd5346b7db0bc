"""Minimum-Bayes-risk decoding compared with scores of single pairs, fastchrf and NumPy."""

import itertools
import math
import runpy
import tracemalloc
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import fastchrf
import numpy as np
import pyarrow
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import mbr
from refscore.metrics import METRICS
from refscore.metrics.core import registry
from tests import strategies
from tests.examples import examples
from tests.python_metrics import Overlap

SAMPLES = [
    "the cat sat on the mat",
    "the cat sat on a mat",
    "a cat was on the mat",
    "the cat sat on a mat",
    "dogs bark",
    "the mat sat on the cat",
]
SOURCE = "the cat was sitting on a mat"
NAMES = [name for name, kind in METRICS.items() if not kind().needs_fit]


def metric_of(name):
    return METRICS[name]().for_segments()


def by_hand(metric, candidates, references, weights):
    return [
        math.fsum(w * metric.segment(c, [r], source=SOURCE).value for w, r in zip(weights, references, strict=True))
        for c in candidates
    ]


def check(choice, expected, higher=True):
    assert choice.expected.dtype == np.float64
    np.testing.assert_allclose(choice.expected, expected, rtol=1e-12, atol=1e-15)
    ranked = choice.expected[choice.order]
    assert sorted(choice.order.tolist()) == list(range(len(expected)))
    assert all(a >= b if higher else a <= b for a, b in itertools.pairwise(ranked))
    assert choice.best == choice.order[0]


METRICS_HERE = {
    **{name: metric_of(name) for name in NAMES},
    "fitted": refscore.NIST.fit(SAMPLES),
    "zero for empty": refscore.RIBES(empty_reference="zero"),
    "in Python": Overlap(),
}


@pytest.mark.parametrize("metric", METRICS_HERE.values(), ids=METRICS_HERE)
def test_every_metric(metric):
    samples = ["", *SAMPLES[1:]] if metric.name == "ribes" and metric.empty_reference == "zero" else SAMPLES
    choice = mbr.choose(samples, metric=metric, source=SOURCE)
    check(choice, by_hand(metric, samples, samples, [1 / 6] * 6), metric.higher_is_better)
    weights, references = [0.5, 1, 0, 2, 0.25, 3], samples[::-1]
    expected = by_hand(metric, samples, references, [weight / sum(weights) for weight in weights])
    choice = mbr.choose(samples, references, metric=metric, source=SOURCE, weights=weights)
    check(choice, expected, metric.higher_is_better)


def test_names_of_metrics(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})  # loading a class registers it
    for name in NAMES:
        assert mbr.choose(SAMPLES, metric=name, source=SOURCE).metric == metric_of(name)
    assert mbr.choose(SAMPLES, metric="tests.python_metrics:Overlap").metric == Overlap()


def test_columns():
    expected = mbr.choose(SAMPLES).expected.tolist()
    for column in (pyarrow.array(SAMPLES), pyarrow.chunked_array([SAMPLES[:2], SAMPLES[2:]])):
        assert mbr.choose(column).expected.tolist() == expected
    both = mbr.choose(pyarrow.array([SAMPLES, SAMPLES[:2]]), metric="ter")
    assert [choice.best for choice in both] == [mbr.choose(own, metric="ter").best for own in (SAMPLES, SAMPLES[:2])]
    with pytest.raises(refscore.InputError) as caught:
        mbr.choose(pyarrow.array(["a", None]))
    assert str(caught.value.location) == "candidates[1]"


def test_logarithms_of_any_size():
    expected = mbr.choose(["a", "b", "c"], log_probabilities=[1e308, 1e308, -1.7e308]).expected
    assert expected.tolist() == [0.5, 0.5, 0.0]


texts = st.lists(st.lists(strategies.words, max_size=8).map(" ".join), min_size=1, max_size=6)


@given(candidates=texts, references=texts, data=st.data())
@examples(60)
def test_any_texts(candidates, references, data):
    numbers = st.floats(0.01, 100)
    weights = data.draw(st.lists(numbers, min_size=len(references), max_size=len(references)))
    shares = [w / math.fsum(weights) for w in weights]
    for name in ("bleu", "chrf", "ter"):
        metric = metric_of(name)
        expected = by_hand(metric, candidates, references, shares)
        for threads in (1, 3):
            choice = mbr.choose(candidates, references, metric=name, weights=weights, threads=threads)
            check(choice, expected, metric.higher_is_better)
        logs = [math.log(w) - 1000 for w in weights]
        np.testing.assert_allclose(
            mbr.choose(candidates, references, metric=name, log_probabilities=logs).expected,
            expected,
            rtol=1e-9,
            atol=1e-12,
        )


@given(batch=st.lists(texts, min_size=1, max_size=4))
@examples(40)
def test_equal_to_fastchrf(batch):
    batch = [[text.encode("utf-8", "replace").decode() for text in group] for group in batch]
    pairs = fastchrf.pairwise_chrf(batch, batch)
    for choice, matrix in zip(mbr.choose(batch), pairs, strict=True):
        np.testing.assert_allclose(100 * choice.expected, np.mean(matrix, axis=1), rtol=1e-12, atol=1e-12)
    for choice, values in zip(mbr.choose(batch, aggregate=True), fastchrf.aggregate_chrf(batch, batch), strict=True):
        assert choice.aggregate
        np.testing.assert_allclose(100 * choice.expected, values, rtol=1e-12, atol=1e-12)


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def aggregated_bleu(candidate, references, weights):
    """Compute BLEU of one candidate with the mean counts and length of the references; smoothed by halving."""
    tokens, others = candidate.split(), [text.split() for text in references]
    if not tokens:
        return 0.0
    precisions, zeros = [], 0
    for n in range(1, 5):
        own = ngrams(tokens, n)
        counts = [ngrams(other, n) for other in others]
        found = math.fsum(
            min(count, math.fsum(w * c[gram] for w, c in zip(weights, counts, strict=True)))
            for gram, count in own.items()
        )
        if n == 1 and found == 0:
            return 0.0
        total = max(0, len(tokens) - n + 1)
        if total == 0:
            break
        zeros += found == 0
        precisions.append(found / total if found else 1 / 2**zeros / total)
    length = math.fsum(w * len(other) for w, other in zip(weights, others, strict=True))
    penalty = 1.0 if len(tokens) >= length else math.exp(1 - length / len(tokens))
    return penalty * math.exp(math.fsum(map(math.log, precisions)) / len(precisions))


@given(candidates=texts, references=texts, data=st.data())
@examples(100)
def test_aggregated_bleu(candidates, references, data):
    metric = refscore.BLEU.preset("sacrebleu-sentence", tokenizer="none")
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(references), max_size=len(references)))
    weights[0] += 1
    for given_weights in (weights, None):
        shares = np.ones(len(references)) if given_weights is None else np.array(weights)
        shares = shares / shares.sum()
        expected = [aggregated_bleu(text, references, shares) for text in candidates]
        found = metric.aggregate(candidates, references, weights=given_weights)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
        choice = mbr.choose(candidates, references, metric=metric, weights=given_weights, aggregate=True)
        np.testing.assert_allclose(choice.expected, expected, rtol=1e-12, atol=1e-15)


def test_weights_that_count_references_are_repeated_references():
    references, weights = SAMPLES[:3], [2, 1, 3]
    repeated = [text for text, count in zip(references, weights, strict=True) for _ in range(count)]
    for metric in (refscore.CHRF(), refscore.CHRF(word_order=2), metric_of("bleu")):
        np.testing.assert_allclose(
            mbr.choose(SAMPLES, references, metric=metric, weights=weights, aggregate=True).expected,
            mbr.choose(SAMPLES, repeated, metric=metric, aggregate=True).expected,
            rtol=1e-12,
        )


def test_equal_candidates_tie_in_their_order():
    choice = mbr.choose(["b", "a a", "a a", "a a"])
    assert choice.order.tolist() == [1, 2, 3, 0]
    assert mbr.choose(["a", "b"], metric="ter").order.tolist() == [0, 1]


def test_tokens_and_ids():
    words = [text.split() for text in SAMPLES]
    vocabulary = sorted({word for text in words for word in text})
    ids = [[*map(vocabulary.index, text)] for text in words]
    width = max(map(len, ids))
    batch = refscore.inputs.padded(np.array([text + [-1] * (width - len(text)) for text in ids]), pad_id=-1)
    metric = refscore.BLEU.preset("sacrebleu-sentence", tokenizer="none")
    expected = mbr.choose(SAMPLES, metric=metric).expected
    for sides, options in [
        ([words], {"tokens": True}),
        ([ids], {}),
        ([batch], {}),
        ([SAMPLES, metric.prepare(SAMPLES)], {}),
    ]:
        np.testing.assert_allclose(mbr.choose(*sides, metric=metric, **options).expected, expected, rtol=1e-12)


def test_ragged_batches():
    batch = [SAMPLES, SAMPLES[:1], SAMPLES[2:4]]
    weights = [range(1, 7), [5], [0, 1]]
    choices = mbr.choose(batch, metric="ribes", weights=weights)
    assert [len(choice.order) for choice in choices] == [6, 1, 2]
    for choice, group, own in zip(choices, batch, weights, strict=True):
        assert np.array_equal(choice.expected, mbr.choose(group, metric="ribes", weights=list(own)).expected)
    references = [SAMPLES[:2], SAMPLES[1:4], SAMPLES[:1]]
    for choice, group, others in zip(mbr.choose(batch, references), batch, references, strict=True):
        assert np.array_equal(choice.expected, mbr.choose(group, others).expected)


@pytest.mark.parametrize("tile", [1, 2, 5])
def test_in_tiles(monkeypatch, tile):
    references, weights = SAMPLES[1:5], [1, 2, 3, 4]
    array = np.arange(24).reshape(6, 4) % 7
    given_inputs = [
        (SAMPLES, references),
        (array, array[:4]),
        (refscore.inputs.padded(array, lengths=[4, 3, 2, 1, 0, 4]), array[:4]),
        (SAMPLES, metric_of("bleu").prepare(references)),
    ]
    whole = [mbr.choose(*pair, metric="bleu", weights=weights).expected for pair in given_inputs]
    monkeypatch.setattr(mbr, "_TILE", tile)
    for pair, expected in zip(given_inputs, whole, strict=True):
        found = mbr.choose(*pair, metric="bleu", weights=weights).expected
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


def test_sizes_of_tiles(monkeypatch):
    """Prepared references are compared with as many candidates as fit, and equal texts once."""
    seen = []

    class Spy(refscore.CHRF):
        def pairwise(self, *sides, **settings):
            seen.append(tuple(map(len, sides)))
            return super().pairwise(*sides, **settings)

    mbr.choose(["a", "b", "a", "a"], metric=Spy())
    mbr.choose(["a", "b"], ["c", "c", "d", "c"], metric=Spy())
    assert seen == [(2, 2), (2, 2)]
    monkeypatch.setattr(mbr, "_TILE", 4)
    for references, height in [(3, 4), (4, 4), (5, 3), (16, 1), (40, 1)]:
        seen.clear()
        prepared = Spy().prepare([f"text {i}" for i in range(references)])
        mbr.choose([f"text {i}" for i in range(6)], prepared, metric=Spy())
        assert seen[0] == (height, references)
        assert sum(rows for rows, _ in seen) == 6


@pytest.mark.slow
def test_memory_is_bounded():
    """All pairs would take 200 MB."""
    generator = np.random.default_rng(1)
    candidates = generator.integers(0, 50, (5000, 6))
    tracemalloc.start()
    choice = mbr.choose(candidates, metric=refscore.BLEU(max_order=2))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(choice.order) == 5000
    assert peak < 100e6


def test_the_result():
    choice = mbr.choose(SAMPLES)
    order, expected = choice.order.tolist(), choice.expected.tolist()
    assert choice.to_dict() == {"best": choice.best, "order": order, "expected": expected}
    assert repr(choice) == f"<candidate {choice.best} of 6, chrf {choice.expected.max():.4f}>"


TWO, GROUPS = [["a", "b"]], [[["a"], ["b"]]]


@pytest.mark.parametrize(
    ("arguments", "options", "location"),
    [
        ([[]], {}, "candidates"),
        ([["a"], []], {}, "references"),
        ([[["a"], []]], {}, "candidates[1]"),
        ([[["a"], ["b"]], [["a"], []]], {}, "references[1]"),
        (["a"], {}, "candidates"),
        ([["a"], "b"], {}, "references"),
        ([{"a"}], {}, "candidates"),
        ([np.array(5)], {}, "candidates"),
        ([["a"], np.array(5)], {}, "references"),
        ([[["a"], ["a", None]]], {}, "candidates[1][1]"),
        ([["a"], [["b"]]], {}, "None"),
        *((TWO, {"weights": weights}, "weights") for weights in ([1], "ab", 5, [1, "2"], [1, 10**400], [0, 0])),
        (TWO, {"weights": [1, -0.5]}, "weights[1]"),
        (TWO, {"weights": [math.nan, 1]}, "weights[0]"),
        (TWO, {"log_probabilities": [0, math.inf]}, "log_probabilities[1]"),
        (TWO, {"log_probabilities": [-math.inf] * 2}, "log_probabilities"),
        (TWO, {"weights": [1, 1], "log_probabilities": [0, 0]}, "None"),
        *((GROUPS, {"weights": weights}, "weights") for weights in ([[1]], 1, np.array(1))),
        (GROUPS, {"weights": [[1], [1, 2]]}, "weights[1]"),
        (GROUPS, {"weights": [[1], [-1]]}, "weights[1][0]"),
        ([["a", "b", "c", None]], {}, "candidates[3]"),
        ([[[1], [2], [3], [4, {}]]], {}, "candidates[3][1]"),
        ([["a", "b", ["c"]]], {}, "candidates[2]"),
        ([["a"], ["a", "b", "c", None]], {}, "references[3]"),
    ],
)
def test_mistakes(monkeypatch, arguments, options, location):
    for aggregate, tile in [(True, 2048), (False, 2048), (False, 2)]:
        monkeypatch.setattr(mbr, "_TILE", tile)
        with pytest.raises(refscore.InputError) as caught:
            mbr.choose(*arguments, aggregate=aggregate, **options)
        assert str(caught.value.location) == location


LONG = [
    ([["a", "a", "b", "c d e f", "a"]], "candidates[3]"),
    ([["a", "a", "c d e f"], ["b", "b"]], "candidates[2]"),
    ([["a"], ["b", "b", "c d e f"]], "references[2]"),
    ([[["a"], ["a", "a", "c d e f"]]], "candidates[1][2]"),
]
WITHOUT_WORDS = [
    ([["a", "b", "a", "", ""]], "candidates[3]"),
    ([["a", "", "b"]], "candidates[1]"),
    ([[["a"], ["b"]], [["a"], ["x", "x", ""]]], "references[1][2]"),
]


@pytest.mark.parametrize(
    ("options", "error", "cases"),
    [
        ({"metric": Overlap()}, refscore.errors.LimitError, LONG),
        ({"metric": "bleu"}, refscore.errors.LimitError, LONG),
        ({"metric": "bleu", "aggregate": True}, refscore.errors.LimitError, LONG),
        ({"metric": "ter"}, refscore.errors.LimitError, LONG),
        ({"metric": "ribes"}, refscore.errors.EmptyReferenceError, WITHOUT_WORDS),
    ],
    ids=str,
)
def test_texts_that_a_metric_rejects(monkeypatch, options, error, cases):
    for tile, (arguments, location) in itertools.product([1, 2, 2048], cases):
        monkeypatch.setattr(mbr, "_TILE", tile)
        with refscore.metrics.limits(max_tokens=3), pytest.raises(error) as caught:
            mbr.choose(*arguments, **options)
        assert str(caught.value.location) == location


def test_wrong_settings():
    for settings, error, name in [
        ({"metric": "chfr"}, refscore.errors.UnknownNameError, "'chrf'"),
        ({"metric": 3}, refscore.errors.UnknownNameError, "3"),
        ({"metric": "ter", "aggregate": True}, refscore.SettingError, "^ter "),
        ({"metric": Overlap(), "aggregate": True}, refscore.SettingError, "^overlap "),
        ({"threads": 0}, refscore.SettingError, "^threads "),
        ({"threads": 0, "aggregate": True}, refscore.SettingError, "^threads "),
        ({"aggregate": "yes"}, refscore.SettingError, "^aggregate "),
    ]:
        with pytest.raises(error, match=name):
            mbr.choose(["a"], **settings)


def test_weights_of_aggregates():
    metric = refscore.CHRF()
    batch = [SAMPLES, SAMPLES[:2]]
    found = metric.aggregate(batch, batch, weights=[range(1, 7), [3, 1]])
    assert np.array_equal(found[1], metric.aggregate(SAMPLES[:2], SAMPLES[:2], weights=[3, 1]))
    for weights, location in [([[1], [3, 1]], "weights[0]"), (3, "weights"), (np.array(3), "weights")]:
        with pytest.raises(refscore.InputError) as caught:
            metric.aggregate(batch, batch, weights=weights)
        assert str(caught.value.location) == location


def test_equal_candidates_tie_whatever_the_order_of_their_scores():
    """A rounded mean of the same numbers in a different order would choose the last one."""
    numbers = [0.4, 0.3, 0.2, 0.1]
    assert sum(numbers) < sum(numbers[::-1])
    assert mbr.choose([numbers, numbers[::-1]], metric=refscore.Given("comet")).best == 0
    texts = [" ".join(words) for words in itertools.permutations(["the", "cat", "sat", "down"])]
    assert len({*mbr.choose(texts, texts, metric=Overlap()).expected.tolist()}) == 1


def test_pairs_without_a_score_are_an_error():
    @dataclass(frozen=True)
    class Undefined(Overlap):
        name = "undefined"

        def value(self, row):
            return math.nan

    with pytest.raises(refscore.InputError, match="has no finite score for a candidate"):
        mbr.choose(["a", "b"], metric=Undefined())


def test_the_example(capsys):
    path = Path(__file__).parents[1] / "examples" / "mbr.py"
    runpy.run_path(str(path))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ferry", "rather", "bridge", "rather", "bread", "by", "aggregated:"]
