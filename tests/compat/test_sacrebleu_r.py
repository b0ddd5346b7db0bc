"""The drop-in for the R package sacRebleu. Its weights are float32, so its numbers agree to 1e-6."""

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.compat.sacrebleu_r import bleu_corpus_ids, bleu_sentence_ids
from tests import strategies
from tests.examples import examples
from tests.reference import bleu as oracle, close

CANDIDATES = [[1, 2, 3], [1, 2]]
REFERENCES = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]]
OUR_NAMES = {None: "none", "floor": "floor-segments", "add-k": "add-k-all"}


def approx(value):
    return pytest.approx(value, rel=0, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "value"),
    [({"n": 3}, 0.7937005), ({"n": 4, "smoothing": "add-k"}, 0.6865890), ({"smoothing": "floor"}, 0.484273)],
)
def test_corpus(options, value):
    score = bleu_corpus_ids(REFERENCES, CANDIDATES, **options)
    assert score == approx(value) and type(score) is float


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"smoothing": "floor", "epsilon": 0.01}, 0.2236068),
        ({"smoothing": "floor", "epsilon": 0.1}, 0.397635),
        ({"smoothing": "floor"}, 0.397635),
        ({"smoothing": "add-k"}, 0.668740),
        ({"smoothing": "add-k", "k": 1}, 0.668740),
        ({}, 0.0),
    ],
)
def test_sentence(options, value):
    score = bleu_sentence_ids([[1, 2, 3, 4]], [1, 2, 3, 5], **options)
    assert score == approx(value) and type(score) is float


def test_sacrebleus_addition_is_another():
    metric = refscore.BLEU.preset("r", smoothing="add-k", short_order="zero")
    assert metric.segment([1, 2, 3, 5], [[1, 2, 3, 4]]).value == approx(0.658037)


def test_the_number_of_weights_overrides_n():
    two = bleu_sentence_ids([[1, 2, 3, 4]], [1, 2, 3, 5], n=2)
    assert two > 0
    assert bleu_sentence_ids([[1, 2, 3, 4]], [1, 2, 3, 5], n=4, weights=[0.5, 0.5]) == approx(two)


@given(
    corpus=strategies.id_corpora,
    n=st.integers(1, 5),
    weighted=st.booleans(),
    smoothing=st.sampled_from(list(OUR_NAMES)),
    epsilon=st.sampled_from([0.1, 0.01]),
    k=st.sampled_from([1, 2]),
)
@examples(150)
def test_equal_to_the_oracle(*, corpus, n, weighted, smoothing, epsilon, k):
    candidates, references = corpus
    weights = [(i + 1) / (n * (n + 1) / 2) for i in range(n)] if weighted else None
    options = {"n": n, "weights": weights, "smoothing": smoothing, "epsilon": epsilon, "k": k}
    setting = oracle.Settings(
        max_order=n,
        weights=weights and tuple(weights),
        smoothing=OUR_NAMES[smoothing],
        smoothing_value={"floor": epsilon, "add-k": k}.get(smoothing),
        reference_length="closest-first",
        short_order="pad",
        no_match="smooth",
    )
    score = bleu_corpus_ids(references, candidates, **options)
    assert close(score, oracle.corpus(setting, candidates, references).value)
    for candidate, refs in zip(candidates, references, strict=True):
        assert close(bleu_sentence_ids(refs, candidate, **options), oracle.segment(setting, candidate, refs).value)
