"""BLEU's settings and scores as objects: what is refused, what is equal, what is shown."""

import json
import math
import pickle
import re
import unicodedata
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings

import refscore
from tests import strategies
from tests.reference import bleu as oracle
from tests.reference import tokenizers as oracle_tokenizers

BLEU = refscore.BLEU

WRONG = [
    ({"max_order": 0}, "max_order must be a whole number of at least 1, not 0"),
    ({"max_order": -1}, "max_order must be"),
    ({"max_order": True}, "max_order must be .* not True"),
    ({"max_order": 2.5}, "max_order must be .* not 2.5"),
    ({"max_order": "4"}, "max_order must be .* not '4'"),
    ({"max_order": None}, "max_order must be"),
    ({"max_order": 2**70}, "max_order must be"),
    ({"weights": (0.5, 0.5)}, "weights has 2 entries for max_order=4: .*set max_order=2"),
    ({"weights": (1, 1, 1, 1, 1)}, "weights has 5 entries for max_order=4: .*set max_order=5"),
    ({"weights": ()}, "weights has 0 entries"),
    ({"weights": (1, 1, 1, -1)}, "weights must be .*not negative"),
    ({"weights": (1, 1, 1, math.nan)}, "weights must be finite"),
    ({"weights": (1, 1, 1, math.inf)}, "weights must be finite"),
    ({"weights": (1, 1, 1, 10**400)}, "weights must be"),
    ({"weights": (0, 0, 0, 0)}, "weights must be .*not all 0"),
    ({"weights": ("1", "1", "1", "1")}, "weights must be"),
    ({"weights": "1111"}, "weights must be"),
    ({"weights": ("a", "b", "c", "d")}, "weights must be a tuple of numbers"),
    ({"weights": 0.25}, "weights must be a tuple of numbers, not 0.25"),
    ({"weights": (None, 1, 1, 1)}, "weights must be a tuple of numbers"),
    ({"smoothing_value": 0.1}, "smoothing 'exp' takes no smoothing_value"),
    ({"smoothing": "none", "smoothing_value": 0}, "smoothing 'none' takes no smoothing_value"),
    ({"smoothing": "nltk-5", "smoothing_value": 1}, "smoothing 'nltk-5' takes no smoothing_value"),
    ({"smoothing": "floor", "smoothing_value": -0.1}, "smoothing_value must be a number of at least 0, not -0.1"),
    ({"smoothing": "floor", "smoothing_value": math.nan}, "smoothing_value must be a number"),
    ({"smoothing": "add-k", "smoothing_value": math.inf}, "smoothing_value must be a number"),
    ({"smoothing": "add-k", "smoothing_value": "1"}, "smoothing_value must be a number"),
    ({"smoothing": "add-k", "smoothing_value": True}, "smoothing_value must be a number"),
    ({"smoothing": "add-k", "smoothing_value": 10**400}, "smoothing_value must be"),
    ({"smoothing": "add-k", "smoothing_value": 1j}, "smoothing_value must be"),
    ({"smoothing": "add-k", "smoothing_value": np.complex64(1)}, "smoothing_value must be"),
    ({"smoothing": "nltk-4", "smoothing_value": 0}, "nltk-4 is divided by: it cannot be 0"),
    ({"smoothing": "nltk-7", "smoothing_value": 0}, "nltk-7 is divided by: it cannot be 0"),
    ({"smoothing": "nltk-6", "max_order": 2}, "nltk-6 looks at trigrams: max_order must be at least 3, not 2"),
    ({"lowercase": "yes"}, "lowercase must be True, False or 'ascii', not 'yes'"),
    ({"lowercase": None}, "lowercase must be"),
    ({"lowercase": 1}, "lowercase must be True, False or 'ascii', not 1"),
    ({"lowercase": 0}, "lowercase must be"),
    ({"lowercase": []}, "lowercase must be"),
    ({"effective_order": 1}, "effective_order must be True or False, not 1"),
    ({"effective_order": None}, "effective_order must be"),
    ({"require_match": "no"}, "require_match must be True, False or 'all', not 'no'"),
    ({"require_match": 1}, "require_match must be"),
    ({"require_match": []}, "require_match must be"),
    ({"tokenizer": None}, "tokenizer must be a name or a function"),
    ({"tokenizer": ["13a"]}, "tokenizer must be a name or a function"),
]

UNKNOWN = [
    ({"smoothing": "epx"}, "unknown smoothing 'epx'; did you mean 'exp'"),
    ({"smoothing": "add_k"}, "did you mean 'add-k'"),
    ({"smoothing": "nltk-8"}, "did you mean 'nltk-"),
    ({"smoothing": "zzzzzz"}, r"unknown smoothing 'zzzzzz' \(there are: add-k, .*none"),
    ({"smoothing": None}, "unknown smoothing None"),
    ({"smoothing": ["exp"]}, "unknown smoothing"),
    ({"tokenizer": "13b"}, "unknown tokenizer '13b'; did you mean '13a'"),
    ({"tokenizer": "international"}, "there are: 13a, 13a-evaluate, ascii-spaces, char, char-spaces, flores101"),
    ({"tokenizer": ""}, "unknown tokenizer ''"),
    ({"normalize": "nfc"}, "unknown normalization 'nfc'; did you mean|unknown normalization 'nfc' .*NFC"),
    ({"normalize": "NFD"}, "did you mean 'NF"),
    ({"normalize": None}, "unknown normalization None"),
    ({"normalize": ["NFC"]}, "unknown normalization"),
    ({"reference_length": "closer"}, "did you mean 'closest'"),
    ({"reference_length": None}, "reference length"),
    ({"short_order": "padded"}, "did you mean 'pad'"),
    ({"short_order": 0}, "short"),
]


def ids(case):
    return ", ".join(f"{key}={value!r}"[:40] for key, value in case.items()) if isinstance(case, dict) else ""


@pytest.mark.parametrize(("options", "message"), WRONG, ids=ids)
def test_wrong_values(options, message):
    for make in (BLEU, lambda **given: BLEU.preset("sacrebleu", **given)):
        with pytest.raises(refscore.SettingError, match=message):
            make(**options)
    with pytest.raises(refscore.SettingError, match=message):
        refscore.bleu(["a"], ["a"], **options)


@pytest.mark.parametrize(("options", "message"), UNKNOWN, ids=ids)
def test_unknown_names(options, message):
    with pytest.raises(refscore.UnknownNameError, match=message):
        BLEU(**options)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sacreblue", "unknown preset 'sacreblue'; did you mean 'sacrebleu'"),
        ("NLTK", "there are: coco-caption, .*mteval, multi-bleu, nltk, r,"),
        ("", "unknown preset ''"),
        (None, "unknown preset None"),
        (["r"], "unknown preset"),
    ],
)
def test_unknown_presets(name, message):
    with pytest.raises(refscore.UnknownNameError, match=message):
        BLEU.preset(name)
    if name is not None:
        with pytest.raises(refscore.UnknownNameError, match=message):
            refscore.bleu(["a"], ["a"], preset=name)


def test_unknown_settings_and_positions():
    with pytest.raises(TypeError, match="order"):
        BLEU(order=4)
    with pytest.raises(TypeError):
        BLEU("13a")


@pytest.mark.parametrize("threads", [0, -1, True, "2", 1.0])
def test_wrong_threads(threads):
    metric = BLEU()
    for call in (metric.stats, metric.corpus, metric.segments, metric.pairwise, refscore.bleu):
        with pytest.raises(refscore.SettingError, match="threads must be a whole number of at least 1, or None"):
            call(["a"], ["a"], threads=threads)


@pytest.mark.parametrize("threads", [1, 3, 1000, 2**31, 2**70, None])
def test_more_threads_than_work(threads):
    assert BLEU(max_order=1).corpus(["a", "b"], ["a", "b"], threads=threads).value == 1.0


# Metrics as objects

DEFAULTS = [
    ("floor", 0.1),
    ("add-k", 1),
    ("floor-segments", 0.1),
    ("add-k-all", 1),
    ("nltk-1", 0.1),
    ("nltk-4", 5),
    ("nltk-6", 5),
    ("nltk-7", 5),
]


@pytest.mark.parametrize(("smoothing", "value"), DEFAULTS)
def test_an_explicit_default_is_the_default(smoothing, value):
    plain, explicit = BLEU(smoothing=smoothing), BLEU(smoothing=smoothing, smoothing_value=value)
    assert plain == explicit
    assert hash(plain) == hash(explicit)
    assert plain.signature == explicit.signature
    assert plain != BLEU(smoothing=smoothing, smoothing_value=value + 1)
    assert dict(DEFAULTS)[smoothing] == oracle.DEFAULT_VALUES[smoothing]


def test_equality():
    assert BLEU(weights=[0.5, 0.5], max_order=2) == BLEU(weights=(0.5, 0.5), max_order=2)
    assert BLEU(weights=np.array([1, 1]), max_order=2) == BLEU(weights=(1, 1), max_order=2)
    assert BLEU(smoothing="floor", smoothing_value=np.float32(0.5)) == BLEU(smoothing="floor", smoothing_value=0.5)
    assert BLEU() == BLEU.preset("sacrebleu") != BLEU.preset("sacrebleu-sentence")
    assert BLEU() != BLEU().signature
    assert len({BLEU(), BLEU(max_order=4), BLEU(tokenizer="13a"), BLEU(max_order=3)}) == 2
    assert BLEU(tokenizer=str.split) == BLEU(tokenizer=str.split) != BLEU(tokenizer="none")


@pytest.mark.parametrize("name", ["tokenizer", "max_order", "kernel", "pipeline", "something"])
def test_frozen(name):
    metric = BLEU()
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(metric, name, "none")
    with pytest.raises((FrozenInstanceError, AttributeError)):
        delattr(metric, name)


def test_repr_can_be_evaluated():
    for metric in (BLEU(), BLEU(smoothing="floor", weights=(1, 0), max_order=2, lowercase="ascii"), BLEU.preset("r")):
        assert eval(repr(metric), {"BLEU": BLEU}) == metric


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol):
    for metric in (BLEU(), BLEU(tokenizer=str.split), BLEU(smoothing="nltk-6", weights=(1, 2, 3, 4))):
        copy = pickle.loads(pickle.dumps(metric, protocol))
        assert (copy, hash(copy), copy.signature) == (metric, hash(metric), metric.signature)
        score = metric.corpus(["a b c d e"], [["a b c d f", "b"]])
        again = pickle.loads(pickle.dumps(score, protocol))
        assert again == score
        assert (again.to_dict(), str(again), again.metric) == (score.to_dict(), str(score), metric)


# Settings that act on text


@given(corpus=strategies.text_corpora)
@settings(max_examples=25)
@pytest.mark.parametrize("normalize", ["none", "NFC", "NFKC"])
@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
def test_lowercase_and_normalize_by_hand(lowercase, normalize, corpus):
    def prepare(text):
        text = text if normalize == "none" else unicodedata.normalize(normalize, text)
        if lowercase == "ascii":
            return re.sub("[A-Z]", lambda match: match[0].lower(), text)
        return text.lower() if lowercase else text

    hypotheses, references = corpus
    by_hand = [prepare(text) for text in hypotheses], [[prepare(text) for text in refs] for refs in references]
    rows = BLEU(lowercase=lowercase, normalize=normalize).stats(hypotheses, references)
    assert np.array_equal(rows, BLEU().stats(*by_hand))
    tokens = [oracle_tokenizers.tokenize(text) for text in by_hand[0]]
    assert rows[:, 0].tolist() == [len(item) for item in tokens]


def test_normalization_comes_before_lowercasing():
    metric = BLEU(tokenizer="none", max_order=1, normalize="NFKC", lowercase=True)
    assert metric.segment("Ⅳ ＡB ﬁ İ", ["iv ab fi i̇"]).counts == (4,)


def letters(text):
    return list(text.replace(" ", ""))


def numbers(text):
    return [hash(word) % 7 for word in text.split()]


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
    many = metric.stats(hypotheses * 2000, references * 2000)  # more than one block
    assert np.array_equal(many, np.array(rows * 2000))
    assert metric.corpus(hypotheses * 2000, references * 2000).row.tolist() == many.sum(axis=0).tolist()
    prepared = metric.prepare(references)
    assert metric.stats(hypotheses, prepared).tolist() == rows
    assert tokenizer.__name__ in metric.signature


def test_functions_see_normalized_lowercase_text():
    seen = []
    metric = BLEU(tokenizer=lambda text: seen.append(text) or text.split(), lowercase=True, normalize="NFC")
    metric.segment("E\u0301 A", ["B"])
    assert sorted(seen) == ["b", "é a"]


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (lambda text: text, "the tokenizer returned .*: it has to return a sequence of tokens"),
        (lambda text: None, "the tokenizer returned .*: it has to return a sequence of tokens"),
        (len, "the tokenizer returned .*: it has to return a sequence of tokens"),
        (lambda text: text.encode(), "the tokenizer returned .*: it has to return a sequence of tokens"),
        (lambda text: [[text]], "tokens must be hashable"),
    ],
    ids=["string", "None", "number", "bytes", "lists"],
)
def test_functions_that_are_no_tokenizers(tokenizer, message):
    metric = BLEU(tokenizer=tokenizer)
    for call in (
        lambda: metric.corpus(["a b"], ["a b"]),
        lambda: metric.prepare(["a b"]),
        lambda: metric.pairwise(["a b"], ["a b"]),
        lambda: metric.explain("a b", "a b"),
    ):
        with pytest.raises(refscore.InputError, match=message):
            call()


def test_errors_of_functions_come_through():
    def tokenizer(text):
        raise LookupError(text)

    with pytest.raises(LookupError):
        BLEU(tokenizer=tokenizer).corpus(["a"], ["a"])


def test_bad_tokens_of_functions_are_named_with_their_place_in_the_corpus():
    metric = BLEU(tokenizer=lambda text: [[text]] if text == "bad" else [text])
    with pytest.raises(refscore.InputError, match=r"hypotheses\[4999\]"):
        metric.stats(["a"] * 4999 + ["bad"], ["a"] * 5000)


# Rows


@pytest.mark.parametrize(
    "row",
    [
        [1, 2, 3],
        [1] * 11,
        [[1] * 10],
        5,
        None,
        "1111111111",
        ["1"] * 10,
        [None] * 10,
        [1j] * 10,
        [True] * 10,
        [[1], [2, 3]],
        [math.nan] * 10,
        [math.inf] * 10,
        [-1] * 10,
    ],
    ids=repr,
)
def test_wrong_rows(row):
    with pytest.raises(refscore.InputError, match="hyp_len"):
        BLEU().score(row)


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, lambda row: np.array(row, "float64"), lambda row: np.array(row, ">u2")]
)
def test_rows_of_other_types(kind):
    row = oracle.row(oracle.Settings(), list("abcdxf"), [list("abcdef")])
    score = BLEU().score(kind(row))
    assert score.value == BLEU().segment(list("abcdxf"), [list("abcdef")]).value
    assert (score.counts, score.totals, score.hyp_len, score.ref_len) == ((5, 3, 2, 1), (6, 5, 4, 3), 6, 6)
    assert {type(item) for item in (*score.counts, *score.totals, score.hyp_len, score.ref_len)} == {int}


def test_a_score_does_not_follow_the_row_it_was_made_of():
    row = np.array([4, 4, 4, 3, 2, 1, 4, 3, 2, 1])
    score = BLEU().score(row)
    row[:] = 0
    assert score.value == 1.0


# Scores


def make_score():
    return BLEU().corpus(["the cat sat on a mat"], [["the cat sat on the mat", "a cat"]])


@pytest.mark.parametrize("name", ["value", "row", "metric", "counts", "something"])
def test_scores_are_frozen(name):
    score = make_score()
    with pytest.raises(AttributeError):
        setattr(score, name, 1)
    with pytest.raises(AttributeError):
        delattr(score, name)
    assert score == make_score()


def test_rows_of_scores_are_frozen():
    score = make_score()
    with pytest.raises(ValueError, match="read-only"):
        score.row[0] = 100


def test_equal_scores_have_equal_hashes():
    row = make_score().row
    scores = [BLEU().score(row), BLEU().score(row.astype(float)), BLEU().score(row.tolist())]
    assert scores[0] == scores[1] == scores[2]
    assert len(set(scores)) == 1
    assert BLEU().score(row) != BLEU(smoothing="none").score(row)
    assert BLEU().score(row) != 0.5
    assert {make_score(), make_score()} == {make_score()}


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


@pytest.mark.parametrize(
    "options", [{}, {"short_order": "pad"}, {"smoothing": "nltk-5"}, {"smoothing": "floor-segments"}], ids=str
)
@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
def test_counts_are_found_among_other_columns(options, max_order):
    hypotheses, references = ["the cat sat on a mat", "a dog"], ["the cat sat on the mat", "a dog ran"]
    theirs = sacrebleu.BLEU(max_ngram_order=max_order).corpus_score(hypotheses, [references])
    ours = BLEU(max_order=max_order, **options).corpus(hypotheses, references)
    assert (list(ours.counts), list(ours.totals)) == (theirs.counts, theirs.totals)


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
def test_a_smoothing_value_of_0(smoothing):
    for hypothesis, reference in [("a b c d e", "a b c d f"), ("a b x d e", "a b c d f"), ("a", "a b c d")]:
        theirs = sacrebleu.BLEU(smooth_method=smoothing, smooth_value=0).corpus_score([hypothesis], [[reference]])
        ours = BLEU(smoothing=smoothing, smoothing_value=0).corpus([hypothesis], [reference])
        assert ours.percent == pytest.approx(theirs.score, abs=1e-12)


def test_numbers():
    score = make_score()
    assert float(score) == score.value == score.percent / 100
    assert type(float(score)) is float
    assert f"{score}" == str(score)
    assert repr(score) == f"<{score}>"
    assert BLEU().corpus(["a"], [[""]]).ratio == 0.0
    assert BLEU().corpus([""], [[""]]).ratio == 0.0
    assert BLEU(reference_length="average").corpus(["a b"], [["a", "a b"]]).ref_len == 1.5
    assert " ref_len = 1.33)" in str(BLEU(reference_length="average").corpus(["a b"], [["a", "a", "a b"]]))


@pytest.mark.parametrize(
    "metric", [BLEU(), BLEU(reference_length="average"), BLEU.preset("r"), BLEU(tokenizer=letters)]
)
def test_to_dict_is_json(metric):
    for hypothesis in ("the cat sat on a mat", "", "x"):
        score = metric.corpus([hypothesis], [["the cat sat on the mat", "a"]])
        data = json.loads(json.dumps(score.to_dict(), allow_nan=False))
        assert data == score.to_dict()
        assert data["metric"] == "bleu"
        assert data["value"] == score.value
        assert data["percent"] == score.percent
        assert data["precisions"] == list(score.precisions)
        assert (data["counts"], data["totals"]) == (list(score.counts), list(score.totals))
        assert data["signature"] == score.signature


def test_html_is_escaped():
    score = BLEU(tokenizer=lambda text: text.split()).corpus(["a"], ["a"])
    html = score._repr_html_()
    assert "<lambda>" in score.signature
    assert "<lambda>" not in html
    assert "&lt;lambda&gt;" in html
    assert f"{score.value}" in html


@pytest.mark.parametrize(
    ("name", "near"), [("tokenize", "tokenizer"), ("lower", "lowercase"), ("Smoothing", "smoothing")]
)
def test_unknown_settings_suggest_the_nearest(name, near):
    with pytest.raises(refscore.UnknownNameError, match=f"unknown setting '{name}'; did you mean '{near}'"):
        refscore.bleu(["a"], ["a"], **{name: "x"})
    with pytest.raises(refscore.UnknownNameError, match=near):
        BLEU.preset("nltk", **{name: "x"})


def test_format_of_scores():
    score = make_score()
    assert f"{score:.3f}" == f"{score.value:.3f}"
