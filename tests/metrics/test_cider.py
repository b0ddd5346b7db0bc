"""CIDEr beyond the common comparison (test_originals.py): fitting, given frequencies, rewards and worked steps."""

import contextlib
import copy
import math
import pickle
import random
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import CIDER
from refscore.inputs import MixedTokensError
from refscore.metrics import DocumentFrequencies
from refscore.rewards import Reward
from tests import strategies
from tests.corpora import generated
from tests.examples import examples
from tests.locations import raises_at
from tests.metrics.step_parts import tables
from tests.originals.cider import close, oracle_scores
from tests.reference import cider as oracle

REFERENCES = ["the cat sat on the mat", ["a dog sat on the rug", "the dog sat"], ["it rains", "rain falls on the mat"]]


@given(corpus=strategies.any_corpora, order=st.integers(1, 8))
@examples(150)
def test_tokens_of_any_kind(corpus, order):
    """They cannot be fitted, only scored as a corpus."""
    ours = refscore.cider(*corpus, tokenizer="none", max_order=order).value
    assert close(ours, oracle_scores(*corpus, max_order=order).corpus)


def test_weights():
    references = generated("weights", 40, 20, "abcdef")[1]
    frequencies = CIDER.fit(references).document_frequencies
    assert frequencies.documents == 40
    for ngram, count in oracle.frequencies(references).items():
        assert close(frequencies.weight(ngram), math.log(40) - math.log(count))
    for ngram in (["x"], ["a", "x"], [1], [1.5], ["a", 1], [(1,)], [None], list("abcdefab")):
        assert frequencies.weight(ngram) == math.log(40)


def test_several_references_of_a_segment_are_one_document():
    one, two = (CIDER.fit(references).document_frequencies for references in ([["a", "a"], "b"], ["a", "a", "b"]))
    assert one.weight(["a"]) == math.log(2)
    assert two.weight(["a"]) == math.log(3) - math.log(2)


def test_one_image_scores_zero():
    assert refscore.cider(["a dog runs"], [["a dog runs", "the dog"]]).value == 0


@pytest.mark.parametrize("hypothesis", ["", " ", "x", "a b"])
@pytest.mark.parametrize("references", ["", ["", ""], ["y z", ""]])
def test_empty_texts_and_texts_without_overlap(hypothesis, references):
    score = CIDER.fit(REFERENCES).segment(hypothesis, references)
    assert score.row.tolist() == [0, 0, 0, 0, 1]
    assert score.value == 0


def test_an_empty_reference_counts_in_the_mean():
    metric = CIDER.fit(REFERENCES)
    assert metric.segment("the dog", ["the dog", ""]).value == metric.segment("the dog", "the dog").value / 2 > 0


def test_a_perfect_caption_of_few_words_has_no_similarity_of_longer_ngrams():
    metric = CIDER.fit(REFERENCES)
    assert metric.segment("it rains", "it rains").similarities == pytest.approx((1, 1, 0, 0))
    assert metric.segment("rain falls on the mat", "rain falls on the mat").value == pytest.approx(10)


def test_repetition_pays_only_without_clipping():
    metric, plain = CIDER.fit(REFERENCES), CIDER.fit(REFERENCES, preset="textbook")
    texts = "dog dog dog dog dog dog", "the dog ran"
    assert plain.segment(*texts).value > metric.segment(*texts).value > 0


def test_other_references_than_those_it_was_fitted_on():
    metric = CIDER.fit(["a b", "a c", "d"], tokenizer="none")
    assert metric.segment("x y z v", "x y z v").value == pytest.approx(10)
    similarity = math.log(3) ** 2 / (math.log(3) ** 2 + math.log(3 / 2) ** 2)
    assert metric.segment("a x", "y x").similarities[0] < similarity
    assert metric.segment("x", "x a").similarities[0] == pytest.approx(math.sqrt(similarity) * math.exp(-1 / 72))


def test_ways_to_fit():
    plain = CIDER.fit(REFERENCES, tokenizer="none", max_order=3)
    assert plain == CIDER(tokenizer="none", max_order=3).fit(REFERENCES)
    assert plain == CIDER.preset("coco-caption").fit(iter(REFERENCES), max_order=3, tokenizer="none")
    assert plain == CIDER.fit(REFERENCES[::-1], tokenizer="none", max_order=3)
    assert plain == CIDER.fit(REFERENCES, tokenizer=str.split, max_order=3).fit(REFERENCES, tokenizer="none")
    assert plain != CIDER.fit(REFERENCES[:2], tokenizer="none", max_order=3)


COUNTS = oracle.frequencies([[text.split() for text in refs] for refs in REFERENCES[1:]])


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32])
def test_given_frequencies(kind):
    fitted = CIDER.fit(REFERENCES[1:], tokenizer="none").document_frequencies
    counts = {ngram: kind(count) for ngram, count in COUNTS.items()}
    frequencies = DocumentFrequencies.from_counts(counts, 2)
    assert frequencies == fitted
    assert frequencies == DocumentFrequencies.from_counts({**counts, ("x",): 0.0, tuple("abcde"): 2}, np.int64(2))
    assert CIDER(tokenizer="none", document_frequencies=frequencies) == CIDER.fit(REFERENCES[1:], tokenizer="none")


@given(corpus=strategies.word_corpora, order=st.integers(1, 5))
@examples(50)
def test_given_frequencies_equal_fitted_ones(corpus, order):
    fitted = CIDER.fit(corpus[1], max_order=order).document_frequencies
    counts = oracle.frequencies(corpus[1], order)
    assert DocumentFrequencies.from_counts(counts, len(corpus[1]), max_order=order) == fitted


def test_given_frequencies_without_prefixes():
    frequencies = DocumentFrequencies.from_counts({("a", "b", "c"): 5, ("b",): 7}, 10)
    assert frequencies.weight(["a", "b", "c"]) == math.log(10) - math.log(5)
    assert frequencies.weight(["a"]) == frequencies.weight(["a", "b"]) == frequencies.weight(["c"]) == math.log(10)
    assert frequencies.weight(["b"]) == math.log(10) - math.log(7)


def test_given_frequencies_of_ids_and_of_nothing():
    frequencies = DocumentFrequencies.from_counts({(1,): 2, (np.int64(1), 2): 2}, 4)
    assert frequencies.weight([1, 2]) == math.log(2)
    assert CIDER(document_frequencies=frequencies).segment([1, 2], [[1, 2]]).value == pytest.approx(5)
    assert DocumentFrequencies.from_counts({}, 4).weight(["a"]) == math.log(4)


@pytest.mark.parametrize(
    ("counts", "documents"),
    [
        ({("a",): 3}, 2),
        ({("a",): -1}, 2),
        ({("a",): 1.5}, 2),
        ({("a",): math.nan}, 2),
        ({("a",): math.inf}, 2),
        ({("a",): None}, 2),
        ({"a": 1}, 2),
        ({(): 1}, 2),
        ({1: 1}, 2),
        ({("a",): 1, (1,): 1}, 2),
        ({(1.5,): 1}, 2),
        ([("a", 1)], 2),
        ({}, 0),
        ({}, 2.0),
        ({}, 2**32),
    ],
    ids=str,
)
def test_frequencies_that_cannot_be_used(counts, documents):
    with pytest.raises((refscore.InputError, refscore.SettingError)):
        DocumentFrequencies.from_counts(counts, documents)


def test_a_fitted_metric_lasts():
    metric = CIDER.fit(REFERENCES)
    copies = [copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))]
    copies.append(CIDER(document_frequencies=DocumentFrequencies.from_bytes(metric.document_frequencies.to_bytes())))
    pairs = dict(part.split(":") for part in metric.signature.split("|")[1:])
    copies.append(CIDER.from_fitted_state(pairs, metric.fitted_state()))
    for other in copies:
        assert (other, hash(other), other.signature) == (metric, hash(metric), metric.signature)
        assert other.corpus(["the dog sat"], ["a dog sat"]) == metric.corpus(["the dog sat"], ["a dog sat"])
    assert re.fullmatch("[0-9a-f]{16}", metric.document_frequencies.digest)
    assert metric.document_frequencies.digest in repr(metric)


@pytest.mark.parametrize("cut", [0, 5, 17, 30, -1, -4])
def test_broken_bytes(cut):
    data = CIDER.fit(REFERENCES).document_frequencies.to_bytes()
    for broken in (data[:cut], data + b"\xff" * 12, None, "text", refscore.NIST.fit(["a"]).information.to_bytes()):
        with pytest.raises(refscore.InputError):
            DocumentFrequencies.from_bytes(broken)
    noise = random.Random(cut)
    for _ in range(200):
        broken = bytearray(data)
        broken[noise.randrange(len(broken))] = noise.randrange(256)
        with contextlib.suppress(refscore.InputError):
            DocumentFrequencies.from_bytes(bytes(broken)).weight(["the"])


def test_signatures():
    metric = CIDER(tokenizer="none", clip=False, sigma=None)
    assert metric.signature == (
        f"cider|case:mixed|norm:none|tok:none|order:4|clip:no|sigma:none|df:none|version:{refscore.__version__}"
    )
    for unfitted in (metric, CIDER(), CIDER(sigma=0.1)):
        assert refscore.from_signature(unfitted.signature) == unfitted
    with pytest.raises(refscore.errors.SignatureError, match="fit CIDER"):
        refscore.from_signature(metric.fit(REFERENCES).signature)


@pytest.mark.parametrize("sigma", [0, -1, math.inf, math.nan, "6", True])
def test_sigma_must_be_positive(sigma):
    with pytest.raises(refscore.SettingError, match="sigma"):
        CIDER(sigma=sigma)


def test_a_tiny_sigma_keeps_only_captions_of_equal_length():
    metric = CIDER.fit(REFERENCES, sigma=1e-300)
    assert metric.segment("the dog sat on", ["the dog sat on", "the dog"]).value == pytest.approx(5)


def test_unfitted():
    for call in (CIDER().stats, CIDER().segments, CIDER().segment, CIDER().explain):
        with pytest.raises(refscore.SettingError, match=r"\.fit\(references\)"):
            call(["a"], ["a"])


def test_tokens_of_another_kind():
    for references, hypotheses, targets in ((["a b"], [[1, 2]], [[[1, 2]]]), ([[[1, 2]]], ["a b"], ["a b"])):
        with pytest.raises(refscore.InputError):
            CIDER.fit(references).corpus(hypotheses, targets)
    with raises_at(MixedTokensError, side="references", segment=0, reference=0):
        CIDER.fit(REFERENCES).prepare([[[1.5, "a"]]])


def test_titles():
    assert [CIDER().title, CIDER.preset("textbook").title, CIDER(clip=False).title] == ["CIDEr-D", "CIDEr", "CIDEr"]
    assert CIDER.parse_title("CIDEr") == CIDER.parse_title("cider-d") == {}
    assert CIDER.parse_title("CIDEr-R") is None


def test_score():
    score = refscore.cider(["the cat sat", "x"], REFERENCES[:2], preset="textbook", tokenizer="none")
    shown = "/".join(f"{similarity:.3f}" for similarity in score.similarities)
    assert str(score) == f"CIDEr = {100 * score.value:.2f} (similarity = {shown} segments = 2)"
    assert score.value == pytest.approx(10 * sum(score.similarities) / 4)
    assert score.to_dict()["segments"] == 2


def test_rewards():
    metric = CIDER.fit(REFERENCES)
    completions = ["the dog sat", "", "a dog sat on the rug"]
    references = [REFERENCES[1]] * 3
    expected = metric.segments(completions, references) / 10
    assert Reward(metric)(completions=completions, reference=references) == pytest.approx(expected.tolist())
    mix = Reward({metric: 1, "chrf": 1})(completions=completions, reference=references)
    chrf = refscore.CHRF().segments(completions, references)
    assert mix == pytest.approx((0.5 * expected + 0.5 * chrf).tolist())
    with pytest.raises(refscore.SettingError, match=r"\.fit\(references\)"):
        Reward("cider")(completions=completions, reference=references)


SEGMENTS = [
    ("the cat sat", "the cat sat on the mat"),
    ("the dog sat on", ["the cat", "a dog sat on the rug", "the dog"]),
    ("", "a"),
    ("a", ["", ""]),
    (["the", "dog"], [["the", "dog", "sat"]]),
    ("the the the on on", ["the the on", "on"]),
]


@pytest.mark.parametrize("settings", [{}, {"max_order": 1}, {"max_order": 21, "clip": False}, {"sigma": None}], ids=str)
def test_worked_steps(settings):
    metric = CIDER.fit(REFERENCES, tokenizer="none", **settings)
    for segment in SEGMENTS:
        steps, score = metric.explain(*segment), metric.segment(*segment)
        assert steps.result.startswith(f"{metric.title} = {score.value:.4f}")
        assert metric.signature in str(steps)
        for order, similarity in enumerate(score.similarities, 1):
            if (table := tables(steps).get(f"Similarity of {order}-grams")) is not None:
                shown = [float(row.cells[-1]) for row in table.rows]
                assert sum(shown) / len(shown) == pytest.approx(similarity, abs=1e-4)
            else:
                assert similarity == 0
