"""Self-BLEU and distinct-n compared with slow oracles, NLTK and fast-bleu."""

import random
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate import bleu_score

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import bleu as bleu_oracle, close, diversity as oracle

SETTINGS = [
    {},
    {"preset": "nltk", "smoothing": "nltk-1"},
    {"preset": "nltk"},
    {"preset": "r", "smoothing": "floor-segments"},
    {"reference_length": "closest-first", "max_order": 2},
    {"reference_length": "shortest", "max_order": 6},
    {"reference_length": "average", "smoothing": "floor"},
    {"smoothing": "nltk-5", "max_order": 3, "short_order": "pad"},
]


def generations_of(tokens, max_size=7):
    return st.lists(st.lists(tokens, max_size=12), min_size=2, max_size=max_size)


generations = st.one_of(map(generations_of, (strategies.words, strategies.ids, strategies.any_tokens)))


def both(options):
    """Return the metric, and the oracle's settings for it."""
    metric = refscore.BLEU.with_settings({"preset": "sacrebleu-sentence", **options})
    names = bleu_oracle.Settings.__dataclass_fields__
    return metric, bleu_oracle.Settings(**{name: getattr(metric, name) for name in names})


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@given(texts=generations)
@examples(60)
def test_self_bleu(options, texts):
    _, slow = both(options)
    assert close(refscore.metrics.self_bleu(texts, **options), oracle.self_bleu(slow, texts))


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_rows_of_self_bleu(options):
    """Of few and many generations, short and long, of few and many distinct tokens."""
    generator = random.Random(4)
    metric, slow = both(options)
    for size, longest, distinct in [(2, 15, 4), (3, 15, 4), (20, 15, 4), (7, 250, 1), (7, 250, 5), (7, 250, 3000)]:
        texts = [generator.choices(range(distinct), k=generator.randrange(longest)) for _ in range(size)]
        rows = metric.kernel.leave_one_out(texts, 1)
        assert rows.tolist() == oracle.self_bleu_rows(slow, texts)
        assert np.array_equal(rows, metric.stats(texts, [oracle.others(texts, i) for i in range(size)]))


def nltk_scores(texts, weights, method):
    smoothing = getattr(bleu_score.SmoothingFunction(), f"method{method}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            bleu_score.sentence_bleu(oracle.others(texts, i), own, weights, smoothing) for i, own in enumerate(texts)
        ]


@pytest.mark.parametrize("method", range(5))
@pytest.mark.parametrize("order", [1, 2, 4, 5])
@pytest.mark.generated
def test_equal_to_nltk(method, order):
    generator = random.Random(order)
    for _ in range(examples(30).max_examples):
        texts = [generator.choices("abcdef", k=generator.randrange(12)) for _ in range(generator.randint(2, 8))]
        ours = refscore.metrics.self_bleu(texts, preset="nltk", smoothing=f"nltk-{method}", max_order=order)
        theirs = nltk_scores(texts, (1 / order,) * order, method)
        assert ours == pytest.approx(sum(theirs) / len(theirs), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.generated
def test_equal_to_fast_bleu(order):
    """Every length occurs twice, because fast-bleu's brevity penalty otherwise varies between runs."""
    import fast_bleu

    generator = random.Random(order)
    weights = (1 / order,) * order
    rounded = tuple(float(np.float32(weight)) for weight in weights)  # fast-bleu stores float32
    for _ in range(examples(40).max_examples):
        lengths = [generator.randrange(1, 30) for _ in range(generator.randint(1, 6))] * 2
        texts = [generator.choices(["a", "b", "c", "dd", "é"], k=length) for length in lengths]
        theirs = fast_bleu.SelfBLEU(texts, {"": weights}).get_score()[""]
        ours = refscore.metrics.self_bleu(texts, preset="nltk", smoothing="nltk-1", max_order=order, weights=rounded)
        assert ours == pytest.approx(sum(theirs) / len(theirs), rel=1e-12)


@given(texts=st.lists(strategies.lines(), min_size=2, max_size=5))
@examples(100)
def test_text_is_split_first(texts):
    for tokenizer in ("none", "13a", "char"):
        tokens = [refscore.tokenize(text, tokenizer) for text in texts]
        assert refscore.metrics.self_bleu(texts, tokenizer=tokenizer) == refscore.metrics.self_bleu(tokens)
        assert refscore.metrics.distinct_n(texts, 2, tokenizer=tokenizer) == refscore.metrics.distinct_n(tokens, 2)


@given(texts=generations)
@examples(200)
def test_distinct_n(texts):
    expected = tuple(oracle.distinct_n(texts, n) for n in range(1, 15))
    assert refscore.metrics.distinct_n(texts, range(1, 15)) == expected
    assert refscore.metrics.distinct_n(texts) == expected[1]
    assert refscore.metrics.distinct_n(texts, [3, 1]) == (expected[2], expected[0])


def test_other_forms_of_generations():
    texts = ["a b c d", "a b x d", "b"]
    tokens = [text.split() for text in texts]
    ids = [[ord(token) for token in sequence] for sequence in tokens]
    batch = refscore.inputs.padded(np.array([[*row, 0, 0, 0, 0][:4] for row in ids]), pad_id=0)
    objects = [[(token, 1.5) for token in row] for row in tokens]
    for form in (tuple(texts), np.array(texts), tokens, ids, [np.array(row) for row in ids], batch, objects):
        assert refscore.metrics.self_bleu(form) == refscore.metrics.self_bleu(texts)
        assert refscore.metrics.distinct_n(form) == refscore.metrics.distinct_n(texts)
    assert refscore.metrics.distinct_n(iter(texts)) == refscore.metrics.distinct_n(texts)
    # Tokens are not tokenized again.
    assert refscore.metrics.distinct_n([["a b", "c"], ["a b", "d", "c"]], 1, tokenizer=str.split) == 3 / 5


def test_text_settings():
    texts = ["Ä b", "ä b", "A\u0308 b"]
    assert refscore.metrics.distinct_n(texts, 1, lowercase=True, normalize="NFC") == 2 / 6
    assert refscore.metrics.self_bleu(texts, lowercase=True, normalize="NFC") == 1.0
    assert refscore.metrics.distinct_n(texts, 1, tokenizer=lambda text: text.split()) == 4 / 6
    assert refscore.metrics.distinct_n(texts, 1, tokenizer=lambda text: [len(word) for word in text.split()]) == 2 / 6


def test_threads_change_nothing():
    generator = random.Random(1)
    words = [f"word{i}" * (1 + i % 3) for i in range(300)]
    texts = [" ".join(generator.choices(words, k=generator.randrange(40))) for _ in range(300)]
    tokens = [text.split() for text in texts]
    metric = refscore.BLEU.preset("sacrebleu-sentence")
    distinct = oracle.distinct_n(tokens, 3)
    expected = metric.stats(tokens, [oracle.others(tokens, i) for i in range(len(tokens))])
    for threads in (None, 1, 2, 7):
        assert refscore.metrics.distinct_n(texts, 3, threads=threads) == distinct
        assert np.array_equal(metric.kernel.leave_one_out(texts, threads or 0), expected)


@pytest.mark.parametrize(
    ("texts", "bleu", "distinct"),
    [
        (["", ""], 0.0, 0.0),
        (["a", ""], 0.0, 0.0),
        (["a", "a"], 1.0, 0.0),
        ([[], []], 0.0, 0.0),
        (["a b", "b a"], 0.5**0.5, 1.0),
    ],
)
def test_special_cases(texts, bleu, distinct):
    assert refscore.metrics.self_bleu(texts) == pytest.approx(bleu)
    assert refscore.metrics.distinct_n(texts) == distinct
    assert type(refscore.metrics.self_bleu(texts)) is type(refscore.metrics.distinct_n(texts)) is float


@pytest.mark.parametrize(
    ("function", "generations", "message"),
    [
        (refscore.metrics.self_bleu, [], "empty.* at least two"),
        (refscore.metrics.self_bleu, ["a"], "one entry.* at least two"),
        (refscore.metrics.self_bleu, iter([]), "empty"),
        (refscore.metrics.self_bleu, iter(["a"]), "one entry"),
        (refscore.metrics.distinct_n, iter([]), "empty"),
        (refscore.metrics.distinct_n, [], "empty.* at least one"),
        (refscore.metrics.distinct_n, "one text", "generations"),
        (refscore.metrics.distinct_n, ["a", None], "generations"),
        (refscore.metrics.distinct_n, ["a", ["a"]], "generations"),
        (refscore.metrics.distinct_n, [[[]]], "generations"),
        (refscore.metrics.distinct_n, 5, "generations"),
    ],
)
def test_mistakes(function, generations, message):
    with pytest.raises(refscore.InputError, match=message):
        function(generations)


def test_one_generation_is_enough_for_distinct_n():
    for one in (["a b a b"], [[1, 2, 1, 2]], [[(1,), 2.5, (1,), 2.5]], [np.array([1, 2, 1, 2])]):
        assert refscore.metrics.distinct_n(one) == refscore.metrics.distinct_n(iter(one)) == 2 / 3


def test_wrong_settings():
    for n in (0, -1, True, 1.5, "2", [], [0], 10**6 + 1):
        with pytest.raises(refscore.SettingError):
            refscore.metrics.distinct_n(["a"], n)
    with pytest.raises(refscore.errors.UnknownNameError):
        refscore.metrics.self_bleu(["a", "b"], smoothin="exp")
    with pytest.raises(refscore.SettingError):
        refscore.metrics.self_bleu(["a", "b"], threads=0)
