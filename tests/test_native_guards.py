"""Kernels check their arguments: invalid settings and input raise errors and never crash."""

import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import refscore
from refscore import _native

RULES = _native.TextRules("13a")
LINES = _native.TextRules("13a", lines=True)
HUGE = 2**63
MORE_THAN_32_BITS = 2**32 + 1


DEFAULTS = {
    _native.Bleu: {
        "max_order": 4,
        "weights": [],
        "smoothing": "exp",
        "smoothing_value": 0.0,
        "effective_order": False,
        "reference_length": "closest",
        "short_order": "zero",
        "no_match": "zero",
    },
    _native.Chrf: {
        "rules": _native.TextRules("char"),
        "char_order": 6,
        "word_order": 0,
        "beta": 2.0,
        "whitespace": False,
        "smoothing": "none",
        "average": "micro",
    },
    _native.Gleu: {"min_order": 1, "max_order": 4},
    _native.Rouge: {
        "kind": "L",
        "order": 1,
        "skip": None,
        "power": 1.2,
        "beta": 1.0,
        "combine": "best",
    },
    _native.Ribes: {
        "alpha": 0.25,
        "beta": 0.1,
        "first_context": "left",
        "context_limit": "none",
        "correlation": "tau",
        "single_word": "reference",
        "empty_reference": "error",
    },
    _native.Character: {},
    _native.Eed: {"alpha": 2.0, "rho": 0.3, "deletion": 0.2, "insertion": 1.0},
    _native.Meteor: {"alpha": 0.9, "beta": 3.0, "gamma": 0.5},
    _native.Cider: {
        "native_weights": _native.DocumentFrequencies.fit(["a b", "a c"], RULES, 3),
        "clip": True,
        "sigma": 6.0,
    },
    _native.Nist: {"native_weights": _native.NistInformation.fit(["a b", "a c"], RULES, 3)},
    _native.Subtitles: {},
    _native.Ter: {},
    _native.Accuracy: {"match": "number", "processing": "text", "tolerance": 0.05, "annotators": "vote"},
    _native.EditSimilarity: {
        "threshold": 0.5,
        "at_threshold": "count",
        "average": "segments",
        "both_empty": "one",
    },
    _native.ErrorRate: {},
    _native.UnorderedErrorRate: {},
    _native.ExactMatch: {"empty_reference": "count"},
    _native.TokenF1: {"empty_reference": "count", "both_empty": "zero"},
}

DEFAULTS[_native.CrystalBleu] = {
    **DEFAULTS[_native.Bleu],
    "native_weights": _native.FrequentNgrams.fit(["a b", "a c"], RULES, 3, 2),
}


def scorer_of(kind, /, **settings):
    values = {"rules": RULES, **DEFAULTS[kind], **settings}
    rules = values.pop("rules")
    metric = SimpleNamespace(**values)
    metric.parsed_variant = metric
    return kind(rules, metric)


bleu, chrf, gleu, rouge, ribes, meteor, eed = (
    partial(scorer_of, kind)
    for kind in (_native.Bleu, _native.Chrf, _native.Gleu, _native.Rouge, _native.Ribes, _native.Meteor, _native.Eed)
)


def lsum():
    return rouge(rules=LINES, kind="Lsum")


every_scorer = pytest.mark.parametrize(
    "make", [pytest.param(partial(scorer_of, kind), id=kind.__name__) for kind in DEFAULTS]
)


@every_scorer
def test_lines(make):
    """Line ends are marked by a number that no token has, which only ROUGE-Lsum and W support."""
    with pytest.raises(ValueError, match="lines"):
        make(rules=LINES)


def test_lines_of_rouge():
    for variant in ("Lsum", "W"):
        assert rouge(rules=LINES, kind=variant).counted(["a b\nc"], ["a\nb c"], 1)[0].shape == (1, 4)
        with pytest.raises(ValueError, match="lines"):
            rouge(kind=variant)
    for call in (
        _native.DocumentFrequencies.fit,
        _native.NistInformation.fit,
        partial(_native.FrequentNgrams.fit, most=1),
        lambda texts, rules, order: _native.distinct_ngrams(texts, rules, order, 1),
    ):
        with pytest.raises(ValueError, match="lines"):
            call(["a\nb"], LINES, 2)


@every_scorer
def test_references_prepared_with_lines(make):
    prepared = lsum().prepare(["a b\nc d"], 1)
    assert prepared.words(0) == [["a", "b", "\n", "c", "d", "\n"]]
    scorer = make()
    if isinstance(scorer, _native.Chrf):
        with pytest.raises(TypeError):
            scorer.pairwise(["a b"], prepared, 1)
        return
    for call in (scorer.counted, scorer.total, scorer.pairwise):
        with pytest.raises(ValueError, match="prepared"):
            call(["a b"], prepared, 1)
    if hasattr(scorer, "aggregate"):
        with pytest.raises(ValueError, match="prepared"):
            scorer.aggregate(["a b"], prepared, np.zeros(0))


def test_references_prepared_without_lines():
    with pytest.raises(ValueError, match="prepared"):
        lsum().counted(["a\nb"], rouge().prepare(["a b"], 1), 1)


def test_references_prepared_for_other_units():
    """Code points and token numbers differ, and words may be missing."""
    codes, units, words = chrf(), chrf(rules=RULES), chrf(word_order=2)
    for reader, scorer in ((codes, units), (units, codes), (codes, words), (units, words)):
        prepared = reader.prepare(["a b"], 1)
        with pytest.raises(ValueError, match="prepared"):
            scorer.counted(["a b"], prepared, 1)
        with pytest.raises(ValueError, match="prepared"):
            scorer.pairwise(["a b"], prepared, 1)
    assert (
        codes.counted(["a b"], words.prepare(["a b"], 1), 1)[0].tolist()
        == codes.counted(["a b"], ["a b"], 1)[0].tolist()
    )


WRONG_SETTINGS = {
    bleu: {
        "max_order": [0, HUGE, 2**64 - 1],
        "weights": [[0.5, 0.5], [1.0] * 5, [math.nan] * 4],
        "smoothing_value": [math.inf],
    },
    gleu: {"min_order": [0, 5], "max_order": [HUGE]},
    chrf: {"char_order": [0, HUGE], "word_order": [HUGE], "beta": [math.nan, -1.0]},
    partial(chrf, char_order=HUGE): {"word_order": [HUGE]},
    partial(rouge, kind="N"): {"order": [0, HUGE]},
    rouge: {"beta": [-1.0, math.nan, math.inf], "power": [0.9, 5.1, math.nan]},
    partial(scorer_of, _native.CrystalBleu): {"max_order": [0, 65, HUGE]},
    partial(lambda order: _native.FrequentNgrams.fit(["a b"], RULES, order, 1)): {"order": [0, 65, 2**32 + 1]},
    ribes: {"alpha": [math.nan], "beta": [-1.0]},
    meteor: {"alpha": [2.0], "beta": [math.inf], "gamma": [math.nan]},
    eed: {"alpha": [-1.0], "rho": [math.nan], "deletion": [math.inf], "insertion": [-0.5]},
    partial(lambda order: _native.distinct_ngrams(["a b"], RULES, order, 1)): {"order": [0, 2**64 - 1]},
    partial(lambda order: _native.NistInformation.fit(["a b"], RULES, order)): {"order": [0, 65, 2**32 + 1]},
    partial(lambda order: _native.DocumentFrequencies.fit(["a b"], RULES, order)): {"order": [0, 65, 2**32 + 1]},
    partial(scorer_of, _native.Cider): {"sigma": [0.0, -1.0, math.nan, math.inf]},
}


@pytest.mark.parametrize("make", WRONG_SETTINGS)
def test_settings(make):
    for name, values in WRONG_SETTINGS[make].items():
        for value in values:
            with pytest.raises(ValueError, match=r"order|weight|beta|alpha|gamma|power|sigma|smoothing|n-grams|costs"):
                make(**{name: value})


def test_settings_without_such_a_value():
    for make, settings in (
        (bleu, {"smoothing": "many"}),
        (bleu, {"max_order": "4"}),
        (bleu, {"effective_order": "no"}),
        (ribes, {"correlation": 1}),
        (chrf, {"average": None}),
    ):
        with pytest.raises(TypeError, match=next(iter(settings))):
            make(**settings)
    for arguments in (("unknown",), ("13a", "lower"), (13,)):
        with pytest.raises((TypeError, ValueError)):
            _native.TextRules(*arguments)


def test_no_information():
    with pytest.raises(TypeError):
        scorer_of(_native.Nist, native_weights=None)
    with pytest.raises(TypeError):
        scorer_of(_native.Cider, native_weights=None)


def test_the_highest_order_of_information():
    words = " ".join(["a"] * 70)
    scorer = scorer_of(_native.Nist, native_weights=_native.NistInformation.fit([words], RULES, 64))
    row = scorer.counted([words], [words], 1)[0][0]
    assert len(row) == 130 and row[-64:].tolist() == [70.0 - n for n in range(64)]


def test_weight_of_one_ngram():
    information = _native.NistInformation.fit(["a b", "a c"], RULES, 3)
    assert information.weight([["a"]]) == 1
    for ngrams in ([], [["a"], ["b"]]):
        with pytest.raises(ValueError, match="one n-gram"):
            information.weight(ngrams)


def test_information_that_is_not_consistent():
    """Weights are logarithms of counts, so counts of 0 or above the total would be infinite or negative."""
    data = _native.NistInformation.fit(["a b", "a b", "a c"], RULES, 2).to_bytes()
    words = data.index((6).to_bytes(8, "little"))
    assert len(_native.NistInformation.from_bytes(data)) > 3
    for number in (0, 5, 7, 2**64 - 1):
        with pytest.raises(ValueError, match="number of words"):
            _native.NistInformation.from_bytes(data[:words] + number.to_bytes(8, "little") + data[words + 8 :])
    for count in (0, 4, 2**32 - 1):
        with pytest.raises(ValueError, match="n-gram"):
            _native.NistInformation.from_bytes(data[:-4] + count.to_bytes(4, "little"))


def test_frequencies_that_are_not_consistent():
    data = _native.DocumentFrequencies.fit(["a b", "a b", "a c"], RULES, 2).to_bytes()
    assert len(_native.DocumentFrequencies.from_bytes(data)) == 4
    for count in (0, 4, 2**32 - 1):
        with pytest.raises(ValueError, match="n-gram"):
            _native.DocumentFrequencies.from_bytes(data[:-4] + count.to_bytes(4, "little"))
    for numbers, documents in (([1], 2), ([1, 3], 2), ([0, 3], 2), ([1, 1], 0)):
        with pytest.raises(ValueError, match="n-gram"):
            _native.DocumentFrequencies.from_ngrams([["a"], ["a", "b"]], numbers, documents, 2)


@every_scorer
def test_rows_of_other_widths(make):
    scorer = make()
    width = scorer.counted(["a"], ["a"], 1)[0].shape[1]
    for rows in (np.zeros((2, width + 1)), np.zeros((2, width - 1)), np.zeros((0, 0))):
        with pytest.raises(ValueError, match="columns"):
            scorer.values(rows, 1)
    if hasattr(scorer, "parts"):
        with pytest.raises(ValueError, match="columns"):
            scorer.parts(np.zeros(width + 1))
    with pytest.raises(ValueError, match="columns"):
        scorer.total_into(["a"], ["a"], 1, _native.ExactRowSums(1, width + 1))
    with pytest.raises(ValueError, match="group"):
        scorer.total_into(["a"], ["a"], 1, _native.ExactRowSums(2, width))


@every_scorer
def test_rows_of_any_numbers(make):
    """Impossible rows still give a number."""
    scorer = make()
    width = scorer.counted(["a"], ["a"], 1)[0].shape[1]
    numbers = [math.nan, math.inf, -math.inf, -1.0, 0.5, 1e308, 5e-324, 2.0**64]
    rows = np.array([[number] * width for number in numbers] + [(numbers * width)[:width]])
    assert scorer.values(rows, 1).shape == (len(rows),)
    if hasattr(scorer, "parts"):
        for row in rows:
            scorer.parts(row)


@every_scorer
def test_no_segments(make):
    scorer = make()
    prepared = scorer.prepare([], 1)
    assert len(scorer.counted([], [], 1)[0]) == len(scorer.counted([], prepared, 1)[0]) == 0
    assert scorer.counted([], [], 1)[1:] == scorer.total([], [], 1)[1:] == (0, 0)
    assert scorer.pairwise([["a"]], prepared, 1).shape == (1, 0)
    if hasattr(scorer, "aggregate"):
        assert scorer.aggregate([["a"]], prepared, np.zeros(0)).shape == (1,)


@every_scorer
def test_segments_without_references(make):
    scorer = make()
    matrix = _native.IdMatrix(np.zeros((1, 0, 3), dtype=np.int64), None, None)
    for hypotheses, references in ((["a"], [[]]), (["a"], [[None]]), ([[1]], matrix)):
        for call in (scorer.counted, scorer.total):
            with pytest.raises(_native.UnsupportedInput):
                call(hypotheses, references, 1)


@every_scorer
def test_weights_of_references(make):
    scorer = make()
    if not hasattr(scorer, "aggregate"):
        return
    prepared = scorer.prepare(["a b", "a c"], 1)
    with pytest.raises(ValueError, match="weight"):
        scorer.aggregate(["a b"], prepared, np.ones(3))
    for weight in (0.0, -1.0, math.nan, math.inf):
        assert scorer.aggregate(["a b"], prepared, np.full(2, weight)).shape == (1,)


ALIGNERS = {
    "edits": _native.align_edits,
    "subsequence": _native.common_subsequence,
    "ribes": ribes().align,
    "ter": scorer_of(_native.Ter).align,
}
every_aligner = pytest.mark.parametrize("align", ALIGNERS.values(), ids=ALIGNERS.keys())


@every_aligner
def test_words_beyond_the_vocabulary(align):
    for hypothesis, reference, vocabulary in (
        ([0, 3], [1], 3),
        ([0], [3], 3),
        ([0], [], 0),
        ([2**32 - 1], [0], 2**32 - 1),
    ):
        with pytest.raises(ValueError, match="beyond the vocabulary"):
            align(hypothesis, reference, vocabulary)
    with pytest.raises(TypeError):
        align([-1], [0], 3)


@every_aligner
def test_vocabularies_of_any_size(align):
    """Memory is allocated for the words in use, not for all possible ones."""
    largest = 2**32 - 2
    hypothesis, reference = [5, 0, 7, largest, 5, 9], [0, 5, 7, 8, largest, 9, 9]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(reference + hypothesis))}
    expected = align([numbers[word] for word in hypothesis], [numbers[word] for word in reference], len(numbers))
    assert align(hypothesis, reference, 2**32 - 1) == expected
    align([], [], 2**32 - 1)
    align([0], [0], 2**32 - 1)


def ids_beyond_32_bits():
    try:
        return np.zeros((1, MORE_THAN_32_BITS), dtype=np.int8)  # untouched memory is never allocated
    except MemoryError:
        pytest.skip("there is not enough address space")


@every_scorer
def test_ids_beyond_32_bits(make):
    scorer = make()
    many = ids_beyond_32_bits()
    for lengths in (None, np.array([MORE_THAN_32_BITS])):
        long, short = _native.IdMatrix(many, lengths, None), _native.IdMatrix(many[:, :3].copy(), None, None)
        for hypotheses, references in ((long, short), (short, long)):
            for call in (scorer.counted, scorer.total):
                with pytest.raises(refscore.InputError, match="tokens"):
                    call(hypotheses, references, 1)
        with pytest.raises(refscore.InputError, match="tokens"):
            scorer.prepare(long, 1)
        with pytest.raises(refscore.InputError, match="tokens"):
            scorer.pairwise(long, scorer.prepare(short, 1), 1)


def test_lengths_of_ids():
    ids = np.zeros((1, 3), dtype=np.int64)
    for length in (-1, 4, 2**31, 2**32, 2**32 + 1, 2**63 - 1):
        matrix = _native.IdMatrix(ids, np.array([length]), None)
        with pytest.raises(_native.UnsupportedInput):
            bleu().counted(matrix, matrix, 1)
    for lengths in (np.zeros(0, np.int64), np.zeros(2, np.int64), np.zeros(1, np.int32)):
        with pytest.raises(_native.UnsupportedInput):
            _native.IdMatrix(ids, lengths, None)


def test_no_columns():
    columns = _native.ArrowColumns([], "references", are_references=True, of_tokens=False, threads=1)
    assert len(columns) == 0 and list(columns) == [] and columns.kind is None
    with pytest.raises(IndexError):
        columns[0]
    with pytest.raises(_native.UnsupportedInput):
        bleu().counted(["a"], columns, 1)


def test_limits_are_kept_in_a_variable():
    with pytest.raises(TypeError):
        _native.keep_limits_in((1, 2))


def test_references_that_are_not_there():
    prepared = bleu().prepare(["a b"], 1)
    with pytest.raises(IndexError):
        prepared.words(1)
    with pytest.raises(_native.UnsupportedInput):
        bleu().counted(["a", "b"], prepared, 1)
