"""BLEU's settings and scores as objects: validation, equality, representation."""

import numpy as np
import pytest
import sacrebleu

import refscore
from tests.reference import bleu as oracle

BLEU = refscore.BLEU


@pytest.mark.parametrize(
    "settings",
    [
        {"smoothing_value": 0.1},
        {"smoothing": "none", "smoothing_value": 0},
        {"smoothing": "nltk-5", "smoothing_value": 1},
        {"smoothing": "nltk-4", "smoothing_value": 0},
        {"smoothing": "nltk-7", "smoothing_value": 0},
        {"smoothing": "nltk-6", "max_order": 2},
        {"weights": ()},
        {"weights": (0, 0, 0, 0)},
        {"weights": (1,)},
    ],
    ids=repr,
)
def test_settings_that_do_not_go_together(settings):
    with pytest.raises(refscore.SettingError, match=list(settings)[-1]):
        BLEU(**settings)


# Metrics as objects


def test_settings_at_their_limits():
    assert BLEU(weights=(0, 1), max_order=2).segment("b c d", "a b c").value == 0.5
    assert BLEU(smoothing="nltk-6", max_order=3).segment("a b c", "a b c").value == pytest.approx(1)


@pytest.mark.parametrize(("smoothing", "value"), oracle.DEFAULT_VALUES.items())
def test_an_explicit_default_is_the_default(smoothing, value):
    plain, explicit = BLEU(smoothing=smoothing), BLEU(smoothing=smoothing, smoothing_value=value)
    assert (plain, hash(plain), plain.signature) == (explicit, hash(explicit), explicit.signature)
    assert plain != BLEU(smoothing=smoothing, smoothing_value=value + 1)


def test_equality():
    assert BLEU(weights=[0.5, 0.5], max_order=2) == BLEU(weights=(0.5, 0.5), max_order=2)
    assert BLEU(weights=np.array([1, 1]), max_order=2) == BLEU(weights=(1, 1), max_order=2)
    assert BLEU(smoothing="floor", smoothing_value=np.float32(0.5)) == BLEU(smoothing="floor", smoothing_value=0.5)
    assert BLEU() == BLEU.preset("sacrebleu") != BLEU.preset("sacrebleu-sentence")
    assert BLEU(tokenizer=str.split) == BLEU(tokenizer=str.split) != BLEU(tokenizer="none")


# Settings that act on text


def letters(text):
    return list(text.replace(" ", ""))


def numbers(text):
    return [sum(map(ord, word)) % 7 for word in text.split()]


def pairs(text):
    return tuple((word, len(word)) for word in text.split())


def mixed(text):
    return [int(word) if word.isdigit() else word or None for word in text.split()]


def lazily(text):
    return (word for word in text.split())


def arrays(text):
    return np.array([len(word) for word in text.split()], "int32")


@pytest.mark.parametrize("tokenizer", [str.split, letters, numbers, pairs, mixed, lazily, arrays])
def test_functions_as_tokenizers(tokenizer):
    hypotheses = ["the cat 1 2", "", "a b c d e f", "12 the the"]
    references = [["the cat 1 3", "a cat"], ["x"], ["a b c x d e f"], ["the 12 the", "12"]]
    tokens = [list(tokenizer(text)) for text in hypotheses], [[list(tokenizer(t)) for t in refs] for refs in references]
    rows = oracle.rows(oracle.Settings(), *tokens)
    metric = BLEU(tokenizer=tokenizer)
    assert metric.stats(hypotheses, references).tolist() == rows
    assert metric.stats(hypotheses, metric.prepare(references)).tolist() == rows
    assert tokenizer.__name__ in metric.signature


def test_functions_as_tokenizers_of_several_blocks():
    hypotheses, references = ["the cat", "", "a b"] * 1500, ["the cat", "x", "b a"] * 1500  # blocks of 4,096
    metric = BLEU(tokenizer=letters, max_order=1)
    assert metric.corpus(hypotheses, references).row.tolist() == [8 * 1500, 9 * 1500, 8 * 1500, 8 * 1500]


def test_functions_see_normalized_lowercase_text():
    seen = []
    metric = BLEU(tokenizer=lambda text: seen.append(text) or text.split(), lowercase=True, normalize="NFC")
    metric.segment("E\u0301 A", ["B"])
    assert sorted(seen) == ["b", "é a"]


# Scores


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (["the cat sat on a mat"], [["the cat sat on the mat"]]),
        (["the cat sat on a mat", "a"], [["the cat sat on the mat"], ["a dog ran off"]]),
        ([""], [["a b"]]),
        ([""], [[""]]),
        (["a b"], [[""]]),
        (["x y z"], [["a b c d e"]]),
        (["a b c d"] * 1000, [["a b c d"]] * 1000),
    ],
)
@pytest.mark.parametrize("max_order", [1, 4, 6])
def test_shown_as_sacrebleu_shows_it(hypotheses, references, max_order):
    theirs = sacrebleu.BLEU(max_ngram_order=max_order).corpus_score(hypotheses, [[refs[0] for refs in references]])
    assert str(BLEU(max_order=max_order).corpus(hypotheses, references)) == str(theirs)


@pytest.mark.parametrize(
    ("correct", "total", "hyp_len", "ref_len"),
    [
        ((6, 3, 2, 1), (10, 9, 8, 7), 1_234_567, 2_345_678),
        ((23, 20, 10, 5), (80, 79, 78, 77), 80, 80),
        ((98, 46, 10, 5), (160, 160, 158, 157), 160, 123_456_789),
        ((10**9, 10**8, 10**7, 10**6), (10**9 + 3, 10**9 + 2, 10**9 + 1, 10**9), 10**9 + 3, 10**9),
    ],
)
def test_large_numbers_and_ties_are_shown_as_sacrebleu_shows_them(correct, total, hyp_len, ref_len):
    theirs = sacrebleu.BLEU.compute_bleu(list(correct), list(total), hyp_len, ref_len, smooth_method="exp")
    assert str(BLEU().score([hyp_len, ref_len, *correct, *total])) == str(theirs)


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
def test_a_smoothing_value_of_0(smoothing):
    for hypothesis, reference in [("a b c d e", "a b c d f"), ("a b x d e", "a b c d f"), ("a", "a b c d")]:
        theirs = sacrebleu.BLEU(smooth_method=smoothing, smooth_value=0).corpus_score([hypothesis], [[reference]])
        ours = BLEU(smoothing=smoothing, smoothing_value=0).corpus([hypothesis], [reference])
        assert ours.percent == pytest.approx(theirs.score, abs=1e-12)


def test_ratios_and_mean_lengths():
    assert BLEU().corpus(["a"], [[""]]).ratio == 0.0
    assert BLEU().corpus([""], [[""]]).ratio == 0.0
    assert BLEU(reference_length="average").corpus(["a b"], [["a", "a b"]]).ref_len == 1.5
    assert " ref_len = 1.33)" in str(BLEU(reference_length="average").corpus(["a b"], [["a", "a", "a b"]]))
