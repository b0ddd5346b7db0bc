"""NIST compared with NLTK and with the slow oracle; fitting, and the state of a fitted metric."""

import contextlib
import copy
import math
import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import nist_score as original

import refscore
from refscore import NIST
from refscore.metrics import Information
from refscore.segments import MixedTokensError
from tests import strategies
from tests.examples import examples
from tests.locations import raises_at
from tests.metrics.step_parts import tables
from tests.reference import close
from tests.reference import nist as oracle
from tests.reference import tokenizers as oracle_tokenizers

REFERENCES = ["the cat sat on the mat", ["a dog sat on the rug", "the dog sat"]]


@pytest.fixture(autouse=True, scope="module")
def exact_sums():
    """Make NLTK's sums exact: before Python 3.12 they depend on the order of terms, so ties are broken randomly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(original, "sum", math.fsum, raising=False)
        yield


def expected(hypotheses, references, order):
    """Return NLTK's number, or None if it divides by 0, the number of n-grams."""
    try:
        return original.corpus_nist(references, hypotheses, order)
    except ZeroDivisionError:
        longest = max(map(len, hypotheses))
        assert longest < order or not any(len(reference) for refs in references for reference in refs)
        return None


def check(hypotheses, references, order=5):
    ours = refscore.nist(hypotheses, references, preset="nltk", max_order=order)
    theirs = expected(hypotheses, references, order)
    slow = oracle.corpus(hypotheses, references, order)
    assert ours.value == pytest.approx(slow, rel=1e-12, abs=1e-14)
    if theirs is not None:
        assert ours.value == pytest.approx(theirs, rel=1e-12, abs=1e-14)


corpora = st.one_of(strategies.word_corpora, strategies.id_corpora, strategies.any_corpora)


@given(corpus=corpora, order=st.integers(1, 8))
@examples(300)
def test_equal_to_nltk(corpus, order):
    check(*corpus, order)


def corpus_of(seed, size, longest, words, references=3):
    generator = random.Random(seed)

    def tokens():
        return generator.choices(words, k=generator.randrange(longest))

    hypotheses = [tokens() for _ in range(size)]
    return hypotheses, [[tokens() for _ in range(generator.randint(1, references))] for _ in range(size)]


@pytest.mark.parametrize("order", [1, 2, 5, 9, 64])
@pytest.mark.parametrize("longest", [10, 70, 150, pytest.param(600, marks=pytest.mark.slow)])
def test_longer_segments(order, longest):
    check(*corpus_of(longest, 6, longest, "abcdefgh"), order)


def test_words_of_many_lengths():
    words = ["a" * i for i in range(1, 40)] + ["é", "你好" * 9, "👍🏽", "\ud800", "\x00", "\u2028"]
    check(*corpus_of(8, 60, 40, words))


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [1, 3, 5000])
def test_thousands_of_tokens(distinct):
    reference = strategies.random_tokens(1, 4000, distinct)
    hypothesis = [token if isinstance(token, int) else -1 for token in strategies.noisy_copy(2, reference)]
    check([hypothesis, reference], [[reference, reference[:100]], [hypothesis]])


def test_segments_have_the_weights_of_all():
    hypotheses, references = corpus_of(5, 40, 20, "abcdef")
    metric = NIST.preset("nltk").fit(references)
    weights = oracle.information(references)
    rows = metric.stats(hypotheses, references)
    values = metric.segments(hypotheses, references)
    for i, pair in enumerate(zip(hypotheses, references, strict=True)):
        row = oracle.row(weights, *pair)
        assert rows[i] == pytest.approx(row, rel=1e-12, abs=1e-15)
        assert values[i] == pytest.approx(oracle.score(row), rel=1e-12, abs=1e-15)
    for ngram, weight in weights.items():
        assert close(metric.information.weight(ngram), weight)
        assert close(metric.information.weight(tuple(ngram)), weight)


def test_weights_of_ngrams_that_are_not_kept():
    information = NIST.fit([[[1, 2, 3], [1, 2]]], max_order=2).information
    assert information.weight([1, 2, 3]) == 0
    assert information.weight([np.int64(3)]) == information.weight((3,)) == math.log2(5)
    for ngram in ([1.5], ["a", 1], [(1,)], [None], [2**64]):
        assert information.weight(ngram) == 0


def test_information_is_equal_only_if_its_counts_are():
    found = [NIST.fit(references).information for references in (["a b"], ["a c"], ["a b c"], ["b"])]
    assert [[one == other for other in found] for one in found] == np.eye(4, dtype=bool).tolist()


def test_a_sentence_alone_is_sentence_nist(monkeypatch):
    monkeypatch.delattr(original, "sum")  # NLTK as it is
    references = [list("abcdefgab"), list("abdcab")]
    hypothesis = list("abcabd")
    theirs = original.sentence_nist(references, hypothesis)
    assert close(refscore.nist([hypothesis], [references]).value, theirs)


@pytest.mark.parametrize(
    ("hypothesis", "references", "value"),
    [
        ([], [["a"]], 0),
        ([], [[]], 0),
        (["a"], [[]], 0),
        (["a"], [["a"]], 0),
        (["a"], [["a", "b"]], math.exp(math.log(0.5) * (math.log(0.5) / math.log(1.5)) ** 2)),
        (["a", "b"], [["a", "b"], []], 1),
        (["b"], [["a", "b", "a", "a"], ["c"]], None),
        (list("ab"), [list("abc"), list("ab"), []], None),
    ],
)
def test_where_nltk_has_no_number(hypothesis, references, value):
    with pytest.raises(ZeroDivisionError):
        original.sentence_nist(references, hypothesis)
    found = refscore.nist([hypothesis], [references]).value
    assert found == pytest.approx(oracle.corpus([hypothesis], [references]))
    assert math.isfinite(found)
    if value is not None:
        assert found == pytest.approx(value)


def test_ties_go_to_the_longest_reference():
    score = refscore.nist([["a"]], [[["a", "x"], ["a", "x", "y", "z"], ["a"]]], max_order=1)
    assert score.ref_len == 4


def test_other_references_than_those_it_was_fitted_on():
    metric = NIST.preset("nltk").fit(["a b a c", "a b"])
    assert metric.segment("x y", "x y").value == 0
    row = metric.stats(["a x b"], ["a x b"])[0]
    assert row[2] == pytest.approx(math.log2(6 / 3) + math.log2(6 / 2))
    assert row[3] == 0


@pytest.mark.parametrize("tokenizer", ["none", "13a", "char", str.split], ids=str)
@given(corpus=strategies.text_corpora)
@examples(50)
def test_text(tokenizer, corpus):
    def split(text):
        return tokenizer(text) if callable(tokenizer) else oracle_tokenizers.tokenize(text, tokenizer)

    hypotheses, references = corpus
    tokens = [split(text) for text in hypotheses], [[split(text) for text in refs] for refs in references]
    score = refscore.nist(hypotheses, references, tokenizer=tokenizer)
    assert score.value == pytest.approx(oracle.corpus(*tokens), rel=1e-12, abs=1e-14)
    # Strings as tokens equal the tokens of text.
    fitted = NIST.fit(references, tokenizer=tokenizer)
    assert fitted.corpus(*tokens).value == score.value
    assert fitted == NIST.fit(tokens[1], tokenizer=tokenizer)


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


def test_forms_of_ids():
    ids = [[[1, 2, 3], [1, 2]], [[1, 5, 1, 2]]]
    metric = NIST.fit(ids)
    assert metric == NIST.fit([[np.array(row) for row in rows] for rows in ids])
    assert metric == NIST.fit([[[np.int32(token) for token in row] for row in rows] for rows in ids])
    batch = refscore.padded(np.array([[1, 2, 3, 0], [1, 2, 0, 0], [1, 5, 1, 2]]), pad_id=0)
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
    for broken in (data[:cut], data + b"\xff" * 12):
        with pytest.raises(refscore.InputError):
            Information.from_bytes(broken)
    noise = random.Random(cut)
    for _ in range(200):
        broken = bytearray(data)
        broken[noise.randrange(len(broken))] = noise.randrange(256)
        with contextlib.suppress(refscore.InputError):
            Information.from_bytes(bytes(broken)).weight(["the"])


@pytest.mark.parametrize("data", [None, 5, "text", bytearray(b"bytes")])
def test_information_is_read_from_bytes_alone(data):
    with pytest.raises(refscore.InputError, match=type(data).__name__):
        Information.from_bytes(data)


def test_signatures():
    metric = NIST.fit(REFERENCES, tokenizer="none", lowercase=True, max_order=3)
    assert metric.signature == (
        f"nist|case:lc|norm:none|tok:none|order:3|info:{metric.information.digest}|version:{refscore.__version__}"
    )
    unfitted = NIST(tokenizer="none", lowercase=True, max_order=3)
    assert refscore.from_signature(unfitted.signature) == unfitted
    assert unfitted.fit(REFERENCES) == metric
    with pytest.raises(refscore.SignatureError, match=metric.information.digest):
        refscore.from_signature(metric.signature)
    for broken in ("order:3|", "info:none|"):
        with pytest.raises(refscore.SignatureError):
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


def test_information_of_another_order():
    with pytest.raises(refscore.SettingError):
        NIST.fit(REFERENCES, max_order=3).with_settings({"information": NIST.fit(["a"], max_order=2).information})
    for order in (2, 4):
        with pytest.raises(refscore.SettingError):
            NIST(max_order=3, information=NIST.fit(["a"], max_order=order).information)


def test_nist_of_a_fitted_metric():
    information = NIST.fit(["the cat", "a dog sat"]).information
    score = refscore.nist(["a cat"], ["a cat"], information=information)
    assert score.metric.information == information


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
    scores = (refscore.nist(*corpus_of(seed, 2, 9, "abc"), max_order=3) for seed in range(200))
    score = next(score for score in scores if not score.ref_len.is_integer())
    assert f"ref_len = {score.ref_len:.2f})" in str(score)


SEGMENTS = {
    "one reference": ("the cat sat", "the cat sat on the mat"),
    "several": ("the dog sat on", ["the cat", "a dog sat on the rug", "the dog"]),
    "empty": ("", "a"),
    "empty references": ("a", ["", ""]),
    "tokens": (["the", "dog"], [["the", "dog", "sat"]]),
    "repeated": ("the the the on on", ["the the on", "on"]),
}


@pytest.mark.parametrize("order", [1, 3, 21])
def test_worked_steps(order):
    metric = NIST.fit(REFERENCES, max_order=order)
    for segment in SEGMENTS.values():
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
