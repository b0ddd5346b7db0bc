"""The scores of sacrebleu's presets from 0 to 100 have every bit of sacrebleu's, so segments tie alike.

From Python 3.12 on, `sum` compensates for rounding. Most published scores were computed before.
"""

import itertools
import random

import pytest

import refscore
from tests import corpora

sacrebleu_bleu = pytest.importorskip("sacrebleu.metrics.bleu")
sacrebleu_chrf = pytest.importorskip("sacrebleu.metrics.chrf")


def plain_sum(numbers):
    total = 0
    for number in numbers:
        total += number
    return total


@pytest.fixture(autouse=True)
def sum_from_left_to_right(monkeypatch):
    monkeypatch.setattr(sacrebleu_bleu, "sum", plain_sum, raising=False)


def texts():
    """Yield hypotheses with references: generated ones share many n-grams, so many scores are nearly equal."""
    for seed, (longest, vocabulary) in enumerate([(4, 2), (9, 4), (30, 12), (60, 200)]):
        words = [f"w{n}" for n in range(vocabulary)]
        hypotheses, references = corpora.joined(corpora.generated(seed, 150, longest, words))
        yield from zip(hypotheses, references, strict=True)


SMOOTHINGS = [
    {"smoothing": "none"},
    {"smoothing": "exp"},
    {"smoothing": "floor"},
    {"smoothing": "floor", "smoothing_value": 0.37},
    {"smoothing": "floor", "smoothing_value": 0.0},
    {"smoothing": "add-k"},
    {"smoothing": "add-k", "smoothing_value": 2.0},
    {"smoothing": "add-k", "smoothing_value": 0.0},
]
SETTINGS = [
    *(
        {**smoothing, "max_order": order, "effective_order": effective_order}
        for smoothing in SMOOTHINGS
        for order in (1, 2, 4, 7)
        for effective_order in (False, True)
    ),
]
NAMES = {
    "smoothing": "smooth_method",
    "smoothing_value": "smooth_value",
    "max_order": "max_ngram_order",
    "tokenizer": "tokenize",
}


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_bleu(settings):
    original = sacrebleu_bleu.BLEU(**{NAMES.get(name, name): value for name, value in settings.items()})
    metric = refscore.BLEU.preset("sacrebleu", **settings)
    hypotheses, references = zip(*itertools.islice(texts(), 0, None, 4), strict=True)
    expected = [original.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)]
    assert metric.printed_values(metric.stats(hypotheses, references)).tolist() == expected
    scores = [metric.segment(*pair).percent for pair in zip(hypotheses[:50], references[:50], strict=True)]
    assert scores == expected[:50]
    most = max(map(len, references))
    streams = [[own[k] if k < len(own) else None for own in references] for k in range(most)]
    expected = original.corpus_score(hypotheses, streams).score
    assert metric.corpus(hypotheses, references).percent == expected
    assert metric.corpus(hypotheses, references).to_dict()["percent"] == expected


AWKWARD_WORDS = [
    "the",
    "The",
    "cat's",
    "3,5",
    "3.50",
    "1-2",
    "x-y",
    "don't",
    "$5",
    "50%",
    "(so)",
    "«ja»",
    "„nein“",
    "&amp;",
    "&quot;a&quot;",
    "a&lt;b",
    "<skipped>",
    "e.g.",
    "U.S.A.",
    "…",
    "naïve",
    "ÉTÉ",
    "straße",
    "ﬁ",
    "İ",
    "猫が好き。",
    "你好，世界",
    "한국어를",
    "مرحبا",
    "१२३",
    "é",
    "\u200b",
    "-",
    "--",
    "!",
    "?!",
    ":)",
    "http://x.y/z?q=1",
]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", ["none", "13a", "intl", "char", "zh"])
def test_tokenizers(tokenizer, lowercase):
    for smoothing in ("none", "exp"):
        settings = {"lowercase": lowercase, "effective_order": smoothing == "exp"}
        original = sacrebleu_bleu.BLEU(tokenize=tokenizer, smooth_method=smoothing, **settings)
        metric = refscore.BLEU.with_settings(
            {"preset": "sacrebleu", "tokenizer": tokenizer, "smoothing": smoothing, **settings}
        )
        hypotheses, references = corpora.joined(corpora.generated(5, 150, 14, AWKWARD_WORDS))
        expected = [original.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)]
        assert metric.printed_values(metric.stats(hypotheses, references)).tolist() == expected
        assert len(set(expected)) > 30


def test_presets():
    original = sacrebleu_bleu.BLEU(effective_order=True)
    metric = refscore.BLEU.preset("sacrebleu-sentence")
    hypotheses, references = zip(*texts(), strict=True)
    expected = [original.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)]
    assert metric.printed_values(metric.stats(hypotheses, references)).tolist() == expected
    # Equal scores are equal, and different ones different: also those that differ in the last bit only.
    assert len(set(expected)) > 300
    near = sum(0 < b - a < 1e-12 for a, b in itertools.pairwise(sorted(expected)))
    assert near > 10


def test_rows():
    """Sums of any counts, as of a large corpus."""
    generator = random.Random(4)
    for smoothing, value in (("none", None), ("exp", None), ("floor", 0.1), ("add-k", 1.0)):
        for effective_order in (False, True):
            metric = refscore.BLEU(smoothing=smoothing, smoothing_value=value, effective_order=effective_order)
            for size in (1, 3, 20, 10**6):
                for _ in range(200):
                    length, reference = generator.randint(0, size), generator.randint(0, size)
                    totals = [max(0, length - n) for n in range(4)]
                    matches = [generator.randint(0, totals[0])]
                    for total in totals[1:]:
                        matches.append(generator.randint(0, min(total, matches[-1])))
                    row = [length, reference, *matches, *totals]
                    expected = sacrebleu_bleu.BLEU.compute_bleu(
                        matches[:], totals[:], length, reference, smoothing, value, effective_order
                    )
                    assert metric.score(row).percent == expected.score, row


@pytest.mark.parametrize("settings", [{}, {"word_order": 2}, {"lowercase": True, "beta": 3}], ids=str)
def test_chrf(settings):
    """chrF's value is already sacrebleu's divided by 100, with every bit."""
    original = sacrebleu_chrf.CHRF(**settings)
    metric = refscore.CHRF.preset("sacrebleu", **settings)
    for hypothesis, references in texts():
        assert metric.segment(hypothesis, references).percent == original.sentence_score(hypothesis, references).score


@pytest.mark.parametrize(
    "settings",
    [
        {"smoothing": "none", "short_order": "pad"},
        {"smoothing": "none", "reference_length": "shortest"},
        {"preset": "nltk"},
        {"preset": "r"},
        {"preset": "mteval"},
        {"preset": "evaluate-smooth"},
        {"preset": "torchmetrics-smooth"},
        {"weights": (0.4, 0.3, 0.2, 0.1)},
        {"reference_length": "average"},
    ],
    ids=str,
)
def test_other_formulas(settings):
    """The formulas of other tools have values from 0 to 1."""
    metric = refscore.BLEU.with_settings(settings)
    for hypothesis, references in itertools.islice(texts(), 100):
        score = metric.segment(hypothesis, references)
        assert score.percent == 100 * score.value
