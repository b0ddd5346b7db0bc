"""METEOR's settings, rows and scores as objects: validation with locations, equality, representation."""

import numpy as np
import pytest

import refscore
from tests.locations import raises_at
from tests.reference import close

METEOR = refscore.METEOR


def test_the_signature():
    assert METEOR().signature == (
        f"meteor|case:lc|norm:none|tok:none|alpha:0.9|beta:3.0|gamma:0.5|syn:none|version:{refscore.__version__}"
    )


def test_equality():
    assert METEOR() == METEOR(alpha=0.9, beta=3) == METEOR.preset("nltk", synonyms=None)
    assert hash(METEOR(beta=3)) == hash(METEOR(beta=3.0))
    assert METEOR(gamma=1) != METEOR() != refscore.RIBES()
    assert METEOR.higher_is_better
    assert METEOR(alpha=np.float64(0.5)) == METEOR(alpha=0.5)


HYPOTHESES = ["the cats sat", "on a mat", "", "x y", "b a"]
REFERENCES = [["the cat sat", "cats"], ["on the mat"], ["a"], [""], ["a b c"]]


def test_attributes_of_scores():
    score = METEOR().corpus(HYPOTHESES, REFERENCES)
    shown = (score.value, score.precision, score.recall, score.f_mean, score.penalty)
    assert all(close(value, score.row[k].item() / 5) for k, value in enumerate(shown))
    assert type(score.segments) is int
    assert str(score) == (
        f"METEOR = {score.percent:.2f} (P = {score.precision:.3f} R = {score.recall:.3f} "
        f"F = {score.f_mean:.3f} penalty = {score.penalty:.3f} segments = 5)"
    )


# Tokens: all strings, or none


class Word(str):
    """A string type with custom equality."""

    __slots__ = ()

    def __eq__(self, other):
        return super().__eq__(other)

    def __hash__(self):
        return super().__hash__()


MIXED = [
    ([["a", 1]], [[["a"]]]),
    ([["cats"], [1]], [[["cat"]], [[1]]]),
    ([["a"]], [[[1.5]]]),
    ([[Word("a")]], [[["a"]]]),
]


@pytest.mark.parametrize(("hypotheses", "references"), MIXED, ids=["within", "between", "sides", "subclass"])
def test_strings_among_other_tokens(hypotheses, references):
    """Otherwise, whether a string is stemmed would depend on the rest of the corpus."""
    metric = METEOR()
    for call in (metric.stats, metric.corpus, metric.segments, lambda h, r: metric.stats(h, metric.prepare(r))):
        with pytest.raises(refscore.InputError, match=r"string|different tokens"):
            call(hypotheses, references)
    singles = [entry[0] for entry in references]
    with pytest.raises(refscore.InputError, match="string"):
        metric.pairwise(hypotheses, singles, tokens=True)
    for other in (refscore.BLEU(), refscore.RIBES()):  # they do not inspect tokens
        other.stats(hypotheses, references)


def test_the_place_of_a_string_among_other_tokens():
    with raises_at(refscore.InputError, side="references", segment=1, reference=0, token=2):
        METEOR().stats([[1], [1]], [[[1]], [[1, 2, "a"]]])
    with raises_at(refscore.InputError, side="hypothesis", token=1):
        METEOR().alignment([1, "a"], [1])


def test_strings_of_numpy_are_words():
    assert (
        METEOR().segment(list(np.array(["cats", "dog"])), [["cat", "dogs"]]).value
        == METEOR().segment(["cats", "dog"], [["cat", "dogs"]]).value
    )


# Prepared references contain the words


def test_references_prepared_by_another_metric():
    prepared = refscore.RIBES().prepare(REFERENCES)
    assert np.array_equal(METEOR().stats(HYPOTHESES, prepared), METEOR().stats(HYPOTHESES, REFERENCES))
    prepared = METEOR().prepare(REFERENCES[:3])
    ribes = refscore.RIBES()
    assert np.array_equal(ribes.stats(HYPOTHESES[:3], prepared), ribes.stats(HYPOTHESES[:3], REFERENCES[:3]))


@pytest.mark.parametrize(
    ("references", "words"),
    [
        ([["the Cat", ""], "a"], [[["the", "cat"], []], [["a"]]]),
        ([[["a\ud800", "b" * 40, ""]]], [[["a\ud800", "b" * 40, ""]]]),
        ([[[1, -2, 2**62], []]], [[[1, -2, 2**62], []]]),
    ],
)
def test_words_of_prepared_references(references, words):
    native = METEOR().prepare(references).native
    assert [native.words(i) for i in range(len(native))] == words
    with pytest.raises(IndexError):
        native.words(len(native))
