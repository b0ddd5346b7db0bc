"""NIST beyond the common comparison (test_originals.py): fitting, the state of a fitted metric, and worked steps."""

import contextlib
import copy
import math
import random
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate import nist_score

import refscore
from refscore import NIST
from refscore.inputs import MixedTokensError
from refscore.metrics import Information
from tests import strategies
from tests.corpora import generated
from tests.examples import examples
from tests.locations import raises_at
from tests.metrics.step_parts import tables
from tests.originals.nist import close, nltk_value
from tests.reference import nist as oracle

REFERENCES = ["the cat sat on the mat", ["a dog sat on the rug", "the dog sat"]]


@given(corpus=strategies.any_corpora, order=st.integers(1, 8))
@examples(150)
def test_tokens_of_any_kind(corpus, order):
    """They cannot be fitted, only scored as a corpus."""
    ours = refscore.nist(*corpus, preset="nltk", max_order=order).value
    for theirs in (oracle.corpus(*corpus, order), nltk_value(*corpus, order)):
        assert theirs is None or close(ours, theirs)


def test_weights():
    references = generated("weights", 40, 20, "abcdef")[1]
    information = NIST.preset("nltk").fit(references).information
    for ngram, weight in oracle.information(references).items():
        assert close(information.weight(ngram), weight)
        assert close(information.weight(list(ngram)), weight)


def test_weights_of_ngrams_that_are_not_kept():
    information = NIST.fit([[[1, 2, 3], [1, 2]]], max_order=2).information
    assert information.weight([1, 2, 3]) == 0
    assert information.weight([np.int64(3)]) == information.weight((3,)) == math.log2(5)
    for ngram in ([1.5], ["a", 1], [(1,)], [None], [2**64]):
        assert information.weight(ngram) == 0


def test_information_is_equal_only_if_its_counts_are():
    found = [NIST.fit(references).information for references in (["a b"], ["a c"], ["a b c"], ["b"])]
    assert [[one == other for other in found] for one in found] == np.eye(4, dtype=bool).tolist()


@pytest.mark.parametrize(
    ("hypothesis", "references", "value"),
    [
        ([], [["a"]], 0),
        ([], [[]], 0),
        (["a"], [[]], 0),
        (["a"], [["a"]], 0),
        (["a"], [["a", "b"]], math.exp(math.log(0.5) * (math.log(0.5) / math.log(1.5)) ** 2)),
        (["a", "b"], [["a", "b"], []], 1),
    ],
)
def test_where_nltk_has_no_number(hypothesis, references, value):
    with pytest.raises(ZeroDivisionError):
        nist_score.sentence_nist(references, hypothesis)
    assert refscore.nist([hypothesis], [references]).value == pytest.approx(value)


def test_ties_go_to_the_longest_reference():
    score = refscore.nist([["a"]], [[["a", "x"], ["a", "x", "y", "z"], ["a"]]], max_order=1)
    assert score.ref_len == 4


def test_other_references_than_those_it_was_fitted_on():
    metric = NIST.preset("nltk").fit(["a b a c", "a b"])
    assert metric.segment("x y", "x y").value == 0
    row = metric.stats(["a x b"], ["a x b"])[0]
    assert row[2] == pytest.approx(math.log2(6 / 3) + math.log2(6 / 2))
    assert row[3] == 0


def test_ways_to_fit():
    plain = NIST.fit(REFERENCES, tokenizer="none", max_order=3)
    assert plain == NIST(tokenizer="none", max_order=3).fit(REFERENCES)
    assert plain == NIST.fit(REFERENCES, preset="nltk", max_order=3)
    assert plain == NIST.preset("nltk").fit(iter(REFERENCES), max_order=3)
    assert plain == NIST().fit(["x"]).fit(REFERENCES, tokenizer="none", max_order=3)
    assert plain != NIST.fit(REFERENCES[:1], tokenizer="none", max_order=3)
    assert plain == NIST.fit(REFERENCES[::-1], tokenizer="none", max_order=3)
    assert plain.max_order == 3
    assert NIST.fit.__doc__ == plain.fit.__doc__


def test_functions_as_tokenizers_and_iterators():
    hypotheses, references = ["the cat", "a dog"], ["the cat sat", "a dog sat"]
    expected = refscore.nist(hypotheses, references, tokenizer="none").value
    assert refscore.nist(hypotheses, references, tokenizer=str.split).value == expected
    assert NIST.fit(references, tokenizer=str.split).corpus(hypotheses, references).value == expected
    assert refscore.nist(iter(hypotheses), iter(references), tokenizer="none").value == expected


def test_forms_of_ids():
    ids = [[[1, 2, 3], [1, 2]], [[1, 5, 1, 2]]]
    metric = NIST.fit(ids)
    assert metric == NIST.fit([[np.array(row) for row in rows] for rows in ids])
    assert metric == NIST.fit([[[np.int32(token) for token in row] for row in rows] for rows in ids])
    batch = refscore.inputs.padded(np.array([[1, 2, 3, 0], [1, 2, 0, 0], [1, 5, 1, 2]]), pad_id=0)
    assert metric == NIST.fit(batch)
    assert metric.corpus(np.array([[1, 2]]), np.array([[1, 2]])).value > 0
    assert metric.corpus([[True, 2]], [[[1, 2]]]).value > 0


def test_a_fitted_metric_lasts():
    metric = NIST.fit(REFERENCES)
    copies = [copy.deepcopy(metric), copy.copy(metric)]
    copies.append(NIST(information=Information.from_bytes(metric.information.to_bytes())))
    for other in copies:
        assert (other, hash(other), other.signature) == (metric, hash(metric), metric.signature)
        assert other.corpus(["the dog sat"], ["a dog sat"]) == metric.corpus(["the dog sat"], ["a dog sat"])
    assert re.fullmatch("[0-9a-f]{16}", metric.information.digest)
    assert metric.information.digest in repr(metric)
    assert metric.information != "something else"
    assert len(metric.information) > 0


@pytest.mark.parametrize("cut", [0, 5, 16, 30, -1, -4])
def test_broken_bytes(cut):
    data = NIST.fit(REFERENCES).information.to_bytes()
    for broken in (data[:cut], data + b"\xff" * 12, None, "text", bytearray(data)):
        with pytest.raises(refscore.InputError):
            Information.from_bytes(broken)
    noise = random.Random(cut)
    for _ in range(200):
        broken = bytearray(data)
        broken[noise.randrange(len(broken))] = noise.randrange(256)
        with contextlib.suppress(refscore.InputError):
            Information.from_bytes(bytes(broken)).weight(["the"])


def test_signatures():
    metric = NIST.fit(REFERENCES, tokenizer="none", lowercase=True, max_order=3)
    assert metric.signature == (
        f"nist|case:lc|norm:none|tok:none|order:3|info:{metric.information.digest}|version:{refscore.__version__}"
    )
    unfitted = NIST(tokenizer="none", lowercase=True, max_order=3)
    assert refscore.from_signature(unfitted.signature) == unfitted
    assert unfitted.fit(REFERENCES) == metric
    with pytest.raises(refscore.errors.SignatureError, match=metric.information.digest):
        refscore.from_signature(metric.signature)
    for broken in ("order:3|", "info:none|"):
        with pytest.raises(refscore.errors.SignatureError):
            refscore.from_signature(unfitted.signature.replace(broken, ""))


def test_unfitted():
    metric = NIST()
    for call in (metric.stats, metric.segments, metric.pairwise, metric.segment, metric.explain):
        with pytest.raises(refscore.SettingError, match=r"\.fit\(references\)"):
            call(["a"], ["a"])


@pytest.mark.parametrize(
    "references", [[], "text", None, [[]], [None], [[[1.5]]], [[[1, "a"]]], [[[2**64]]], [[["a"]], [[1]]]], ids=str
)
def test_what_cannot_be_fitted(references):
    with pytest.raises(refscore.InputError):
        NIST.fit(references)


def test_prepared_references():
    metric = NIST.fit(REFERENCES)
    with pytest.raises(refscore.InputError):
        NIST.fit(metric.prepare(REFERENCES))
    with raises_at(MixedTokensError, side="references", segment=0, reference=0):
        metric.prepare([[[1.5, "a"]]])


@pytest.mark.parametrize(
    ("references", "hypotheses", "targets"),
    [
        (["a b"], [[1, 2]], [[[1, 2]]]),
        ([[[1, 2]]], ["a b"], ["a b"]),
        ([[[1, 2]]], [["a", "b"]], [[["a", "b"]]]),
        ([[[1, 2]]], [[1.5]], [[[1.5]]]),
        ([[[1, 2]]], [[1]], [[["a"]]]),
        (["a b"], [["a", None]], [[["a", None]]]),
    ],
)
def test_tokens_of_another_kind(references, hypotheses, targets):
    metric = NIST.fit(references)
    with pytest.raises(refscore.InputError):
        metric.corpus(hypotheses, targets)
    with pytest.raises(refscore.InputError):
        metric.pairwise(hypotheses, [entry if isinstance(entry, str) else entry[0] for entry in targets], tokens=True)


def test_empty_tokens_are_of_any_kind():
    for references in (["a b"], [[[1, 2]]], [[[]]], [""]):
        metric = NIST.fit(references)
        assert metric.corpus([[]], [[[]]]).value == metric.corpus([""], [""]).value == 0
    assert NIST.fit([""]).corpus(["a"], ["a"]).value == NIST.fit([""]).corpus([[1]], [[[1]]]).value == 0


def test_unfitted_metrics_leave_no_trace_in_fitted_ones():
    for kind in (refscore.NIST, refscore.CIDER, refscore.CrystalBLEU):
        start = kind.with_settings({})
        before = start.signature, start.for_segments(), start.columns, start.reading
        fitted = start.fit(REFERENCES)
        again = kind().fit(REFERENCES)
        assert fitted == again and fitted.signature == again.signature != before[0]
        assert fitted.for_segments() == again.for_segments() != before[1]
        assert (start.signature, start.for_segments()) == before[:2]


def test_given_information():
    information = NIST.fit(["the cat", "a dog sat"]).information
    assert refscore.nist(["a cat"], ["a cat"], information=information).metric.information == information
    with pytest.raises(refscore.SettingError):
        NIST.fit(REFERENCES, max_order=3).with_settings({"information": NIST.fit(["a"], max_order=2).information})
    for order in (2, 4):
        with pytest.raises(refscore.SettingError):
            NIST(max_order=3, information=NIST.fit(["a"], max_order=order).information)


def test_score():
    score = refscore.nist(["a b"], ["a b c a"], preset="nltk", max_order=2)
    penalty = math.exp(math.log(0.5) * (math.log(2 / 4) / math.log(1.5)) ** 2)
    unigrams, bigrams = (math.log2(4 / 2) + math.log2(4)) / 2, math.log2(2 / 1) / 1
    assert score.information == pytest.approx((unigrams, bigrams))
    assert score.value == pytest.approx((unigrams + bigrams) * penalty)
    assert score.length_penalty == pytest.approx(penalty)
    assert (score.hyp_len, score.ref_len, score.totals) == (2, 4.0, (2, 1))
    shown = f"NIST = {score.value:.4f} 1.5000/1.0000 (penalty = {penalty:.3f} hyp_len = 2 ref_len = 4)"
    assert str(score) == shown
    assert score.to_dict()["information"] == [unigrams, bigrams]


def test_mean_reference_lengths_are_shown_with_two_digits():
    """Each order uses the reference with the most information, so the mean may not be an integer."""
    scores = (refscore.nist(*generated(seed, 2, 9, "abc"), max_order=3) for seed in range(200))
    score = next(score for score in scores if not score.ref_len.is_integer())
    assert f"ref_len = {score.ref_len:.2f})" in str(score)


SEGMENTS = [
    ("the cat sat", "the cat sat on the mat"),
    ("the dog sat on", ["the cat", "a dog sat on the rug", "the dog"]),
    ("", "a"),
    ("a", ["", ""]),
    (["the", "dog"], [["the", "dog", "sat"]]),
    ("the the the on on", ["the the on", "on"]),
]


@pytest.mark.parametrize("order", [1, 3, 21])
def test_worked_steps(order):
    metric = NIST.fit(REFERENCES, max_order=order)
    for segment in SEGMENTS:
        steps, score = metric.explain(*segment), metric.segment(*segment)
        assert steps.result == f"NIST = {score.value:.4f}"
        shown = str(steps)
        assert metric.signature in shown
        if not score.hyp_len:
            continue
        assert f"· penalty = {'(' if order <= 20 else ''}" in shown
        assert f"{score.ref_len:g}" in shown
        for n in range(1, min(order, score.hyp_len) + 1):
            products = [float(row.cells[5]) for row in tables(steps)[f"{n}-grams"].rows]
            assert sum(products) == pytest.approx(score.row[1 + n], abs=1e-3)
